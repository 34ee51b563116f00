import { type GradedStep, rewardWords } from '../contract/evidence/reward.ts'
import type { Failure } from '../contract/failure.ts'
import type { TrialRecord } from '../contract/trial.ts'
import type { PlannedTrial } from '../run/plan.ts'

/** Who stands in for a model while a task is checked: its own solution, or nobody. */
export type Checker = 'oracle' | 'nop'
export const isChecker = (profile: string): profile is Checker => profile === 'oracle' || profile === 'nop'

/**
 * What a check found of a task. A sound task gives its own solution the reward 1, and 0 to nobody's work; its machine can be made and started.
 * `unchecked`: a trial failed for another reason, or has not ended, so that nothing can be said. `reward` is the least of the solution's, or the
 * most of nobody's; null where there is none.
 */
export type TaskVerdict = { task: string; verdict: 'sound' | 'unsound' | 'unchecked'; reward: number | null; reason: string | null }

type Checked = Pick<TrialRecord, 'item_id' | 'source_id' | 'epoch' | 'score' | 'failure' | 'evidence' | 'flags'>

/** A verdict for each planned task, in the order of the plan. One wrong trial makes a task unsound, whatever its other trials gave. */
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
  // A reward that nobody wrote is unknown, not 0.
  if (checker === 'nop' && untold) return { verdict: 'unchecked', reward: null, reason: rewardWords(untold) }
  const missing = planned - scored.length - failures.length
  const open = missing > 0 ? `${missing} of ${planned} trials did not end` : null
  const reason = failures[0]?.detail ?? open
  return { verdict: reason === null ? 'sound' : 'unchecked', reward: worst?.score ?? null, reason }
}

/** Whether a failure is of the task itself, for its author to mend: no other machine would do better. */
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
        ...(bad.agent.end === 'completed' ? [] : [`the solution ended by ${bad.agent.end}`]),
        ...(bad.verifier?.exit_code ? [`the tests ended with ${bad.verifier.exit_code}`] : []),
        ...bad.tampering.map((sign) => `sign of tampering: ${sign}`),
      ]
    : flags
  return [`the solution has reward ${score}, not 1`, ...more].join('; ')
}

/** Whether the words of a step would only repeat the score. */
const isSaid = ({ name, problem, rewards }: GradedStep, score: number | null): boolean =>
  name === '' && problem === null && rewards !== null && Object.keys(rewards).length === 1 && rewards.reward === score
