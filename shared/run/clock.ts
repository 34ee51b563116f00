/** Time as those know it who run things: milliseconds of any beginning, and a call after so many of them, taken back by what `after` gives. */
export type Clock = { now(): number; after(ms: number, run: () => void): () => void }

/** Calls `run` every so many milliseconds until it is taken back. */
export function every(clock: Clock, ms: number, run: () => void): () => void {
  let cancel = clock.after(ms, again)
  function again(): void {
    cancel = clock.after(ms, again)
    run()
  }
  return () => cancel()
}

/** Waits for work that does not fail, at most for so many milliseconds; whether it was done by then. */
export function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(false))
    void work.then(() => {
      cancel()
      resolve(true)
    })
  })
}
