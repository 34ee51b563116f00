import { type GradedStep, type RewardEvidence, rewardWords, tamperingWords } from '../contract/evidence/reward.ts'
import type { Score } from '../contract/item.ts'
import { scoreOf } from '../harbor/read-reward.ts'
import { combineRewards } from '../harbor/step-rewards.ts'

/**
 * What an episode is worth, from 0 to 1: its `reward`, else the mean of its named rewards, of all steps that were begun as the task puts them together. No
 * reward is 0, as in Harbor's own metric; a sign of tampering makes it 0, which Harbor leaves to judges. Right is 1 and nothing less.
 */
export function scoreEpisode(evidence: RewardEvidence): Score {
  const begun = evidence.steps.filter(({ agent }) => agent.end !== 'skipped')
  const rewards = combineRewards(
    begun.map((step) => step.rewards),
    evidence.strategy,
  )
  const tampering = [...new Set(begun.flatMap((step) => step.tampering))]
  const given = rewards === null ? null : scoreOf(rewards)
  const value = tampering.length > 0 ? 0 : Math.min(1, Math.max(0, given ?? 0))
  return {
    value,
    outcome: value === 1 ? 'right' : 'wrong',
    answer: given === null ? null : String(given),
    explanation: explain(evidence.steps, tampering),
    flags: [
      ...tampering.map((sign) => sign.replaceAll('-', '_')),
      ...new Set(begun.flatMap(flagsOf)),
      ...(evidence.limit ? ['limit'] : []),
    ],
    detail: { rewards: rewards ?? {}, turns: begun.reduce((sum, { agent }) => sum + agent.turns, 0) },
  }
}

function flagsOf({ agent, problem, rewards, left_running }: GradedStep): string[] {
  const partial = Object.values(rewards ?? {}).some((value) => value > 0 && value < 1)
  return [
    ...(agent.end === 'timeout' ? ['agent_timeout'] : []),
    ...(agent.end === 'turn-limit' ? ['turn_limit'] : []),
    ...(agent.end === 'context-exhausted' ? ['context_exhausted'] : []),
    ...(problem === 'timeout' ? ['verifier_timeout'] : problem === null ? [] : ['no_reward']),
    ...(partial ? ['partial_reward'] : []),
    ...(left_running?.needed ? ['needed_processes'] : []),
  ]
}

function explain(steps: RewardEvidence['steps'], tampering: (keyof typeof tamperingWords)[]): string {
  const told = steps.map((step) =>
    step.name === '' ? rewardWords(step) : `${step.name}: ${step.agent.end === 'skipped' ? 'not begun' : rewardWords(step)}`,
  )
  const signs = tampering.map((sign) => tamperingWords[sign])
  return [told.join('; '), ...signs].map((one) => `${one.charAt(0).toUpperCase()}${one.slice(1)}.`).join(' ')
}
