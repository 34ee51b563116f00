import { countRight, meanRewards, rewardPassAtK, type TaskEpisodes, usualKs } from './episode-metrics.ts'
import {
  addSpent,
  type EpisodeError,
  type EpisodeReport,
  type EpisodeSpent,
  evalKey,
  type JobReport,
  type StepReport,
  spentOf,
} from './episode-report.ts'
import { grouped } from './grouped.ts'
import type { Rewards } from './read-reward.ts'

/** A file of a job folder, as JSON of four spaces, which is how Harbor writes them. */
export type JobFile = { path: string; text: string }

/** The version of Harbor whose job folders these are. */
export const harborVersion = '0.25.0'

/**
 * A job as a folder that Harbor 0.25.0 and its viewer read: `config.json`, `lock.json` and `result.json` of the job, and the same of every
 * episode in a folder of its name. Recordings, trajectories and what verifiers wrote are put beside them by whoever has them.
 */
export function* writeJobFolder(job: JobReport): Generator<JobFile> {
  yield file(`${job.name}/config.json`, jobConfig(job))
  yield file(`${job.name}/lock.json`, jobLock(job))
  yield file(`${job.name}/result.json`, jobResult(job))
  for (const episode of job.episodes) yield* writeEpisodeFiles(episode, job)
}

/** The same three files of one episode of the job, for a writer that goes from one to the next. */
export function* writeEpisodeFiles(episode: EpisodeReport, job: JobReport): Generator<JobFile> {
  const folder = `${job.name}/${episode.name}`
  yield file(`${folder}/config.json`, trialConfig(episode, job))
  if (isLocked(episode)) yield file(`${folder}/lock.json`, trialLock(episode, job))
  yield file(`${folder}/result.json`, trialResult(episode, job))
}

const file = (path: string, value: unknown): JobFile => ({ path, text: JSON.stringify(value, null, 4) })

const modelName = ({ model }: EpisodeReport): string | null =>
  model && model.provider !== null ? `${model.provider}/${model.name}` : (model?.name ?? null)
const agentConfig = (episode: EpisodeReport) => ({ name: episode.agent.name, model_name: modelName(episode) })
const environmentConfig = { type: 'docker' }
const taskConfig = ({ task }: EpisodeReport) => ({ path: task.path, source: task.source })

function distinct<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

/** The `config.json` of a job. */
export function jobConfig(job: JobReport): object {
  return {
    job_name: job.name,
    jobs_dir: 'jobs',
    n_attempts: job.attempts,
    timeout_multiplier: job.timeout_multiplier,
    n_concurrent_trials: job.width,
    environment: environmentConfig,
    agents: distinct(job.episodes.map(agentConfig)),
    tasks: distinct(job.episodes.map(taskConfig)),
  }
}

function trialConfig(episode: EpisodeReport, job: JobReport): object {
  return {
    task: taskConfig(episode),
    trial_name: episode.name,
    trials_dir: `jobs/${job.name}`,
    timeout_multiplier: job.timeout_multiplier,
    agent: agentConfig(episode),
    environment: environmentConfig,
    verifier: {},
    job_id: job.id,
  }
}

/** A lock names its task by digest: where nobody knows it there is no lock. */
const isLocked = ({ task }: EpisodeReport): boolean => task.digest !== ''

function trialLock(episode: EpisodeReport, job: JobReport): object {
  const { name, version, digest, source, path } = episode.task
  return {
    schema_version: 2,
    task: { name, version, type: 'local', digest, source, path },
    timeout_multiplier: job.timeout_multiplier,
    agent: agentConfig(episode),
    environment: environmentConfig,
    verifier: { environment_mode: episode.verifier_mode },
  }
}

/** The `lock.json` of a job. */
export function jobLock(job: JobReport): object {
  return {
    schema_version: 3,
    created_at: job.started_at,
    harbor: { version: harborVersion },
    n_concurrent_trials: job.width,
    retry: { max_retries: 0 },
    trials: job.episodes.filter(isLocked).map((episode) => trialLock(episode, job)),
  }
}

