import * as z from 'zod'
import { ArtifactLink } from './artifact.ts'
import { mostEpochs } from './epochs.ts'
import { Estimate } from './estimate.ts'
import { foreign } from './foreign.ts'
import { RunId, Sha256, Timestamp } from './ids.ts'
import { queryInteger } from './query-integer.ts'
import { RunStatus, visibilities } from './run.ts'
import { spokenText } from './spoken-text.ts'
import { TeamId, TeamPlace } from './team-place.ts'

/*
 * POST   /api/tasks                        multipart/form-data: one `file` (a ZIP of one task's folder) and `UploadFields`   UploadedTask
 * GET    /api/tasks?skip&limit&status      UploadedTaskList, the owner's, newest first; header x-total-count
 * GET    /api/tasks/agents                 TaskAgentList: who can work at a terminal
 * GET    /api/tasks/{id}                   UploadedTaskDetail
 * DELETE /api/tasks/{id}                   Done; 409 task-busy while a run of it is open. Its runs stay
 * POST   /api/tasks/{id}/execute-async     ExecuteTask -> TaskExecuted
 * POST   /api/tasks/{id}/retry             TaskRetried
 * GET    /api/tasks/{id}/runs              TaskEpisodeList, by run_number
 * GET    /api/tasks/{id}/runs/{rid}        TaskEpisode
 * GET    /api/tasks/{id}/runs/{rid}/logs   EpisodeLogs
 * GET    /api/stats                        TaskStats
 *
 * Several archives are several requests, so that each has its own answer. One that is refused is 422 `validation`; its `errors` are
 * `{pointer: '/file', message: 'ENTRY: what is wrong'}`, one for each thing that is wrong. Above 100 MB: 413 `body-too-large`. Unknown, or another owner's: 404
 * `task-not-found`. A service without a store of artifacts: 501 `no-artifact-store`.
 */

/** Name of an uploaded task within the service: a UUID, lower case. Anything else is treated as unknown (404). */
export const TaskId = z.uuid().brand<'TaskId'>()
export type TaskId = z.infer<typeof TaskId>

/** Most episodes that one execution of a task starts: each is an epoch of its run. */
export const mostEpisodes = mostEpochs
/** Longest instruction that is shown with a task, and of its opening in lists, in UTF-16 units. */
export const mostInstruction = 65_536
export const mostOpening = 400

/** Who may work at the task's terminal: the ids of `GET /api/tasks/agents`, which are profiles of the benchmark `terminal_tasks`. */
const AgentName = z.string().min(1).max(40)
const ModelName = z.string().min(1).max(300)
const ProviderName = z.string().min(1).max(60)

/** Only this harness is spoken: tasks are Harbor's. */
export const taskHarness = 'harbor'

/**
 * Fields beside the `file` of `POST /api/tasks`, in the form or in the query; the form wins. What is left out: the task's own name, no model yet, terminus-2,
 * ten episodes. Nothing is started: see `ExecuteTask`.
 */
export const UploadFields = z.strictObject({
  name: spokenText(200).optional(),
  model: ModelName.optional(),
  provider: ProviderName.optional(),
  agent: AgentName.default('terminus-2'),
  harness: z.literal(taskHarness).default(taskHarness),
  num_runs: queryInteger(1, mostEpisodes).default(10),
  team: TeamId.optional(),
})
export type UploadFields = z.infer<typeof UploadFields>

/** Body of `POST /api/tasks/{id}/execute-async`, which may be left out. What is absent is as it was uploaded. */
export const ExecuteTask = z.strictObject({
  model: ModelName.nullish(),
  provider: ProviderName.nullish(),
  agent: AgentName.nullish(),
  num_runs: z.int().min(1).max(mostEpisodes).nullish(),
  /** Who may read the run. Uploaded tasks are their owner's, so that their runs are private unless said otherwise. */
  visibility: z.enum(visibilities).default('private'),
  /** Episodes at work at once. */
  concurrency: z.int().min(1).max(2000).nullish(),
  budget_usd: z.number().min(0).nullish(),
})
export type ExecuteTask = z.infer<typeof ExecuteTask>

/** Where a task stands, read off its runs: none yet, one that is open, else what became of the newest. */
export const taskStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const
export const TaskStatus = z.enum(taskStatuses)
export type TaskStatus = z.infer<typeof TaskStatus>

export const TaskListQuery = z.object({
  skip: queryInteger(0, 2_147_483_647).default(0),
  limit: queryInteger(1, 100).default(50),
  status: TaskStatus.optional(),
  team: TeamId.optional(),
})
export type TaskListQuery = z.infer<typeof TaskListQuery>

