import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { StoredTask } from '#db/store.ts'
import { CreateRun } from '#shared/contract/create-run.ts'
import { isTerminal } from '#shared/contract/run.ts'
import { ExecuteTask, type TaskAgent, TaskExecuted, TaskRetried } from '#shared/contract/task-upload.ts'
import { TeamId } from '#shared/contract/team-place.ts'
import { findTaskAgent, profileOf } from '#shared/episode/task-agents.ts'
import { episodesOf } from '#shared/run/task-standing.ts'
import { uploadBenchmark, uploadData } from '#shared/run/upload-data.ts'
import { onceConfigured } from '../adapters/sync-models.ts'
import type { AppEnv } from '../app-env.ts'
import { placeIn } from '../auth/team-access.ts'
import type { Deps } from '../deps.ts'
import { Problem, validationProblem } from '../problem.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { retryFailedTrials } from './run-commands.ts'
import { createOrReplay } from './run-create.ts'
import { liveRuns } from './task-access.ts'
import { refuseKeysInAddress, unknownAgent } from './task-upload.ts'

const params = z.object({ id: z.string() })
const access = { who: 'owner of the task', scope: 'runs:write' } as const
const refused = refusals('unauthorized', 'forbidden', 'task-not-found', 'validation', 'unavailable')

const execute = declareRoute(
  {
    method: 'post',
    audits: 'task.execute',
    path: '/api/tasks/{id}/execute-async',
    access,
    cost: 'cheap',
    summary: 'Start a run of a task: `num_runs` episodes, by the agent and model it was uploaded with unless the body names others',
    description:
      'The body may be left out. The run is one like any other, and private unless `visibility` says otherwise. A key never stands in the address: a Chutes key is the bearer, every other is the operator’s.',
    request: {
      params,
      headers: z.object({ 'idempotency-key': z.string().min(1).max(200).optional() }),
      body: { required: false, content: { 'application/json': { schema: ExecuteTask, example: { agent: 'oracle', num_runs: 3 } } } },
    },
    responses: {
      200: json(TaskExecuted, 'The run is queued'),
      ...refused,
      ...refusals(
        'bad-json',
        'unknown-provider',
        'model-not-found',
        'model-unavailable',
        'unknown-benchmark',
        'body-too-large',
        'unsupported-media-type',
        'too-many-trials',
        'idempotency-conflict',
        'too-many-runs',
        'rate-limited',
        'maintenance',
      ),
    },
  },
  refuseKeysInAddress,
)
const retry = declareRoute(
  {
    method: 'post',
    audits: 'task.retry',
    path: '/api/tasks/{id}/retry',
    access,
    cost: 'cheap',
    summary: 'Try the broken episodes of ended runs again, as further attempts; what was graded stays',
    request: { params },
    responses: { 200: json(TaskRetried, 'They are queued'), ...refused, ...refusals('wrong-state') },
  },
  refuseKeysInAddress,
)

/** Ended runs of a task that are looked at for broken episodes. */
const mostRetried = 20

export function taskExecuteRoutes(deps: Deps) {
  const configured = onceConfigured(deps)
  return new OpenAPIHono<AppEnv>()
    .openapi(execute, async (c) => {
      await configured()
      const { task } = c.get('task')
      const body = ExecuteTask.parse(c.req.valid('json') ?? {})
      const agent = chooseAgent(task, body)
      const principal = { ...c.get('principal'), owner_id: c.get('owner_id') }
      const create = { ...toCreateRun(task, body, agent), team: TeamId.safeParse(placeIn(principal, task.owner_id)?.id).data }
      const named = c.req.valid('header')['idempotency-key']
      const dataFor: Deps['dataFor'] = (benchmark) =>
        benchmark === uploadBenchmark ? uploadData(task.archive_name, task.sha256) : undefined
      const { stored, created } = await createOrReplay(
        create,
        named && `${task.id} ${named}`,
        false,
        principal,
        { ...deps, dataFor },
        task.id,
      )
      if (!created) c.header('idempotent-replayed', 'true')
      c.header('location', `/api/runs/${stored.spec.run_id}`)
      const runs_queued = stored.head.total
      const message = `${runs_queued} ${runs_queued === 1 ? 'episode' : 'episodes'} queued`
      return c.json(
        { message, task_id: task.id, run_id: stored.spec.run_id, runs_queued, status: 'running' as const, poll_url: pollUrl(task) },
        200,
      )
    })
    .openapi(retry, async (c) => {
      const { task } = c.get('task')
      const runs = await liveRuns(task.id, mostRetried, deps)
      const broken = runs.filter(({ head }) => isTerminal(head.status) && episodesOf(head).failed > 0)
      if (broken.length === 0)
        throw new Problem('wrong-state', 'No ended run of this task has a broken episode. What was graded is not tried again.')
      const told: string[] = []
      for (const run of broken) told.push(await retryFailedTrials(run, c.get('principal'), deps))
      const run_ids = broken.map(({ spec }) => spec.run_id)
      return c.json({ message: told.join(' '), task_id: task.id, run_ids, status: 'running' as const, poll_url: pollUrl(task) }, 200)
    })
}

const pollUrl = ({ id }: StoredTask): string => `/api/tasks/${id}`

/** Who works. Throws `validation` where he cannot work at this task. */
function chooseAgent({ agent: usual, facts }: StoredTask, { agent = usual }: ExecuteTask): TaskAgent {
  const id = agent ?? usual
  const found = findTaskAgent(id)
  if (!found) throw unknownAgent(id)
  const hindered = facts.not_runnable.filter(({ concerns }) => concerns === 'all' || found.asks)
  if (hindered.length > 0) {
    const errors = hindered.map(({ key, text }) => ({ pointer: '/agent', message: `${key}: ${text}` }))
    throw new Problem(
      'validation',
      `The task cannot run here with ${id}: ${errors.map(({ message }) => message).join('; ')}`.slice(0, 2000),
      { errors },
    )
  }
  if (id === 'oracle' && facts.steps.some(({ has_solution }) => !has_solution)) {
    const message = 'The oracle runs the task’s own solution, and the archive has none for every step.'
    throw new Problem('validation', message, { errors: [{ pointer: '/agent', message }] })
  }
  return found
}

/** The run as anybody could have asked for it, but for its data. Where no model is asked its answers are given, and there are none. */
function toCreateRun(task: StoredTask, body: ExecuteTask, agent: TaskAgent): CreateRun {
  const model = body.model ?? task.model
  if (agent.asks && model === null) {
    const message = `${agent.id} asks a model: name one.`
    throw new Problem('validation', message, { errors: [{ pointer: '/model', message }] })
  }
  const asked = agent.asks
    ? { model_id: model, provider: body.provider ?? (body.model == null ? task.provider : null) }
    : { model_id: agent.id, replay: [{ texts: ['No model is asked.'] }] }
  const parsed = CreateRun.safeParse({
    ...asked,
    selected_benchmarks: [uploadBenchmark],
    ...profileOf(agent.id),
    epochs: body.num_runs ?? task.num_runs,
    visibility: body.visibility,
    name: task.name.slice(0, 120).trim() || null,
    ...(body.concurrency != null && { concurrency: body.concurrency }),
    ...(body.budget_usd != null && { budget_usd: body.budget_usd }),
  })
  if (!parsed.success) throw validationProblem('json', parsed.error)
  return parsed.data
}
