import * as z from 'zod'
import type { TreeFile } from '../solvers/machine.ts'
import type { EpisodeError, EpisodeReport, EpisodeSpent, JobReport, StepReport, Times } from './episode-report.ts'
import { readText } from './python-text.ts'
import type { Rewards } from './read-reward.ts'

/** A file of a job folder that cannot be read, and why. */
export type JobProblem = { entry: string; text: string }
export type ReadJob = { ok: true; job: JobReport; problems: JobProblem[] } | { ok: false; problems: JobProblem[] }

const moment = z.iso.datetime({ offset: true, local: true })
const times = z.object({ started_at: moment.nullish(), finished_at: moment.nullish() })
const count = z.int().min(0).nullish()
const context = z
  .object({ n_input_tokens: count, n_cache_tokens: count, n_output_tokens: count, cost_usd: z.number().min(0).nullish() })
  .nullish()
const verified = z.object({ rewards: z.record(z.string(), z.number()).nullish() }).nullish()
const exception = z
  .object({ exception_type: z.string(), exception_message: z.string(), exception_traceback: z.string(), occurred_at: moment })
  .nullish()
const outcome = {
  agent_result: context,
  verifier_result: verified,
  exception_info: exception,
  agent_execution: times.nullish(),
  verifier: times.nullish(),
}

const TrialResult = z.object({
  ...outcome,
  id: z.guid(),
  task_name: z.string(),
  trial_name: z.string(),
  task_id: z.union([z.object({ path: z.string() }), z.object({ org: z.string(), name: z.string() })]),
  source: z.string().nullish(),
  task_checksum: z.string(),
  agent_info: z.object({
    name: z.string(),
    version: z.string(),
    model_info: z.object({ name: z.string(), provider: z.string().nullish() }).nullish(),
  }),
  verifier_environment_mode: z.enum(['shared', 'separate']).nullish(),
  started_at: moment.nullish(),
  finished_at: moment.nullish(),
  environment_setup: times.nullish(),
  agent_setup: times.nullish(),
  step_results: z.array(z.object({ ...outcome, step_name: z.string() })).nullish(),
})
type TrialResult = z.output<typeof TrialResult>

const TrialLock = z.object({ task: z.object({ digest: z.string(), version: z.string().nullish() }) })
/** Numbers of a metric; a metric of a job's own may give anything. */
const metric = z
  .record(z.string(), z.unknown())
  .transform((all) =>
    Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (typeof value === 'number' ? [[name, value]] : []))),
  )
const evaluated = z.record(
  z.string(),
  z
    .object({ n_trials: z.int().min(0), n_errors: z.int().min(0), metrics: z.array(metric) })
    .transform(({ n_trials, n_errors, metrics }) => ({ trials: n_trials, errors: n_errors, metrics })),
)
const JobResult = z.object({
  id: z.guid(),
  started_at: moment,
  updated_at: moment.nullish(),
  finished_at: moment.nullish(),
  n_total_trials: z.int().min(0),
  stats: z.object({ n_retries: z.int().min(0).default(0), evals: evaluated.catch({}).default({}) }).prefault({}),
})
const JobConfig = z.object({
  n_attempts: z.int().min(1).default(1),
  n_concurrent_trials: z.int().min(1).default(4),
  timeout_multiplier: z.number().default(1),
})

/**
 * A job that Harbor wrote, from the files of its folder, paths from there. `name`: the folder's. An episode whose `result.json` cannot be read is
 * told and left out; without the job's own there is no job. Harbor before 0.25.0 is read as far as it wrote the same keys.
 */
