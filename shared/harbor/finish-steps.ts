/** The result of work that is done in steps, all of them at once. */
export function finishSteps<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
