import type { Results } from './bundle-schema.ts'
import type { ReportWriter } from './verify-report.ts'

export type PlannedTrial = { ordinal: number; benchmark: string; item_id: string; epoch: number }
/** The plan that follows from a spec: which trials, in which order. */
export type PlanPort = (spec: Pick<Results['spec'], 'benchmarks' | 'subset'>) => Iterable<PlannedTrial>

/**
 * Every planned trial is there exactly once, in the order of the plan, or counted as unfinished; and the status is one that such
 * a run can have. With `plan` the items themselves must be those the spec draws.
 */
export function checkCompleteness(results: Results, done: readonly PlannedTrial[], plan: PlanPort | undefined, report: ReportWriter): void {
  const fault = findFault(results, done) ?? (plan ? findPlanFault(results, done, plan) : null)
  const unfinished = results.totals.unfinished
  const how = plan ? 'drawn as the spec says' : 'by number'
  const detail = `${done.length} of ${results.totals.trials} planned trials are there, ${how}${unfinished > 0 ? `; ${unfinished} unfinished` : ''}`
  report.check('completeness', fault === null, fault ?? detail)
}

function findFault(results: Results, done: readonly PlannedTrial[]): string | null {
  const { spec, run } = results
  const total = spec.benchmarks.reduce((sum, benchmark) => sum + benchmark.sampled_items * benchmark.epochs, 0)
  let previous = -1
  const keys = new Set<string>()
  for (const trial of done) {
    if (trial.ordinal <= previous || trial.ordinal >= total) return `trial ${trial.ordinal} is repeated or out of order`
    previous = trial.ordinal
    const key = `${trial.benchmark} ${trial.epoch} ${trial.item_id}`
    if (keys.has(key)) return `${trial.benchmark} item ${trial.item_id}, epoch ${trial.epoch} is there twice`
    keys.add(key)
  }
  if (run.status === 'succeeded' && done.length !== total)
    return `the run is succeeded, yet ${total - done.length} of ${total} trials are missing`
  const failed = results.benchmarks.reduce((sum, benchmark) => sum + benchmark.result.failed, 0)
  if (run.status === 'succeeded' && failed > total * spec.max_failure_share) {
    return `the run is succeeded, yet ${failed} of ${total} trials failed (at most ${spec.max_failure_share * 100} % may)`
  }
  return null
}

function findPlanFault(results: Results, done: readonly PlannedTrial[], plan: PlanPort): string | null {
  let index = 0
  for (const planned of plan(results.spec)) {
    const trial = done[index]
    if (trial?.ordinal !== planned.ordinal) continue
    const same = trial.benchmark === planned.benchmark && trial.item_id === planned.item_id && trial.epoch === planned.epoch
    if (!same) return `trial ${planned.ordinal} should be ${planned.benchmark} item ${planned.item_id}, epoch ${planned.epoch}`
    index++
  }
  return index === done.length ? null : 'there are trials that are not in the plan'
}
