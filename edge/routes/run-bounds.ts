import type { PlannedBenchmark } from '#shared/contract/run.ts'
import { trialCount } from '#shared/run/plan.ts'
import type { Deps, Principal } from '../deps.ts'
import { countCreation } from '../limits/refuse-guessing.ts'
import { Problem } from '../problem.ts'

/** Refuses a plan with more trials than the operator allows; the problem names the bound. */
export function requireFewTrials(planned: readonly PlannedBenchmark[], config: Deps['config']): void {
  const trials = planned.reduce((sum, one) => sum + trialCount(one), 0)
  const most = config.access.most_trials_per_run
  if (trials <= most) return
  const detail = `The run would have ${trials.toLocaleString('en-US')} trials, and a run may have ${most.toLocaleString('en-US')} (MAX_TRIALS_PER_RUN). Choose a subset, fewer benchmarks or fewer epochs.`
  const message = `${trials} trials, at most ${most}`
  throw new Problem('too-many-trials', detail, { errors: [{ pointer: '/epochs', message }] })
}

/** The operator himself (local owner, admin) is not bounded. */
const isOperator = ({ kind }: Principal): boolean => kind === 'local' || kind === 'admin'

/** Refuses an owner who starts runs too quickly. */
export async function requirePace(principal: Principal, owner_id: string, deps: Deps): Promise<void> {
  if (!isOperator(principal)) await countCreation(owner_id, deps)
}

/** Refuses an owner with too many open runs; the problem names the bound. */
export async function requireFewRuns(principal: Principal, owner_id: string, deps: Deps): Promise<void> {
  if (isOperator(principal)) return
  const most = deps.config.access.most_open_runs_per_owner
  const open = await deps.store.countOpenRuns(owner_id)
  if (open < most) return
  const detail = `You have ${open} runs that have not ended, and may have ${most} (MAX_OPEN_RUNS_PER_OWNER). Wait for one to end, or cancel one.`
  throw new Problem('too-many-runs', detail, { retry_after_s: 60 })
}
