import { setFlagsFromString } from 'node:v8'

/**
 * What may lie dead among the old, in percent of what lives there, before it is collected. V8 lets it double and more, which is 30 MiB of an agent.
 * At 60 one run in seven needed more than 250 MB, at 40 an agent costs a twentieth more processor time (BENCHMARKS.md).
 */
const mostGarbage = 50

/**
 * Tells V8 that what a trial allocates dies young. While the heap is small most trials in flight outlive a collection, from which V8 concludes that the
 * like of them should be allocated among the old: there they die unseen, and until the next full collection they keep all alive that they refer to.
 * That cost an agent a sixth of its processor time (BENCHMARKS.md). To be called before the first trial.
 *
 * Two habits have the same cost, and no flag against it: a getter on an object that is made for every trial (each has a hidden class of its own among
 * the old, which holds the getter and all that it sees), and a `Map` or `Set` through which trials pass (see `Bag`).
 */
export function expectShortLives(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
  setFlagsFromString(`--heap-growing-percent=${mostGarbage}`)
  // The few that outlive a collection are copied sooner than other threads are woken for it, who have the host's sandboxes beside them.
  setFlagsFromString('--no-parallel-scavenge')
}
