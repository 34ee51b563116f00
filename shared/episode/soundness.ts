import { rewardWords } from '../contract/evidence/reward.ts'
import type { TrialRecord } from '../contract/trial.ts'

/** Who stands in for a model while a task is checked: its own solution, or nobody. */
export type Checker = 'oracle' | 'nop'
export const isChecker = (profile: string): profile is Checker => profile === 'oracle' || profile === 'nop'

/**
 * What a check found of a task. A sound task gives its own solution the reward 1, and 0 to nobody's work. `unchecked`: a trial failed, so that nothing
 * can be said. `reward` is the least of the solution's, or the most of nobody's; null where there is none.
 */
export type TaskVerdict = { task: string; verdict: 'sound' | 'unsound' | 'unchecked'; reward: number | null; reason: string | null }

type Checked = Pick<TrialRecord, 'item_id' | 'source_id' | 'epoch' | 'score' | 'failure' | 'evidence' | 'flags'>

/** A verdict for each task, in the order of the records. One wrong trial makes a task unsound, whatever its other trials gave. */
export function judgeSoundness(records: readonly Checked[], checker: Checker): TaskVerdict[] {
  const byItem = new Map<string, Checked[]>()
  for (const record of records) byItem.set(record.item_id, [...(byItem.get(record.item_id) ?? []), record])
  return [...byItem.values()].map((trials) => {
    const task = trials[0]!.source_id ?? trials[0]!.item_id // a group has a member
    const scored = trials.filter(({ failure, score }) => failure === null && score !== null)
    const [worst] = scored.toSorted((one, other) => (checker === 'oracle' ? one.score! - other.score! : other.score! - one.score!)) // scored above
    const wanted = checker === 'oracle' ? 1 : 0
    if (worst && worst.score !== wanted) return { task, verdict: 'unsound', reward: worst.score, reason: reasonOf(worst, checker) }
    const failed = trials.find(({ failure }) => failure !== null)
    const untold = trials
      .flatMap(({ evidence }) => (evidence?.kind === 'reward' ? evidence.steps : []))
      .find(({ rewards }) => rewards === null)
    // A reward that nobody wrote is unknown, not 0.
    if (checker === 'nop' && untold) return { task, verdict: 'unchecked', reward: null, reason: rewardWords(untold) }
    if (failed || !worst)
      return { task, verdict: 'unchecked', reward: worst?.score ?? null, reason: failed?.failure?.detail ?? 'no trial ended' }
    return { task, verdict: 'sound', reward: worst.score, reason: null }
  })
}

function reasonOf({ score, evidence, flags }: Checked, checker: Checker): string {
  if (checker === 'nop') return `doing nothing has reward ${score}`
  const steps = evidence?.kind === 'reward' ? evidence.steps : []
  const bad = steps.find(({ problem, rewards, agent }) => problem !== null || agent.end !== 'completed' || !rewards || rewards.reward !== 1)
  const more = bad
    ? [
        `${bad.name === '' ? '' : `${bad.name}: `}${rewardWords(bad)}`,
        ...(bad.agent.end === 'completed' ? [] : [`the solution ended by ${bad.agent.end}`]),
        ...(bad.verifier?.exit_code ? [`the tests ended with ${bad.verifier.exit_code}`] : []),
        ...bad.tampering.map((sign) => `sign of tampering: ${sign}`),
      ]
    : flags
  return [`the solution has reward ${score}, not 1`, ...more].join('; ')
}