const agentContext = (spent: EpisodeSpent | null) =>
  spent && {
    n_input_tokens: spent.input_tokens,
    n_cache_tokens: spent.cached_tokens,
    n_output_tokens: spent.output_tokens,
    cost_usd: spent.cost_usd,
  }
const verifierResult = (rewards: Rewards | null) => rewards && { rewards }
const exceptionInfo = (error: EpisodeError | null) =>
  error && {
    exception_type: error.type,
    exception_message: error.message,
    exception_traceback: error.traceback,
    occurred_at: error.occurred_at,
  }

/** The `result.json` of an episode. */
export function trialResult(episode: EpisodeReport, job: JobReport): object {
  return {
    id: episode.id,
    task_name: episode.task.name,
    trial_name: episode.name,
    trial_uri: `jobs/${job.name}/${episode.name}`,
    task_id: { path: episode.task.path },
    source: episode.task.source,
    task_checksum: episode.task.checksum,
    config: trialConfig(episode, job),
    agent_info: { ...episode.agent, model_info: episode.model },
    agent_result: agentContext(episode.spent),
    verifier_result: verifierResult(episode.rewards),
    verifier_environment_mode: episode.verifier_mode,
    exception_info: exceptionInfo(episode.error),
    ...episode.times,
    ...episode.phases,
    step_results: episode.steps?.map(stepResult) ?? null,
  }
}

const stepResult = (step: StepReport) => ({
  step_name: step.name,
  agent_result: agentContext(step.spent),
  verifier_result: verifierResult(step.rewards),
  exception_info: exceptionInfo(step.error),
  agent_execution: step.agent_execution,
  verifier: step.verifier,
})

/** The `result.json` of a job; like Harbor's own it leaves the results of episodes to their folders. */
export function jobResult(job: JobReport): object {
  const { episodes } = job
  const failed = episodes.filter(({ error }) => error !== null)
  const spent = addSpent(episodes.map(spentOf))
  return {
    id: job.id,
    started_at: job.started_at,
    updated_at: job.updated_at,
    finished_at: job.finished_at,
    n_total_trials: job.planned,
    stats: {
      n_completed_trials: episodes.length,
      n_errored_trials: failed.length,
      n_running_trials: 0,
      n_pending_trials: Math.max(0, job.planned - episodes.length),
      n_cancelled_trials: failed.filter(({ error }) => error?.type === 'CancelledError').length,
      n_retries: job.retries,
      evals: Object.fromEntries([...grouped(episodes, evalKey)].map(([key, own]) => [key, evalStats(own)])),
      ...agentContext(spent),
    },
  }
}

function evalStats(episodes: readonly EpisodeReport[]): object {
  const tasks: TaskEpisodes[] = [...grouped(episodes, ({ task }) => task.name)].map(([task, own]) => ({
    task,
    episodes: own.map(({ rewards }) => rewards),
  }))
  const counts = countRight(tasks) ?? []
  const failed = episodes.filter(({ error }) => error !== null)
  const rewarded = episodes.flatMap(({ name, rewards }) =>
    Object.entries(rewards ?? {}).map(([key, value]) => ({ key, value: String(value), name })),
  )
  return {
    n_trials: episodes.filter(({ rewards }) => rewards !== null).length,
    n_errors: failed.length,
    metrics: [meanRewards(episodes.map(({ rewards }) => rewards))],
    pass_at_k: Object.fromEntries(usualKs(counts).map((k) => [k, rewardPassAtK(counts, k)])),
    reward_stats: namesBy(
      rewarded,
      ({ key }) => key,
      (own) =>
        namesBy(
          own,
          ({ value }) => value,
          (same) => same.map(({ name }) => name),
        ),
    ),
    exception_stats: namesBy(
      failed,
      ({ error }) => error?.type ?? '',
      (own) => own.map(({ name }) => name),
    ),
  }
}

function namesBy<T, R>(values: readonly T[], keyOf: (value: T) => string, read: (own: T[]) => R): Record<string, R> {
  return Object.fromEntries([...grouped(values, keyOf)].map(([key, own]) => [key, read(own)]))
}
