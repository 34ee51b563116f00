import { card } from '../benchmarks/terminal_tasks/card.ts'
import { mostEpochs } from '../contract/epochs.ts'
import type { GradedStep, RewardEvidence, RewardProblem } from '../contract/evidence/reward.ts'
import type { Failure } from '../contract/failure.ts'
import { RunId } from '../contract/ids.ts'
import type { ModelParams } from '../contract/message.ts'
import type { RunSpec } from '../contract/run.ts'
import type { Lease, TrialRecord } from '../contract/trial.ts'
import { type EpisodeError, type EpisodeReport, type JobReport, type StepReport, spentOf } from '../harbor/episode-report.ts'
import { grouped } from '../harbor/grouped.ts'
import { type Rewards, readReward } from '../harbor/read-reward.ts'
import { combineRewards } from '../harbor/step-rewards.ts'
import { metricsVersion } from '../metrics/draw.ts'
import { scoreEpisode } from './score-episode.ts'

/** The provider of runs that were not asked here: whatever Harbor asked, it was not one of ours. */
export const importedProvider = 'harbor'

/** What a job is that cannot be a run. */
export class NotImportable extends Error {}

/** A run made of a job, and whose trials its episodes are: by item and epoch, as the plan names them. `who`: agent and model, which no other run of the job has. */
export type ImportedRun = {
  who: string
  spec: RunSpec
  started_at: string
  finished_at: string
  episodes: ReadonlyMap<string, EpisodeReport>
}
/** `sha256` names the results that were read; `newId` gives a UUID. */
export type Importing = { sha256: string; now: Date; newId(): string }

export const episodeKey = ({ item_id, epoch }: Pick<Lease, 'item_id' | 'epoch'>): string => `${item_id}/${epoch}`

const noParams: ModelParams = { temperature: null, top_p: null, max_tokens: null, stop: null, seed: null, reasoning_effort: null }

/**
 * The runs that a Harbor job is: one for each agent and model, as a run has one. Items are its tasks in the order of their names, epochs the attempts at each in
 * the order in which they began; what was never attempted has no episode. Throws `NotImportable` for a job without episodes, and for more attempts at a task than a run may have epochs.
 */
export function importJob(job: JobReport, importing: Importing): ImportedRun[] {
  if (job.episodes.length === 0) throw new NotImportable('the job has no episode that could be read')
  return [...grouped(job.episodes, whoOf).values()].map((episodes) => runOf(job, episodes, importing))
}

const whoOf = ({ agent, model }: EpisodeReport): string => JSON.stringify([agent.name, model])

