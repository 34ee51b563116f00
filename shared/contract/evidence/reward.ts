import * as z from 'zod'
import { Ordinal, RunId, Sha256 } from '../ids.ts'
import { answerHead, answerSections, CompletionEvidence, shortenAnswer } from './completion.ts'
import type { Kind, Section } from './kind.ts'

/** How whoever worked at a terminal ended. Everything that follows is graded all the same: what was done stands. */
export const agentEnds = ['completed', 'timeout', 'turn-limit', 'limit', 'context-exhausted', 'failed', 'skipped'] as const
export type AgentEnd = (typeof agentEnds)[number]

/**
 * Why a verifier left no reward, after Harbor's classes of error (RewardFileNotFoundError, RewardFileEmptyError, VerifierOutputParseError,
 * VerifierTimeoutError); `out-of-range`: a reward that is no number between 0 and 1; `not-finite`: NaN or an infinity; `not-named`: a bare number; `folder`, `special`, `link`: a folder, a pipe or device, or a link stands in its place; `no-artifact`: what the task wants handed over was not there; `no-summary`,
 * `no-tests`: where the verdict is read from a terminal, it showed no summary of tests, or one of none.
 */
export const rewardProblems = [
  'missing',
  'empty',
  'unreadable',
  'out-of-range',
  'not-finite',
  'not-named',
  'folder',
  'special',
  'link',
  'timeout',
  'no-artifact',
  'no-summary',
  'no-tests',
] as const
export type RewardProblem = (typeof rewardProblems)[number]

/** Signs that somebody reached for the reward itself. Each makes the score 0. */
export const tamperings = ['reward-before-tests', 'reward-after-tests', 'tests-changed', 'tools-replaced', 'processes-stayed'] as const
export type Tampering = (typeof tamperings)[number]

/** Parts of an episode in their order. */
export const phaseNames = ['image', 'start', 'install', 'setup', 'agent', 'hand-over', 'verifier'] as const

const Phase = z.object({
  name: z.enum(phaseNames),
  step: z.string().max(200).nullable(),
  began_ms: z.number().min(0),
  took_ms: z.number().min(0),
})
export type Phase = z.infer<typeof Phase>

/** Longest excerpt of what an agent's program or a verifier wrote, head and tail, in UTF-16 units. */
export const mostTerminalOutput = 20_000

/** A step of a task, or the whole of one that has none (its name is empty): who worked, and what the verifier made of it. */
export const GradedStep = z.object({
  name: z.string().max(200),
  agent: z.object({ end: z.enum(agentEnds), turns: z.int().min(0), detail: z.string().max(2000) }),
  /** Numbers by name; null where the verifier left none. */
  rewards: z.record(z.string().max(200), z.number()).nullable(),
  problem: z.enum(rewardProblems).nullable(),
  /** Names in the reward file whose values are no numbers. */
  ignored: z.array(z.string().max(200)).max(100),
  tampering: z.array(z.enum(tamperings)),
  verifier: z.object({ exit_code: z.int().nullable(), output: z.string().max(mostTerminalOutput) }).nullable(),
  /**
   * Command lines of processes that ran beside the tests. `needed`: whether the reward was less without them, null where that was not tried. Left out
   * where nothing ran.
   */
  left_running: z.object({ commands: z.array(z.string().max(200)).max(20), needed: z.boolean().nullable() }).optional(),
})
export type GradedStep = z.infer<typeof GradedStep>

/**
 * An episode at a terminal: a task's own verifier gave rewards for what was left behind. `text` is the model's last answer, empty where none was
 * asked. `room`: whether the verifier ran in the agent's machine or in a fresh one.
 */
export const RewardEvidence = CompletionEvidence.extend({
  kind: z.literal('reward'),
  agent: z.object({ name: z.string().max(100), version: z.string().max(50) }),
  image: z.object({ name: z.string().max(500), digest: z.string().max(100) }),
  room: z.enum(['shared', 'clean']),
  /** How rewards of several steps become one. */
  strategy: z.enum(['mean', 'final']),
  steps: z.array(GradedStep).min(1).max(100),
  phases: z.array(Phase).max(1000),
  /** Whose hand-over was graded, where nobody worked: the trial of an earlier run, its score there, and what it had handed over. */
  regrade_of: z
    .object({
      run_id: RunId,
      ordinal: Ordinal,
      attempt: z.int().min(1),
      score: z.number().nullable(),
      archives: z.array(z.object({ name: z.string().max(200), sha256: Sha256 })).max(100),
    })
    .optional(),
})
export type RewardEvidence = z.infer<typeof RewardEvidence>

