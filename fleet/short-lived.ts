import { setFlagsFromString } from 'node:v8'

/**
 * Tells V8 that what a trial allocates dies young. While the heap is small most trials in flight outlive a collection, from which V8 concludes that the
 * like of them should be allocated among the old: there they die unseen, and until the next full collection they keep all alive that they refer to.
 * That cost an agent a third of its processor time (BENCHMARKS.md). To be called before the first trial.
 */
export function expectShortLives(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}