/** What Harbor has and this runner has not; a task that wants one is shown and kept, and never run. */
export const notRunnableReasons = [
  'windows',
  'gpus',
  'tpu',
  'mcp-servers',
  'skills',
  'network-allowlist',
  'network-switch',
  'prior-trajectory',
  'host-variable',
  'compose',
  'dockerfile',
  'image',
] as const
export type NotRunnableReason = (typeof notRunnableReasons)[number]

const seconds = z.number().min(0)

/** One step of a task; a task without steps has one, whose name is null. Null in `agent_timeout_s`: as long as it takes. */
export const TaskStepFacts = z.object({
  name: foreign('data-set', z.string().max(255).nullable()),
  agent_timeout_s: seconds.nullable(),
  verifier_timeout_s: seconds,
  /** Whether it brings a solution, without which the oracle cannot work. */
  has_solution: z.boolean(),
  /** Where its verifier runs: in the agent's machine, or in one of its own. */
  verifier: z.enum(['shared', 'separate']),
})

/** What a task's own files say, as they were read when it was uploaded. Null in a size: whatever the host gives. */
export const TaskFacts = z.object({
  /** `org/name` of `task.toml`, else the name of its folder. */
  harbor_name: foreign('data-set', z.string().max(1024)),
  schema_version: z.string().max(40),
  description: foreign('data-set', z.string().max(4000)),
  category: foreign('data-set', z.string().max(200).nullable()),
  difficulty: foreign('data-set', z.string().max(200).nullable()),
  keywords: foreign('data-set', z.array(z.string().max(200)).max(50)),
  /** Instructions of all steps, each under its name where it has one. */
  instruction: foreign('data-set', z.string().max(mostInstruction)),
  /** True where it was longer than is shown. */
  instruction_cut: z.boolean(),
  /** The image it names; null where one is built from its Dockerfile. */
  image: foreign('data-set', z.string().max(1000).nullable()),
  compose: z.boolean(),
  build_timeout_s: seconds,
  cpus: z.number().nullable(),
  memory_mb: z.number().nullable(),
  storage_mb: z.number().nullable(),
  network: z.enum(['public', 'no-network', 'allowlist']),
  steps: z.array(TaskStepFacts).min(1),
  /** How rewards of several steps become one; null for a task without steps. */
  reward_strategy: z.enum(['mean', 'final']).nullable(),
  files: z.int().min(1),
  unpacked_bytes: z.int().min(0),
  /** Why it cannot run here; `concerns` says whether that is so with a model only. Empty: it can. */
  not_runnable: z.array(
    z.object({
      reason: z.enum(notRunnableReasons),
      concerns: z.enum(['all', 'models']),
      key: foreign('data-set', z.string().max(1000)),
      text: foreign('data-set', z.string().max(4000)),
    }),
  ),
  /** What does not hinder and should be known: keys that nobody here knows, what was written in an older way, scripts with line ends of Windows. */
  warnings: foreign('data-set', z.array(z.string().max(1000)).max(200)),
})
export type TaskFacts = z.infer<typeof TaskFacts>

/** A run of a task, with its episodes as counts. */
export const TaskRun = z.object({
  run_id: RunId,
  status: RunStatus,
  agent: z.string(),
  model: z.string(),
  provider: z.string(),
  episodes: z.int(),
  passed: z.int(),
  failed: z.int(),
  errors: z.int(),
  mean_reward: z.number().nullable(),
  /** The mean reward of those graded with its limits, as the run’s own page has it. */
  estimate: Estimate,
  created_at: Timestamp,
  started_at: Timestamp.nullable(),
  completed_at: Timestamp.nullable(),
})
export type TaskRun = z.infer<typeof TaskRun>

/** An uploaded task in a list. Field names up to `failed_runs` are the predecessor's, where a "run" of a task is an episode. */
export const UploadedTask = z.object({
  id: z.string(),
  name: z.string(),
  description: foreign('data-set', z.string()),
  original_filename: z.string(),
  file_size: z.int(),
  /** The model that an execution asks unless it names another; null where none was named. */
  model: z.string().nullable(),
  agent: z.string(),
  harness: z.literal(taskHarness),
  num_runs: z.int(),
  status: TaskStatus,
  created_at: Timestamp,
  started_at: Timestamp.nullable(),
  completed_at: Timestamp.nullable(),
  /** Episodes of all its runs, and how they ended: `failed_runs` counts those without the whole reward and those that broke. */
  total_runs: z.int(),
  passed_runs: z.int(),
  failed_runs: z.int(),
  provider: z.string().nullable(),
  /** Mean reward of the episodes that were graded; null where none was. */
  mean_reward: z.number().nullable(),
  /** SHA-256 of the archive as it was uploaded, and Harbor's own hash of the task's folder. */
  sha256: Sha256,
  checksum: z.string(),
  /** How its instruction begins. */
  opening: foreign('data-set', z.string().max(mostOpening)),
  /** Whether it can run here with somebody at least. */
  runnable: z.boolean(),
  /** What does not hinder and should be known: `TaskFacts.warnings`. Absent from answers of before. */
  warnings: foreign('data-set', z.array(z.string().max(1000)).max(200)).optional(),
  team: TeamPlace.nullable().default(null),
  /** Its newest run, as it stands now; null where there is none. */
  latest: TaskRun.nullable(),
})
export type UploadedTask = z.infer<typeof UploadedTask>

