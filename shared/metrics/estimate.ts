import type { Estimate, Limits, Target } from '../contract/estimate.ts'
import type { Tally } from '../contract/run.ts'
import { type MeasuredPlan, targetOf } from './draw.ts'
import { type Drawn, limitsOf } from './limits.ts'

export const nothingScored: Estimate = { value: null, low: null, high: null, n: 0, method: 'none' }

type Counts = Pick<Tally, 'right' | 'wrong' | 'score_sum'> & Partial<Pick<Tally, 'failed' | 'total' | 'items'>>

/**
 * Score of the trials scored so far. Counts do not tell how much repeats of an item agree, so they are taken to agree always: the interval
 * is at its widest, and the run's end, which sees every item, may give a narrower one.
 */
export function tallyEstimate(tally: Counts, planned: MeasuredPlan): Estimate {
  const { total_items: population, sampled_items, epochs } = planned
  const ended = tally.right + tally.wrong + (tally.failed ?? 0) >= sampled_items * epochs
  return estimateOf(tally, sampled_items, epochs, targetOf(planned), { population, complete: ended && sampled_items >= population })
}

/** The same of one group, whose population is its own: from the plan, or where the whole set was asked and no trial lacks a group, what came up. */
export function groupEstimate(
  tally: Tally,
  group: string,
  planned: MeasuredPlan,
  whole: Pick<Tally, 'right' | 'wrong' | 'failed'>,
): Estimate {
  const { total_items, sampled_items, epochs } = planned
  const known = planned.group_items && Object.hasOwn(planned.group_items, group) ? planned.group_items[group]! : null
  const asked = sampled_items >= total_items && whole.right + whole.wrong + whole.failed >= sampled_items * epochs
  const complete = asked && (known === null || tally.total >= known * epochs)
  const population = known ?? (complete ? Math.ceil(tally.total / epochs) : null)
  return estimateOf(tally, population ?? Number.POSITIVE_INFINITY, epochs, targetOf(planned), { population, complete })
}

function estimateOf(tally: Counts, most: number, epochs: number, target: Target, drawn: Drawn): Estimate {
  const trials = tally.right + tally.wrong
  if (trials === 0) return nothingScored
  const items = epochs === 1 ? trials : Math.min(trials, most, Math.max(1, tally.items ?? Math.ceil(trials / epochs)))
  const value = tally.score_sum / trials
  const whole = { least: tally.score_sum / epochs, answered: trials / epochs }
  const spread = items / independent(trials, items)
  const limits = limitsOf({ value, items, spread, noise: items / trials, step: items / trials, ...whole }, drawn)
  const method = epochs > 1 ? 'Wilson, from counts, repeats taken to agree' : 'Wilson, from counts'
  return { value, ...limits[target], n: items, method, target, trials, limits }
}

/** Items that a mean over trials is worth when some items have one answer more than others and repeats of an item agree. */
function independent(trials: number, items: number): number {
  const each = Math.floor(trials / items)
  const more = trials - each * items
  return trials ** 2 / (more * (each + 1) ** 2 + (items - more) * each ** 2)
}

/**
 * Unweighted mean of the benchmarks' scores; null until every benchmark has one. The interval joins the benchmarks' own distances
 * in squares (MOVER, Zou & Donner 2008), as they rest on independent items. It speaks of the scores as answered only where all of them do.
 */
export function overallEstimate(estimates: readonly Estimate[]): Estimate {
  const n = estimates.reduce((sum, estimate) => sum + estimate.n, 0)
  const values = estimates.flatMap((estimate) => (estimate.value === null ? [] : [estimate.value]))
  if (values.length === 0 || values.length < estimates.length) return { ...nothingScored, n }
  if (estimates.length === 1) return estimates[0]!
  const value = values.reduce((sum, one) => sum + one, 0) / values.length
  const joined = (limitsFor: (one: Estimate) => Partial<Limits>): Limits => ({
    low: value - distance(estimates, (one) => limitsFor(one).low),
    high: value + distance(estimates, (one) => limitsFor(one).high),
  })
  const own = (one: Estimate): Partial<Limits> => ({
    ...(one.low !== null && { low: one.low }),
    ...(one.high !== null && { high: one.high }),
  })
  const trials = estimates.reduce((sum, one) => sum + (one.trials ?? one.n), 0)
  const base = { value, n, method: 'mean of benchmarks, distances joined in squares', trials }
  if (!estimates.every((one) => one.target && one.limits)) return { ...base, ...joined(own) }
  const target = estimates.every((one) => one.target === 'as_answered') ? 'as_answered' : 'expected'
  const limits = { as_answered: joined((one) => one.limits!.as_answered), expected: joined((one) => one.limits!.expected) }
  return { ...base, ...limits[target], target, limits }
}

function distance(estimates: readonly Estimate[], limit: (one: Estimate) => number | undefined): number {
  return Math.sqrt(estimates.reduce((sum, one) => sum + ((limit(one) ?? one.value!) - one.value!) ** 2, 0)) / estimates.length
}
