import { planTooLarge } from './bundle-limits.ts'
import type { Results } from './bundle-schema.ts'

export type PlannedTrial = { ordinal: number; benchmark: string; item_id: string; epoch: number }
/** The plan that follows from a spec: which trials, in which order. */
export type PlanPort = (spec: Pick<Results['spec'], 'benchmarks' | 'subset'>) => Iterable<PlannedTrial>

export type Completeness = { add(trial: PlannedTrial): void; verdict(): [ok: boolean, detail: string] }

/**
 * Whether every planned trial is there exactly once, in the order of the plan, or counted as unfinished. With `plan` the items themselves must
 * be those the spec draws, and none is remembered.
 */
export function openCompleteness(results: Results, plan: PlanPort | undefined): Completeness {
  const { spec } = results
  const total = spec.benchmarks.reduce((sum, benchmark) => sum + benchmark.sampled_items * benchmark.epochs, 0)
  const follows = plan ? followPlan(plan, spec) : rememberKeys()
  let fault = planTooLarge(spec)
  let previous = -1
  let count = 0
  return {
    add(trial) {
      count++
      if (fault) return
      if (trial.ordinal <= previous || trial.ordinal >= total) fault = `trial ${trial.ordinal} is repeated or out of order`
      else fault = follows(trial)
      previous = trial.ordinal
    },
    verdict() {
      const { unfinished } = results.totals
      const how = plan ? 'drawn as the spec says' : 'by number'
      const detail = `${count} of ${results.totals.trials} planned trials are there, ${how}${unfinished > 0 ? `; ${unfinished} unfinished` : ''}`
      return [fault === null, fault ?? detail]
    },
  }
}

function followPlan(plan: PlanPort, spec: Results['spec']): (trial: PlannedTrial) => string | null {
  let planned: Iterator<PlannedTrial> | undefined
  return (trial) => {
    planned ??= plan(spec)[Symbol.iterator]()
    for (let next = planned.next(); !next.done; next = planned.next()) {
      const { ordinal, benchmark, item_id, epoch } = next.value
      if (ordinal < trial.ordinal) continue
      if (ordinal > trial.ordinal) break
      const same = trial.benchmark === benchmark && trial.item_id === item_id && trial.epoch === epoch
      return same ? null : `trial ${ordinal} should be ${benchmark} item ${item_id}, epoch ${epoch}`
    }
    return 'there are trials that are not in the plan'
  }
}

function rememberKeys(): (trial: PlannedTrial) => string | null {
  const keys = new Set<string>()
  return ({ benchmark, epoch, item_id }) => {
    const key = `${benchmark} ${epoch} ${item_id}`
    if (keys.has(key)) return `${benchmark} item ${item_id}, epoch ${epoch} is there twice`
    keys.add(key)
    return null
  }
}