/** `GET /api/tasks`: newest first; the header `x-total-count` says how many there are. */
export const UploadedTaskList = z.array(UploadedTask)

/** How an episode stands. `failed` was graded and is not right; `error` could not be graded; `timeout`: who worked, or a part of it, ran out of time. */
export const episodeStatuses = ['pending', 'running', 'passed', 'failed', 'error', 'timeout'] as const
export const EpisodeStatus = z.enum(episodeStatuses)
export type EpisodeStatus = z.infer<typeof EpisodeStatus>

/** An episode of a task: one epoch of one of its runs. Counts of tests are known where the verifier's output tells them. */
export const TaskEpisode = z.object({
  /** Names it in `…/runs/{rid}`: `RUN_ID.EPOCH`. */
  id: z.string(),
  task_id: z.string(),
  /** From 1, over all runs of the task in the order in which they were started. */
  run_number: z.int().min(1),
  /** The run it belongs to, which is a run like any other: `/api/runs/{run_id}`. */
  run_id: RunId,
  /** Where it stands in that run: `/api/runs/{run_id}/items/{benchmark}/{item}?epoch={epoch}`, and `…/live` while it runs. */
  benchmark: z.string(),
  item: z.string(),
  epoch: z.int().min(0),
  status: EpisodeStatus,
  started_at: Timestamp.nullable(),
  completed_at: Timestamp.nullable(),
  duration_seconds: z.number().nullable(),
  /** From 0 to 1; null where it was not graded. */
  reward: z.number().nullable(),
  tests_total: z.int().nullable(),
  tests_passed: z.int().nullable(),
  tests_failed: z.int().nullable(),
  error_message: foreign('provider', z.string().nullable()),
  agent: z.string(),
  model: z.string(),
})
export type TaskEpisode = z.infer<typeof TaskEpisode>
export const TaskEpisodeList = z.array(TaskEpisode)

/** `GET /api/tasks/{id}`: its facts, its executions (newest first, at most 100) and their episodes, without what they wrote. */
export const UploadedTaskDetail = UploadedTask.extend({ facts: TaskFacts, executions: z.array(TaskRun), runs: TaskEpisodeList })
export type UploadedTaskDetail = z.infer<typeof UploadedTaskDetail>

/** What `POST /api/tasks/{id}/execute-async` answers. `poll_url` is the task's own address. */
export const TaskExecuted = z.object({
  message: z.string(),
  task_id: z.string(),
  run_id: RunId,
  runs_queued: z.int(),
  status: TaskStatus,
  poll_url: z.string(),
})
export type TaskExecuted = z.infer<typeof TaskExecuted>

/** What `POST /api/tasks/{id}/retry` answers: the runs whose broken episodes are tried again. What was graded stays as it is. */
export const TaskRetried = z.object({
  message: z.string(),
  task_id: z.string(),
  run_ids: z.array(RunId),
  status: TaskStatus,
  poll_url: z.string(),
})
export type TaskRetried = z.infer<typeof TaskRetried>

/**
 * `GET /api/tasks/{id}/runs/{rid}/logs`. `logs`: head and tail of what the verifier wrote, step by step; null while there is nothing yet. The whole of it, the
 * terminal's recording and the trajectory are artifacts.
 */
export const EpisodeLogs = z.object({
  id: z.string(),
  task_id: z.string(),
  run_id: RunId,
  run_number: z.int(),
  status: EpisodeStatus,
  logs: foreign('model', z.string().nullable()),
  error_message: foreign('provider', z.string().nullable()),
  artifacts: foreign('model', z.array(ArtifactLink)),
})
export type EpisodeLogs = z.infer<typeof EpisodeLogs>

/** Who can work at a task's terminal: `GET /api/tasks/agents`. `asks`: whether a model is needed. */
export const TaskAgent = z.object({ id: z.string(), name: z.string(), harness: z.literal(taskHarness), asks: z.boolean() })
export type TaskAgent = z.infer<typeof TaskAgent>
export const TaskAgentList = z.array(TaskAgent)
