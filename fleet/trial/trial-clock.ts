/** A monotonic clock in milliseconds, and a timer that can be taken back. */
export type TrialClock = { now(): number; after(ms: number, run: () => void): () => void }

/** The process's own. A timer never keeps the process alive: whoever waits for a trial does. */
export const trialClock: TrialClock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
