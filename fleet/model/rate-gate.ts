import { closedWindow, openWindow, rateWindowMs, takeFrom } from '#shared/run/rate-share.ts'

/** The gate of one key's rate limit in this process. Moments are of the monotonic clock that all callers share. */
export type RateGate = {
  /** 0: a request may leave now; else after so many milliseconds; null: when told more. */
  waitMs(nowMs: number): number | null
  /** Counts a request that leaves now; only when `waitMs` is 0. */
  take(nowMs: number): void
  /** Requests that could be used in a window: what waits, and what was sent in the last one. */
  want(waiting: number): void
  onChange(listener: () => void): void
}

/** A gate and the side by which the one who asks for grants moves it. */
export type RateControl = {
  gate: RateGate
  wanted(nowMs: number): number
  /** No limit is known for the key. */
  free(): void
  grant(permits: number, askedMs: number): void
}

/** Closed until it hears of a grant, or that there is no limit. `onWant` is called when somebody begins to wait. */
export function createRateGate(onWant: () => void): RateControl {
  let window = closedWindow
  let unlimited = false
  let waiting = 0
  const listeners: (() => void)[] = []
  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  return {
    gate: {
      waitMs(nowMs) {
        if (unlimited) return 0
        const taken = takeFrom(window, nowMs)
        return 'sent' in taken ? 0 : taken.wait_ms
      },
      take(nowMs) {
        if (unlimited) return
        const taken = takeFrom(window, nowMs)
        if ('sent' in taken) window = taken.sent
      },
      want(count) {
        const first = waiting === 0 && count > 0
        waiting = count
        if (first) onWant()
      },
      onChange: (listener) => void listeners.push(listener),
    },
    wanted: (nowMs) => waiting + window.sent.filter((at) => at > nowMs - rateWindowMs).length,
    free() {
      unlimited = true
      tell()
    },
    grant(permits, askedMs) {
      unlimited = false
      window = openWindow(window, permits, askedMs)
      tell()
    },
  }
}

/** A process that works alone has the whole limit; null: there is none. */
export function ownRateGate(limit: number | null): RateGate {
  const control = createRateGate(() => undefined)
  if (limit === null) control.free()
  else control.grant(limit, Number.POSITIVE_INFINITY)
  return control.gate
}