/** Rewards in words, as `reward 1`, or why there are none. */
export function rewardWords({ rewards, problem }: Pick<GradedStep, 'rewards' | 'problem'>): string {
  if (problem !== null || rewards === null) return problemWords[problem ?? 'missing']
  return Object.entries(rewards)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}

/** What became of the reward, for people. */
export const problemWords: Record<RewardProblem, string> = {
  missing: 'the verifier left no reward file',
  empty: 'the reward file is empty',
  unreadable: 'the reward file cannot be read',
  'out-of-range': 'the reward is no number between 0 and 1',
  'not-finite': 'the reward is NaN or an infinity',
  'not-named': 'the reward file is a bare number, not an object of named rewards',
  folder: 'a folder stands in place of the reward file',
  special: 'a pipe, a socket or a device stands in place of the reward file',
  link: 'a link stands in place of the reward file',
  timeout: 'the verifier took longer than it may',
  'no-artifact': 'what the task wants handed over was not there',
  'no-summary': 'the terminal showed no summary of the tests',
  'no-tests': 'the summary of the tests names none',
}

/** What was seen, for people. */
export const tamperingWords: Record<Tampering, string> = {
  'reward-before-tests': 'a reward was there before the tests began',
  'reward-after-tests': 'the reward was written by something else than the tests',
  'tests-changed': 'test files changed while the tests ran',
  'tools-replaced': 'programs that tests rely on were replaced',
  'processes-stayed': 'processes of the agent could not be ended before the tests',
}

function stepSections(step: GradedStep): Section[] {
  const named = (title: string): string => (step.name === '' ? title : `${step.name}: ${title.toLowerCase()}`)
  const lines = [
    rewardWords(step),
    ...step.tampering.map((one) => tamperingWords[one]),
    ...(step.ignored.length > 0 ? [`no numbers: ${step.ignored.join(', ')}`] : []),
  ]
  const agent = step.agent.detail === '' ? step.agent.end : `${step.agent.end}: ${step.agent.detail}`
  return [
    { title: named('Agent'), text: agent, scored: false },
    { title: named('Reward'), text: lines.join('\n'), scored: true },
    ...(step.verifier?.output ? [{ title: named('Verifier'), text: step.verifier.output, scored: false }] : []),
  ]
}

/** Reasoning gives way first, then what verifiers wrote. */
function shortenReward(evidence: RewardEvidence, chars: number): RewardEvidence {
  const answered = shortenAnswer(evidence, chars)
  let left = chars - ((evidence.reasoning?.length ?? 0) - (answered.reasoning?.length ?? 0))
  const steps = evidence.steps.map((step) => {
    if (left <= 0 || !step.verifier) return step
    const output = step.verifier.output.slice(0, Math.max(0, step.verifier.output.length - left))
    left -= step.verifier.output.length - output.length
    return { ...step, verifier: { ...step.verifier, output } }
  })
  return { ...answered, steps }
}

/** The beginning of the answer and of what verifiers wrote; rewards stay. */
function rewardHead(evidence: RewardEvidence, chars: number): RewardEvidence {
  const head = (text: string): string => answerHead({ ...evidence, text }, chars).text
  const steps = evidence.steps.map((step) => ({
    ...step,
    verifier: step.verifier && { ...step.verifier, output: head(step.verifier.output) },
  }))
  return { ...answerHead(evidence, chars), steps }
}

export const reward: Kind<RewardEvidence> = {
  schema: RewardEvidence,
  response: ({ text }) => text,
  sections: (evidence) => [...answerSections(evidence).map((one) => ({ ...one, scored: false })), ...evidence.steps.flatMap(stepSections)],
  shorten: shortenReward,
  head: rewardHead,
  judge_output: () => null,
}
