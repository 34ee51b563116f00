import type { Target } from '../contract/estimate.ts'
import type { PlannedBenchmark } from '../contract/run.ts'
import type { FirstDraw } from './first-interval.ts'
import type { Drawn } from './limits.ts'

/** How a benchmark was planned, as far as its numbers depend on it. */
export type MeasuredPlan = Pick<
  PlannedBenchmark,
  'total_items' | 'sampled_items' | 'epochs' | 'metrics_version' | 'group_items' | 'chosen'
> & {
  params: Pick<PlannedBenchmark['params'], 'temperature'>
}

/** The rule of the intervals; part of the plan, so that whoever computes them again takes the same. */
export const metricsVersion = 2

/** What every interval of a benchmark (or of one of its groups) rests on beside the answers. */
export type Draw = FirstDraw | ({ rule: 2; target: Target } & Drawn)

/** Answers come out the same each time only at temperature 0: elsewhere, and where nothing is known, a score speaks of what to expect. */
export function targetOf({ params }: Pick<MeasuredPlan, 'params'>): Target {
  return params.temperature === 0 ? 'as_answered' : 'expected'
}

/** The items that the asked ones stand for: all of the data set, or only themselves where somebody chose them. */
export function populationOf(plan: Pick<MeasuredPlan, 'total_items' | 'sampled_items' | 'chosen'>): number {
  return plan.chosen ? plan.sampled_items : plan.total_items
}

/** The draw of a benchmark of which `items` items have come up and `trials` trials have ended. */
export function drawOf(plan: MeasuredPlan, items: number, trials: number): Draw {
  const { sampled_items, epochs } = plan
  const population = populationOf(plan)
  if ((plan.metrics_version ?? 1) < 2) return { rule: 1, drawn: items, population }
  return { rule: 2, target: targetOf(plan), population, complete: sampled_items >= population && trials >= sampled_items * epochs }
}

/**
 * The draw of one group. Its population is that of the plan, which has it from the card; where the whole set was asked it is what came up.
 * Elsewhere it is not known. `items` are the items of the group that have come up, `ungrouped` the trials that ended without a group.
 */
export function groupDrawOf(plan: MeasuredPlan, group: string, items: number, trials: number, ungrouped: number): Draw {
  const whole = drawOf(plan, items, trials)
  const known = plan.group_items && Object.hasOwn(plan.group_items, group) ? plan.group_items[group]! : null
  if (whole.rule === 1) return { ...whole, population: known }
  const complete = whole.complete && (known === null ? ungrouped === 0 : items >= known)
  return { ...whole, complete, population: known ?? (complete ? items : null) }
}
