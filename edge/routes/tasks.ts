import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { StoredRun } from '#db/store.ts'
import { Done } from '#shared/contract/api.ts'
import { TaskStats } from '#shared/contract/task-stats.ts'
import { TaskAgentList, TaskListQuery, UploadedTaskDetail, UploadedTaskList } from '#shared/contract/task-upload.ts'
import { taskAgents } from '#shared/episode/task-agents.ts'
import { taskStanding } from '#shared/run/task-standing.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { keyOfArchive } from '../tasks/task-archive.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { latestRuns, listedOwners, liveRuns } from './task-access.ts'
import { listEpisodes } from './task-episodes.ts'
import { toTaskRun, toUploadedTask } from './task-view.ts'

const refused = refusals('unauthorized', 'forbidden', 'unavailable')
const params = z.object({ id: z.string() })

const list = declareRoute({
  method: 'get',
  path: '/api/tasks',
  access: { who: 'key holder', scope: 'runs:read' },
  cost: 'search',
  summary: 'Uploaded tasks of you and your teams, newest first; the header `x-total-count` says how many there are',
  request: { query: TaskListQuery },
  responses: { 200: json(UploadedTaskList, 'The tasks'), ...refused, ...refusals('team-not-found', 'validation', 'rate-limited') },
})
const agents = declareRoute({
  method: 'get',
  path: '/api/tasks/agents',
  access: { who: 'anyone' },
  cost: 'cheap',
  summary: 'Who can work at the terminal of a task',
  description: 'What `GET /api/agents` was at the predecessor; here that address tells of the machines of the fleet.',
  responses: { 200: json(TaskAgentList, 'The agents') },
})
const stats = declareRoute({
  method: 'get',
  path: '/api/stats',
  access: { who: 'key holder', scope: 'runs:read' },
  cost: 'search',
  summary: 'How many tasks you and your teams have by where they stand, and how their episodes ended',
  request: { query: TaskListQuery.pick({ team: true }) },
  responses: { 200: json(TaskStats, 'The counts'), ...refused, ...refusals('team-not-found', 'validation', 'rate-limited') },
})
const get = declareRoute({
  method: 'get',
  path: '/api/tasks/{id}',
  access: { who: 'owner of the task', scope: 'runs:read' },
  cost: 'search',
  summary: 'A task: what its files say, its executions, and the episodes of the newest of them without what they wrote',
  request: { params },
  responses: { 200: json(UploadedTaskDetail, 'The task'), ...refused, ...refusals('task-not-found', 'rate-limited') },
})
const remove = declareRoute({
  method: 'delete',
  audits: 'task.delete',
  path: '/api/tasks/{id}',
  access: { who: 'owner of the task', scope: 'runs:write', right: 'manage' },
  cost: 'cheap',
  summary: 'Delete a task of which no run is open; its runs stay as they are',
  request: { params },
  responses: { 200: json(Done, 'Deleted'), ...refused, ...refusals('task-not-found', 'task-busy') },
})

/** Executions that are shown with a task. */
const mostExecutions = 100

export function taskRoutes(deps: Deps) {
  const { store, artifacts } = deps
  return new OpenAPIHono<AppEnv>()
    .openapi(agents, (c) => c.json([...taskAgents], 200))
    .openapi(stats, async (c) => {
      const { tasks, episodes } = await store.countTasks(listedOwners(c.get('owner_id'), c.req.valid('query').team, c.get('principal')))
      const { pending, running, completed, failed, cancelled } = tasks
      const total = pending + running + completed + failed + cancelled
      const ended = { total: episodes.total, passed: episodes.passed, failed: episodes.failed + episodes.errors }
      return c.json({ tasks: { total, pending, running, completed, failed }, runs: ended }, 200)
    })
    .openapi(list, async (c) => {
      const { skip, limit, status, team } = c.req.valid('query')
      const principal = c.get('principal')
      const owners = listedOwners(c.get('owner_id'), team, principal)
      const { tasks, total } = await store.listTasks({ owners, status, skip, limit })
      c.header('x-total-count', String(total))
      const latest = await latestRuns(
        tasks.map(({ task }) => task.id),
        deps,
      )
      return c.json(
        tasks.map((found) => toUploadedTask(found, toLatest(latest.get(found.task.id), deps), principal)),
        200,
      )
    })
    .openapi(get, async (c) => {
      const { task, standing } = c.get('task')
      const runs = await liveRuns(task.id, mostExecutions, deps)
      // Of a task with more runs than are shown the record alone knows the sums.
      const now = standing.total > sumOf(runs) ? standing : taskStanding(runs.map(({ head }) => head))
      return c.json(
        {
          ...toUploadedTask({ task, standing: now }, toLatest(runs[0], deps), c.get('principal')),
          facts: task.facts,
          executions: runs.map((run) => toTaskRun(run, deps.cards)),
          runs: await listEpisodes(task.id, runs, now.total, deps),
        },
        200,
      )
    })
    .openapi(remove, async (c) => {
      const { task } = c.get('task')
      if (!(await store.deleteTask(task.id)))
        throw new Problem('task-busy', 'A run of this task is open, and its agents read the archive. Cancel the run or wait for its end.')
      const [unnamed] = await store.listUnnamedArchives([task.sha256])
      if (unnamed !== undefined) await artifacts?.delete([keyOfArchive(unnamed)])
      return c.json({ success: true, message: 'Task deleted' }, 200)
    })
}

const toLatest = (run: StoredRun | undefined, { cards }: Deps) => (run ? toTaskRun(run, cards) : null)
const sumOf = (runs: readonly StoredRun[]): number => runs.reduce((sum, { head }) => sum + head.total, 0)
