import WebSocket from 'ws'

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

/** Masks keep what is sent from being taken for HTTP by a proxy on the way. None stands on loopback, and none looks into TLS: there they are work for nothing. */
export function isUnseen(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'wss:' || hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname)
}

const noMask = (mask: Buffer): void => void mask.fill(0)

export type SocketHandlers = {
  onOpen(): void
  onFrame(text: string): void
  onClosed(code: number, reason: string): void
  /** There is no connection, for this reason (`ECONNREFUSED`, `HTTP 503`, `closed 1006`); the next try begins after so many milliseconds. */
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
export function openSocket(url: string, token: string, handlers: SocketHandlers, random: () => number = Math.random) {
  let socket: WebSocket | undefined
  let closed = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let watchdog: ReturnType<typeof setTimeout> | undefined

  const watch = (): void => {
    clearTimeout(watchdog)
    watchdog = setTimeout(() => socket?.terminate(), silenceMs)
    watchdog.unref()
  }
  const dial = (): void => {
    let why: string | undefined
    const current = new WebSocket(url, {
      headers: { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      ...(isUnseen(url) && { generateMask: noMask }),
      handshakeTimeout: 10_000,
      maxPayload: 64 * 1024 * 1024,
    })
    socket = current
    current.on('open', () => {
      watch()
      handlers.onOpen()
    })
    current.on('message', (data) => {
      failures = 0 // only now: an edge that takes connections and sends them away again is not called in a tight loop
      watch()
      handlers.onFrame(data.toString())
    })
    current.on('unexpected-response', (request, response) => {
      response.resume()
      request.destroy()
      if (response.statusCode === 401 || response.statusCode === 403) final(4011, 'The edge does not accept this agent token.')
      else if (response.statusCode === 404) final(4012, 'The edge knows no such run.')
      else again(`HTTP ${response.statusCode}`)
    })
    current.on('error', (error: NodeJS.ErrnoException) => {
      why = error.code ?? error.message // always followed by close
    })
    current.on('close', (code, reason) => {
      if (socket !== current) return
      if (code >= 4009 && code <= 4014) final(code, reason.toString())
      else again(why ?? `closed ${code}`)
    })
  }
  const final = (code: number, reason: string): void => {
    if (closed) return
    closed = true
    clearTimeout(watchdog)
    handlers.onClosed(code, reason)
  }
  const again = (why: string): void => {
    clearTimeout(watchdog)
    if (closed || timer !== undefined) return
    const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** failures++) * (0.5 + random() / 2)
    handlers.onRetry?.(why, wait)
    timer = setTimeout(() => {
      timer = undefined
      dial()
    }, wait)
  }
  dial()

  return {
    /** Sends when connected; a frame that cannot be sent now is the caller's to send again after `onOpen`. */
    send(text: string): boolean {
      if (socket?.readyState !== WebSocket.OPEN) return false
      socket.send(text)
      return true
    },
    close(): void {
      closed = true
      clearTimeout(timer)
      clearTimeout(watchdog)
      socket?.close(1000)
    },
  }
}
export type Socket = ReturnType<typeof openSocket>
