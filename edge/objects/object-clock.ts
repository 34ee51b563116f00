import type { Clock } from '#shared/run/clock.ts'

/** The clock of an object: Unix time, as leases and records have it. */
export const objectClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
