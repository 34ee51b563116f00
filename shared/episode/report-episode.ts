import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { GradedStep, Phase, RewardEvidence, RewardProblem } from '../contract/evidence/reward.ts'
import { rewardWords, tamperingWords } from '../contract/evidence/reward.ts'
import { type Failure, failureClass } from '../contract/failure.ts'
import type { PlannedBenchmark, RunSpec } from '../contract/run.ts'
import type { TrialRecord } from '../contract/trial.ts'
import type { EpisodeError, EpisodePhase, EpisodeReport, EpisodeSpent, StepReport, Times } from '../harbor/episode-report.ts'
import { type Rewards, rewardErrors } from '../harbor/read-reward.ts'
import { combineRewards } from '../harbor/step-rewards.ts'

/** A trial of a terminal task that has ended, and the run that it belongs to. `benchmark` is the trial's own. */
export type EndedEpisode = {
  record: TrialRecord
  finished_at: string
  run: Pick<RunSpec, 'run_id' | 'model'>
  benchmark: Pick<PlannedBenchmark, 'name' | 'profile'>
}

/** The class of error that Harbor 0.26.0 would end the same episode with. */
const problemErrors: Record<RewardProblem, string> = {
  missing: rewardErrors.missing,
  empty: rewardErrors.empty,
  unreadable: rewardErrors.unparsable,
  'out-of-range': rewardErrors['out-of-range'],
  'not-finite': rewardErrors['not-finite'],
  'not-named': rewardErrors['not-named'],
  folder: rewardErrors.folder,
  special: rewardErrors.special,
  link: rewardErrors.link,
  timeout: 'VerifierTimeoutError',
  'no-artifact': rewardErrors.missing,
  'no-summary': rewardErrors.unparsable,
  'no-tests': rewardErrors.unparsable,
}
const failureErrors: Readonly<Record<string, string>> = {
  'sandbox/build-failed': 'RuntimeError',
  'sandbox/image-missing': 'RuntimeError',
  'sandbox/unhealthy': 'HealthcheckError',
  'sandbox/timeout': 'EnvironmentStartTimeoutError',
}
/** Harbor leaves cheats to judges, so it has no class for what makes a score 0. */
const tamperingError = 'RewardTamperingError'

/**
 * An episode as Harbor tells one. Errors have Harbor's class where it has one, else ours (`provider/overloaded`). Rewards are those that score: a sign of tampering
 * makes them 0 and is the error. Times are counted back from when the result came in, as evidence knows times from the beginning of the trial alone.
 */
