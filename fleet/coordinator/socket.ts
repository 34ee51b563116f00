import { type Link, processLink, type Wire } from './link.ts'

/** Parses a frame by its schema; undefined for text that is no frame of this protocol. */
export function readFrame<T>(
  schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } },
  text: string,
): T | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

export const strangeFrame = 'The edge sent a frame this agent does not understand. Update the older of the two.'

export type SocketHandlers = {
  onOpen(): void
  onFrame(text: string): void
  onClosed(code: number, reason: string): void
  /** There is no connection, for this reason (`ECONNREFUSED`, `HTTP 503`, `HTTP 421: …` with the other side's sentence, `closed 1006`); the next try begins after so many milliseconds. */
  onRetry?(why: string, waitMs: number): void
}

const firstWaitMs = 250
const longestWaitMs = 15_000
/** No frame for so long means the connection is dead even if nobody said so; the edge answers every renewal. */
const silenceMs = 35_000

/**
 * A socket that dials out and comes back by itself: jittered back-off from 0.25 s to 15 s, a watchdog for silent connections, no compression.
 * Close codes 4009 to 4014 are final; everything else is tried again.
 */
export function openSocket(url: string, token: string, handlers: SocketHandlers, { clock, random, dial }: Link = processLink) {
  let wire: Wire | undefined
  let closed = false
  let failures = 0
  let retry: (() => void) | undefined
  let watchdog: (() => void) | undefined

  const watch = (current: Wire): void => {
    watchdog?.()
    watchdog = clock.after(silenceMs, () => current.cut())
  }
  const connect = (): void => {
    const current: Wire = dial(url, token, {
      onOpen() {
        watch(current)
        handlers.onOpen()
      },
      onMessage(text) {
        failures = 0 // only now: an edge that takes connections and sends them away again is not called in a tight loop
        watch(current)
        handlers.onFrame(text)
      },
      onRefused(status, said) {
        if (status === 401 || status === 403) final(4011, 'The edge does not accept this agent token.')
        else if (status === 404) final(4012, 'The edge knows no such run.')
        else again(`HTTP ${status}${said == null ? '' : `: ${said}`}`)
      },
      onGone(code, reason, why) {
        if (wire !== current) return
        if (code >= 4009 && code <= 4014) final(code, reason)
        else again(why ?? `closed ${code}`)
      },
    })
    wire = current
  }
  const final = (code: number, reason: string): void => {
    if (closed) return
    closed = true
    watchdog?.()
    handlers.onClosed(code, reason)
  }
  const again = (why: string): void => {
    watchdog?.()
    if (closed || retry !== undefined) return
    const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** failures++) * (0.5 + random() / 2)
    handlers.onRetry?.(why, wait)
    retry = clock.after(wait, () => {
      retry = undefined
      connect()
    })
  }
  connect()

  return {
    /** Sends when connected; a frame that cannot be sent now is the caller's to send again after `onOpen`. */
    send(text: string | Buffer): boolean {
      if (!wire?.isOpen()) return false
      wire.send(text)
      return true
    },
    close(): void {
      closed = true
      retry?.()
      watchdog?.()
      wire?.close()
    },
  }
}
export type Socket = ReturnType<typeof openSocket>
