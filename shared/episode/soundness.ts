import { type GradedStep, rewardWords } from '../contract/evidence/reward.ts'
import type { Failure } from '../contract/failure.ts'
import type { TrialRecord } from '../contract/trial.ts'
import type { PlannedTrial } from '../run/plan.ts'

/** Replaces the model while a task is checked: `oracle` runs the task's solution, `nop` runs nothing. */
export type Checker = 'oracle' | 'nop'
export const isChecker = (profile: string): profile is Checker => profile === 'oracle' || profile === 'nop'

/**
 * Verdict on a task. `sound`: its solution has the reward 1 (`oracle`), or an untouched machine has
 * the reward 0 (`nop`). `unsound`: another reward, or a machine that cannot be made or started.
 * `unchecked`: a trial failed for another reason or has not ended. `reward` is the lowest reward
 * under `oracle` and the highest under `nop`; null if no trial was scored.
 */
export type TaskVerdict = { task: string; verdict: 'sound' | 'unsound' | 'unchecked'; reward: number | null; reason: string | null }

type Checked = Pick<TrialRecord, 'item_id' | 'source_id' | 'epoch' | 'score' | 'failure' | 'evidence' | 'flags'>

/** Judges each planned task, in the order of the plan. One wrong reward makes a task unsound. */
export function judgeSoundness(
  planned: Iterable<Pick<PlannedTrial, 'item_id'>>,
  records: readonly Checked[],
  checker: Checker,
): TaskVerdict[] {
  const byItem = new Map<string, { planned: number; trials: Checked[] }>()
  for (const { item_id } of planned) {
    const item = byItem.get(item_id) ?? { planned: 0, trials: [] }
    byItem.set(item_id, { ...item, planned: item.planned + 1 })
  }
  for (const record of records) byItem.get(record.item_id)?.trials.push(record)
  return [...byItem].map(([item_id, item]) => ({ task: item.trials[0]?.source_id ?? `item ${item_id}`, ...judgeTask(item, checker) }))
}

function judgeTask({ planned, trials }: { planned: number; trials: Checked[] }, checker: Checker): Omit<TaskVerdict, 'task'> {
  const scored = trials.filter(({ failure, score }) => failure === null && score !== null)
  const [worst] = scored.toSorted((one, other) => (checker === 'oracle' ? one.score! - other.score! : other.score! - one.score!)) // scored above
  if (worst && worst.score !== (checker === 'oracle' ? 1 : 0))
    return { verdict: 'unsound', reward: worst.score, reason: reasonOf(worst, checker) }
  const failures = trials.flatMap(({ failure }) => failure ?? [])
  const own = failures.find(isOfTask)
  if (own) return { verdict: 'unsound', reward: null, reason: own.detail }
  const untold = trials
    .flatMap(({ evidence }) => (evidence?.kind === 'reward' ? evidence.steps : []))
    .find(({ rewards }) => rewards === null)
  // Without a reward file the reward is unknown, not 0.
  if (checker === 'nop' && untold) return { verdict: 'unchecked', reward: null, reason: rewardWords(untold) }
  const missing = planned - scored.length - failures.length
  const open = missing > 0 ? `${missing} of ${planned} trials did not end` : null
  const reason = failures[0]?.detail ?? open
  return { verdict: reason === null ? 'sound' : 'unchecked', reward: worst?.score ?? null, reason }
}

/** Tells whether the task's author must act: no other attempt would succeed. */
const isOfTask = ({ at, reason, retryable }: Failure): boolean =>
  at === 'sandbox' &&
  !retryable &&
  (reason === 'build-failed' || reason === 'image-missing' || reason === 'unhealthy' || reason === 'task-refused')

function reasonOf({ score, evidence, flags }: Checked, checker: Checker): string {
  if (checker === 'nop') return `doing nothing has reward ${score}`
  const steps = evidence?.kind === 'reward' ? evidence.steps : []
  const bad = steps.find(({ problem, rewards, agent }) => problem !== null || agent.end !== 'completed' || !rewards || rewards.reward !== 1)
  const more = bad
    ? [
        ...(isSaid(bad, score) ? [] : [`${bad.name === '' ? '' : `${bad.name}: `}${rewardWords(bad)}`]),
        ...(bad.agent.end === 'completed' ? [] : [bad.agent.detail || `the solution ended by ${bad.agent.end}`]),
        ...(bad.verifier?.exit_code ? [`the tests ended with ${bad.verifier.exit_code}`] : []),
        ...bad.tampering.map((sign) => `sign of tampering: ${sign}`),
      ]
    : flags
  return [`the solution has reward ${score}, not 1`, ...more].join('; ')
}

/** Tells whether `rewardWords` of a step would only repeat the score. */
const isSaid = ({ name, problem, rewards }: GradedStep, score: number | null): boolean =>
  name === '' && problem === null && rewards !== null && Object.keys(rewards).length === 1 && rewards.reward === score