export function reportEpisode({ record, finished_at, run, benchmark }: EndedEpisode): EpisodeReport {
  const evidence = record.evidence?.kind === 'reward' ? record.evidence : null
  const task = record.source_id ?? record.item_id
  const staged = evidence?.steps.some(({ name }) => name !== '') ?? false
  const clock = clockOf(evidence?.phases ?? [], finished_at)
  return {
    id: episodeId(run.run_id, record.ordinal),
    name: `${plainName(task)}__${record.ordinal}`,
    task: {
      name: task,
      path: `tasks/${plainName(task)}`,
      version: null,
      source: benchmark.name,
      checksum: textOf(record.item_metadata.checksum),
      digest: textOf(record.item_metadata.digest),
    },
    agent: evidence?.agent ?? agentOf(benchmark.profile),
    model: asksModel(evidence?.agent.name ?? benchmark.profile) ? { name: run.model.slug, provider: run.model.provider } : null,
    rewards: evidence && scoredRewards(evidence),
    verifier_mode: evidence && !staged ? (evidence.room === 'clean' ? 'separate' : 'shared') : null,
    error: evidence ? errorOf(evidence, staged, finished_at) : failureError(record.failure, finished_at),
    spent: spentOf(record),
    times: { started_at: clock.at(0), finished_at },
    phases: phasesOf(evidence?.phases ?? [], clock),
    steps: evidence && staged ? evidence.steps.filter(isBegun).map((step) => stepReport(step, evidence.phases, clock, finished_at)) : null,
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const isBegun = ({ agent }: GradedStep): boolean => agent.end !== 'skipped'
const asksModel = (name: string): boolean => name !== 'oracle' && name !== 'nop'
const agentOf = (profile: string): EpisodeReport['agent'] => ({ name: asksModel(profile) ? 'terminus-2' : profile, version: 'unknown' })

const mostName = 32
/** The name of a task as a folder may have it, as long as Harbor lets it be. */
const plainName = (name: string): string => (name.split('/').at(-1) || 'task').replace(/[^\w.-]/g, '-').slice(0, mostName)

/** A UUID that the run and the trial's place in it decide, so that the same run is written alike each time. */
function episodeId(run_id: string, ordinal: number): string {
  const hex = bytesToHex(sha256(new TextEncoder().encode(`${run_id}/${ordinal}`)))
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** What scores: the rewards of all steps that were begun, as the task puts them together. */
function scoredRewards(evidence: RewardEvidence): Rewards | null {
  const begun = evidence.steps.filter(isBegun)
  // What the only verifier left stands as it is, also where it names no reward.
  const whole = evidence.steps.length === 1 && evidence.steps[0]!.name === ''
  const rewards = whole
    ? evidence.steps[0]!.rewards
    : combineRewards(
        begun.map((step) => step.rewards),
        evidence.strategy,
      )
  if (rewards === null || begun.every(({ tampering }) => tampering.length === 0)) return rewards
  return Object.fromEntries(Object.keys(rewards).map((name) => [name, 0]))
}

/** What ended an episode. Errors of named steps stand with these. */
function errorOf({ steps }: RewardEvidence, staged: boolean, at: string): EpisodeError | null {
  const signs = new Set(steps.filter(isBegun).flatMap(({ tampering }) => tampering))
  if (signs.size > 0) {
    const written = steps.filter(isBegun).map((step) => `${step.name === '' ? '' : `${step.name}: `}${rewardWords(step)}`)
    return error(tamperingError, `${[...signs].map((sign) => tamperingWords[sign]).join('; ')}. As written: ${written.join('; ')}.`, at)
  }
  return staged ? null : stepError(steps[0]!, at)
}

function stepError(step: GradedStep, at: string): EpisodeError | null {
  if (step.agent.end === 'timeout') return error('AgentTimeoutError', step.agent.detail || 'the agent ran out of time', at)
  return step.problem === null ? null : error(problemErrors[step.problem], rewardWords(step), at)
}

function failureError(failure: Failure | null, at: string): EpisodeError | null {
  if (failure === null) return null
  const name = failureClass(failure)
  return error(failureErrors[name] ?? name, `${name}: ${failure.detail}`, at)
}

const error = (type: string, message: string, occurred_at: string): EpisodeError => ({ type, message, traceback: '', occurred_at })

function spentOf({ usage, cost_usd, calls }: TrialRecord): EpisodeSpent | null {
  if (calls === 0 && usage.input_tokens + usage.output_tokens === 0) return null
  return { input_tokens: usage.input_tokens, cached_tokens: usage.cached_tokens, output_tokens: usage.output_tokens, cost_usd }
}

type Clock = { at(ms: number): string }

function clockOf(phases: readonly Phase[], finished_at: string): Clock {
  const whole = Math.max(0, ...phases.map(({ began_ms, took_ms }) => began_ms + took_ms))
  const began = Date.parse(finished_at) - whole
  return { at: (ms) => new Date(began + ms).toISOString() }
}

const harborPhases: Record<EpisodePhase, readonly Phase['name'][]> = {
  environment_setup: ['image', 'start'],
  agent_setup: ['setup'],
  agent_execution: ['agent'],
  verifier: ['hand-over', 'verifier'],
}

/** When the phases of these names began and ended, null where none of them was. */
function spanOf(phases: readonly Phase[], names: readonly Phase['name'][], clock: Clock): Times | null {
  const own = phases.filter(({ name }) => names.includes(name))
  if (own.length === 0) return null
  const [from, to] = [Math.min(...own.map(({ began_ms }) => began_ms)), Math.max(...own.map(({ began_ms, took_ms }) => began_ms + took_ms))]
  return { started_at: clock.at(from), finished_at: clock.at(to) }
}

const phasesOf = (phases: readonly Phase[], clock: Clock): EpisodeReport['phases'] => ({
  environment_setup: spanOf(phases, harborPhases.environment_setup, clock),
  agent_setup: spanOf(phases, harborPhases.agent_setup, clock),
  agent_execution: spanOf(phases, harborPhases.agent_execution, clock),
  verifier: spanOf(phases, harborPhases.verifier, clock),
})

function stepReport(step: GradedStep, phases: readonly Phase[], clock: Clock, at: string): StepReport {
  const own = phases.filter((phase) => phase.step === step.name)
  return {
    name: step.name,
    rewards: step.rewards,
    error: stepError(step, at),
    spent: null,
    agent_execution: spanOf(own, harborPhases.agent_execution, clock),
    verifier: spanOf(own, harborPhases.verifier, clock),
  }
}