export function readJobFolder(name: string, files: readonly TreeFile[]): ReadJob {
  const problems: JobProblem[] = []
  const byPath = new Map(files.map((file) => [file.path, file]))
  const read = <T>(path: string, schema: z.ZodType<T>): T | undefined => readFile(byPath.get(path), path, schema, problems)
  const result = read('result.json', JobResult)
  if (!result) return { ok: false, problems }
  const config = byPath.has('config.json') ? read('config.json', JobConfig) : undefined
  const episodes: EpisodeReport[] = []
  for (const { path } of files) {
    const folder = /^([^/]+)\/result\.json$/.exec(path)?.[1]
    const trial = folder === undefined ? undefined : read(path, TrialResult)
    if (trial) episodes.push(episodeOf(trial, byPath.has(`${folder}/lock.json`) ? read(`${folder}/lock.json`, TrialLock) : undefined))
  }
  const { id, started_at, updated_at = null, finished_at = null, n_total_trials, stats } = result
  const { n_attempts: attempts, n_concurrent_trials: width, timeout_multiplier } = config ?? JobConfig.parse({})
  const job = {
    id,
    name,
    started_at,
    updated_at,
    finished_at,
    planned: n_total_trials,
    attempts,
    width,
    retries: stats.n_retries,
    timeout_multiplier,
    episodes,
    ...(Object.keys(stats.evals).length > 0 && { told: stats.evals }),
  }
  return { ok: true, job, problems }
}

function readFile<T>(file: TreeFile | undefined, path: string, schema: z.ZodType<T>, problems: JobProblem[]): T | undefined {
  const text = file && readText(file.bytes)
  try {
    if (text === undefined) throw new SyntaxError(file ? 'it is no UTF-8' : 'it is missing')
    const parsed = schema.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    problems.push({ entry: path, text: `${issue?.path.map(String).join('.') || 'the whole'}: ${issue?.message}` })
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    problems.push({ entry: path, text: cause.message })
  }
  return undefined
}

type Outcome = Pick<TrialResult, 'agent_result' | 'verifier_result' | 'exception_info'>

const rewardsOf = ({ verifier_result }: Outcome): Rewards | null => verifier_result?.rewards ?? null
const timesOf = (read: z.output<typeof times> | null | undefined): Times | null =>
  read ? { started_at: read.started_at ?? null, finished_at: read.finished_at ?? null } : null

function spentOf({ agent_result: told }: Outcome): EpisodeSpent | null {
  if (!told) return null
  const { n_input_tokens = null, n_cache_tokens = null, n_output_tokens = null, cost_usd = null } = told
  return { input_tokens: n_input_tokens, cached_tokens: n_cache_tokens, output_tokens: n_output_tokens, cost_usd }
}

function errorOf({ exception_info: told }: Outcome): EpisodeError | null {
  return told
    ? { type: told.exception_type, message: told.exception_message, traceback: told.exception_traceback, occurred_at: told.occurred_at }
    : null
}

function episodeOf(trial: TrialResult, lock: z.output<typeof TrialLock> | undefined): EpisodeReport {
  const { name, version, model_info: model } = trial.agent_info
  const path = 'path' in trial.task_id ? trial.task_id.path : `${trial.task_id.org}/${trial.task_id.name}`
  return {
    id: trial.id,
    name: trial.trial_name,
    task: {
      name: trial.task_name,
      path,
      version: lock?.task.version ?? null,
      source: trial.source ?? null,
      checksum: trial.task_checksum,
      digest: lock?.task.digest ?? '',
    },
    agent: { name, version },
    model: model ? { name: model.name, provider: model.provider ?? null } : null,
    rewards: rewardsOf(trial),
    verifier_mode: trial.verifier_environment_mode ?? null,
    error: errorOf(trial),
    spent: spentOf(trial),
    times: { started_at: trial.started_at ?? null, finished_at: trial.finished_at ?? null },
    phases: {
      environment_setup: timesOf(trial.environment_setup),
      agent_setup: timesOf(trial.agent_setup),
      agent_execution: timesOf(trial.agent_execution),
      verifier: timesOf(trial.verifier),
    },
    steps: trial.step_results?.map(stepOf) ?? null,
  }
}

const stepOf = (step: NonNullable<TrialResult['step_results']>[number]): StepReport => ({
  name: step.step_name,
  rewards: rewardsOf(step),
  error: errorOf(step),
  spent: spentOf(step),
  agent_execution: timesOf(step.agent_execution),
  verifier: timesOf(step.verifier),
})