function runOf(job: JobReport, episodes: readonly EpisodeReport[], { sha256, now, newId }: Importing): ImportedRun {
  const byTask = [...grouped(episodes, ({ task }) => task.name)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const epochs = Math.max(...byTask.map(([, own]) => own.length))
  if (epochs > mostEpochs) throw new NotImportable(`a task was attempted ${epochs} times, a run has at most ${mostEpochs} of each`)
  const placed = byTask.flatMap(([, own], index) =>
    own
      .toSorted((a, b) => momentOf(a.times.started_at) - momentOf(b.times.started_at))
      .map((episode, epoch) => [episodeKey({ item_id: String(index), epoch }), episode] as const),
  )
  const { agent, model } = episodes[0]!
  const slug = model === null ? agent.name : [model.provider, model.name].filter(Boolean).join('/')
  const started_at = isoOf(job.started_at)
  return {
    who: whoOf(episodes[0]!),
    started_at,
    finished_at: isoOf(job.finished_at ?? job.updated_at ?? job.started_at),
    episodes: new Map(placed),
    spec: {
      run_id: RunId.parse(newId()),
      ...{ owner_id: 'local', visibility: 'private', own_credential: false, price: null, priority: 0, budget_usd: null },
      model: { id: model?.name ?? agent.name, slug, provider: importedProvider },
      benchmarks: [
        {
          name: card.name,
          version: card.version,
          fingerprint: card.fingerprint,
          profile: agent.name,
          epochs,
          total_items: byTask.length,
          sampled_items: byTask.length,
          gated: false,
          data: { source: 'override', repo: 'Harbor job', revision: sha256.slice(0, 40), files: [] },
          params: noParams,
          metrics_version: metricsVersion,
        },
      ],
      subset: { pct: 100, count: null, seed: 'imported', sampling: 'sha256' },
      concurrency: Math.min(2000, job.width),
      max_failure_share: 0.01,
      imported: {
        from: 'harbor',
        job: job.name.slice(0, 200),
        job_id: job.id,
        agent: `${agent.name} ${agent.version}`.slice(0, 150),
        sha256,
        at: now.toISOString(),
      },
      created_at: started_at,
    },
  }
}

/** Times without a zone are those of the machine that reads them, as they were of the one that wrote them. */
const isoOf = (text: string): string => new Date(text).toISOString()
const momentOf = (text: string | null): number => (text === null ? 0 : Date.parse(text))

/** An episode of a job as the record of a trial. `instruction`: what its agent was told, null where nothing tells. */
export function importEpisode(episode: EpisodeReport, lease: Lease, instruction: string | null): TrialRecord {
  const { task } = episode
  const spent = spentOf(episode)
  const evidence = evidenceOf(episode)
  const score = evidence && scoreEpisode(evidence)
  const usage = {
    input_tokens: spent.input_tokens ?? 0,
    output_tokens: spent.output_tokens ?? 0,
    cached_tokens: spent.cached_tokens ?? 0,
    reasoning_tokens: 0,
  }
  return {
    ...lease,
    source_id: task.name,
    item_hash: task.checksum,
    group: null,
    outcome: score?.outcome ?? 'failed',
    score: score?.value ?? null,
    answer: score?.answer ?? null,
    expected: '1',
    explanation: score?.explanation ?? null,
    flags: score?.flags ?? [],
    detail: score?.detail ?? {},
    messages: instruction === null ? [] : [{ role: 'user', content: instruction }],
    params: noParams,
    evidence,
    failure: evidence ? null : failureOf(episode.error),
    item_metadata: {
      task: task.name,
      checksum: task.checksum,
      digest: task.digest,
      steps: episode.steps?.length ?? 1,
      told_cost_usd: spent.cost_usd,
    },
    usage,
    cost_usd: null, // it would have to follow from tokens and a price that nobody froze
    calls: 0,
    ...{ model_reported: null, system_fingerprint: null, latency_ms: null, ttft_ms: null, max_gap_ms: null },
  }
}

/** What the verifier said; null where there is neither a reward nor an error of the verifier's own. */
function evidenceOf(episode: EpisodeReport): RewardEvidence | null {
  const steps = gradedSteps(episode)
  if (steps === null) return null
  return {
    kind: 'reward',
    ...{ text: '', reasoning: null, finish_reason: null, scoring_input: null, truncated_reasoning: false },
    agent: { name: episode.agent.name.slice(0, 100), version: episode.agent.version.slice(0, 50) },
    image: { name: 'not told by Harbor', digest: '' },
    room: episode.verifier_mode === 'separate' ? 'clean' : 'shared',
    ...steps,
    phases: [],
  }
}

type Graded = Pick<RewardEvidence, 'steps' | 'strategy'>

/** The steps where they come to the rewards of the whole, by one of the ways that tasks have; else the whole alone. */
function gradedSteps({ rewards, error, steps }: EpisodeReport): Graded | null {
  const whole = gradeOf(rewards, error)
  if (whole === null) return null
  if (steps && steps.length > 0 && steps.length <= 100) {
    const graded = steps.map(stepOf)
    for (const strategy of ['mean', 'final'] as const)
      if (sameRewards(combineRewards(graded.map((step) => step.rewards), strategy), whole.rewards)) return { steps: graded, strategy } // biome-ignore format: one question
  }
  return { steps: [gradedStep('', whole, error)], strategy: 'mean' }
}

const stepOf = ({ name, rewards, error }: StepReport): GradedStep =>
  gradedStep(name, gradeOf(rewards, error) ?? { rewards: null, problem: 'missing' }, error)

function gradedStep(name: string, grade: Grade, error: EpisodeError | null): GradedStep {
  const end = error === null || error.type in verifierErrors ? 'completed' : error.type === 'AgentTimeoutError' ? 'timeout' : 'failed'
  const detail = end === 'completed' ? '' : wordsOf(error)
  return { name: name.slice(0, 200), agent: { end, turns: 0, detail }, ...grade, ignored: [], tampering: [], verifier: null }
}

const wordsOf = (error: EpisodeError | null): string => (error ? `${error.type}: ${error.message}`.slice(0, 2000) : '')

type Grade = Pick<GradedStep, 'rewards' | 'problem'>

const verifierErrors: Readonly<Record<string, RewardProblem>> = {
  RewardFileNotFoundError: 'missing',
  RewardFileEmptyError: 'empty',
  VerifierOutputParseError: 'unreadable',
  IsADirectoryError: 'folder',
  VerifierTimeoutError: 'timeout',
}

/** Rewards that score by our own rule, or why there are none; null where nobody verified. */
function gradeOf(rewards: Rewards | null, error: EpisodeError | null): Grade | null {
  if (rewards === null) {
    const problem = error && verifierErrors[error.type]
    return problem ? { rewards: null, problem } : null
  }
  const read = readReward({ json: new TextEncoder().encode(JSON.stringify(rewards)), text: undefined })
  return read.ok ? { rewards: { ...read.rewards }, problem: null } : { rewards: null, problem: 'out-of-range' }
}

function sameRewards(ours: Rewards | null, theirs: Rewards | null): boolean {
  const [own, other] = [Object.entries(ours ?? {}), theirs ?? {}]
  return own.length === Object.keys(other).length && own.every(([name, value]) => Math.abs(value - (other[name] ?? Number.NaN)) < 1e-9)
}

type Place = { [A in Failure['at']]: { at: A; reason: Extract<Failure, { at: A }>['reason'] } }[Failure['at']]
const failures: Readonly<Record<string, Place>> = {
  HealthcheckError: { at: 'sandbox', reason: 'unhealthy' },
  EnvironmentStartTimeoutError: { at: 'sandbox', reason: 'timeout' },
  AgentSetupTimeoutError: { at: 'sandbox', reason: 'timeout' },
  SandboxBuildFailedError: { at: 'sandbox', reason: 'build-failed' },
  RuntimeError: { at: 'sandbox', reason: 'unavailable' },
  CancelledError: { at: 'agent', reason: 'lost' },
}

function failureOf(error: EpisodeError | null): Failure {
  const place: Place = (error && failures[error.type]) ?? { at: 'solver', reason: 'error' }
  const detail = error ? `Told by Harbor: ${wordsOf(error)}`.slice(0, 2000) : 'Harbor tells neither a reward nor an error.'
  return { ...place, retryable: false, status: null, detail } as Failure // a pair of the table
}
