import type { Clock } from '#shared/run/clock.ts'

/** The monotonic clock and timers of the process. */
export const processClock: Clock = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.ceil(ms))
    return () => clearTimeout(timer)
  },
}
