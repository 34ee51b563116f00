import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { FoundTask, StoredRun, StoredTrial } from '#db/store.ts'
import { ItemQuery } from '#shared/contract/api.ts'
import { isTerminal } from '#shared/contract/run.ts'
import { EpisodeLogs, TaskEpisode, TaskEpisodeList } from '#shared/contract/task-upload.ts'
import { uploadBenchmark } from '#shared/run/upload-data.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { linkArtifacts } from './item-view.ts'
import { liveRuns } from './task-access.ts'
import { type EpisodePlace, endedEpisode, episodeItem, openEpisode, verifierLogs } from './task-view.ts'

const refused = refusals('unauthorized', 'forbidden', 'task-not-found', 'rate-limited', 'unavailable')
const access = { who: 'owner of the task', scope: 'runs:read' } as const
const params = z.object({ id: z.string() })
const one = z.object({ id: z.string(), rid: z.string().max(100) })

const list = declareRoute({
  method: 'get',
  path: '/api/tasks/{id}/runs',
  access,
  cost: 'search',
  summary: 'Episodes of a task by their number, without what they wrote: of the newest runs, 400 at most',
  request: { params, query: z.object({ run_id: z.string().max(100).optional() }) },
  responses: { 200: json(TaskEpisodeList, 'The episodes'), ...refused, ...refusals('validation') },
})
const get = declareRoute({
  method: 'get',
  path: '/api/tasks/{id}/runs/{rid}',
  access,
  cost: 'search',
  summary: 'One episode of a task',
  request: { params: one },
  responses: { 200: json(TaskEpisode, 'The episode'), ...refused, ...refusals('episode-not-found', 'validation') },
})
const logs = declareRoute({
  method: 'get',
  path: '/api/tasks/{id}/runs/{rid}/logs',
  access,
  cost: 'search',
  summary: 'What the verifier of an episode wrote, its beginning and end, and where all it left behind is',
  request: { params: one },
  responses: { 200: json(EpisodeLogs, 'The logs'), ...refused, ...refusals('episode-not-found', 'validation') },
})

/** Runs of a task that are looked through for an episode or its number. */
const mostRuns = 1000
/** Episodes in one answer: what each left behind is read from the record. */
const mostListed = 400

export function taskEpisodeRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>()
    .openapi(list, async (c) => {
      const { task, standing } = c.get('task')
      const { run_id } = c.req.valid('query')
      const runs = await liveRuns(task.id, mostRuns, deps)
      return c.json(await listEpisodes(task.id, runs, standing.total, deps, run_id), 200)
    })
    .openapi(get, async (c) => {
      const { place, trial } = await findEpisode(c.get('task'), c.req.valid('param').rid, deps)
      return c.json(trial ? endedEpisode(place, trial) : openEpisode(place, (await runningIn(place.run, deps)).has(place.epoch)), 200)
    })
    .openapi(logs, async (c) => {
      const { place, trial } = await findEpisode(c.get('task'), c.req.valid('param').rid, deps)
      const { run } = place
      const episode = trial ? endedEpisode(place, trial) : openEpisode(place, (await runningIn(run, deps)).has(place.epoch))
      const { id, task_id, run_id, run_number, status, error_message } = episode
      const written = trial ? verifierLogs(trial.record.evidence) : null
      const artifacts = trial ? linkArtifacts(run.spec.run_id, trial.record, deps.artifacts !== null) : []
      return c.json({ id, task_id, run_id, run_number, status, logs: written, error_message, artifacts }, 200)
    })
}

/**
 * Episodes of the newest of these runs (given newest first), or of one alone, in the order of their numbers. `total`: of all runs of the task, those
 * that are not given included.
 */
export async function listEpisodes(
  task_id: string,
  runs: readonly StoredRun[],
  total: number,
  deps: Deps,
  only?: string,
): Promise<TaskEpisode[]> {
  const listed: TaskEpisode[] = []
  for (const { run, first } of numbered(runs, total)) {
    if (only !== undefined && run.spec.run_id !== only) continue
    if (listed.length > 0 && listed.length + run.head.total > mostListed) break
    listed.push(...(await episodesIn(task_id, run, first, deps)))
  }
  return listed.sort((a, b) => a.run_number - b.run_number)
}

/** Each run with the number of its first episode. */
function* numbered(runs: readonly StoredRun[], total: number): Generator<{ run: StoredRun; first: number }> {
  let after = total
  for (const run of runs) {
    after -= run.head.total
    yield { run, first: Math.max(0, after) + 1 }
  }
}

async function episodesIn(task_id: string, run: StoredRun, first: number, deps: Deps): Promise<TaskEpisode[]> {
  const [ended, running] = await Promise.all([readEnded(run, deps), runningIn(run, deps)])
  return Array.from({ length: run.head.total }, (_, epoch) => {
    const place: EpisodePlace = { task_id, run, epoch, run_number: first + epoch }
    const trial = ended.get(epoch)
    // One that is tried again is told as running, and by its last result once it waits.
    return trial && !running.has(epoch) ? endedEpisode(place, trial) : openEpisode(place, running.has(epoch))
  })
}

async function readEnded({ spec }: StoredRun, { store }: Pick<Deps, 'store'>): Promise<Map<number, StoredTrial>> {
  const ended = new Map<number, StoredTrial>()
  for (let offset: number | null = 0; offset !== null; ) {
    const query: ItemQuery = { ...ItemQuery.parse({}), limit: 100, offset }
    const page: Awaited<ReturnType<typeof store.listItems>> = await store.listItems(spec.run_id, uploadBenchmark, query)
    for (const trial of page.items) ended.set(trial.record.epoch, trial)
    offset = page.next
  }
  return ended
}

/** Epochs that agents have now, as far as the run tells. */
async function runningIn({ spec, head }: StoredRun, { runs }: Pick<Deps, 'runs'>): Promise<Set<number>> {
  if (isTerminal(head.status) || head.leased === 0) return new Set()
  const { trials } = await runs.underWay(spec.run_id)
  return new Set(trials.filter(({ item_id }) => item_id === episodeItem).map(({ epoch }) => epoch))
}

async function findEpisode(
  { task, standing }: FoundTask,
  rid: string,
  deps: Deps,
): Promise<{ place: EpisodePlace; trial: StoredTrial | undefined }> {
  const [, run_id = '', number = ''] = /^([0-9a-f-]{36})\.(\d{1,3})$/i.exec(rid) ?? []
  const epoch = Number(number)
  for (const { run, first } of numbered(await liveRuns(task.id, mostRuns, deps), standing.total)) {
    if (run.spec.run_id !== run_id.toLowerCase() || epoch >= run.head.total) continue
    const found = await deps.store.findItem(run.spec.run_id, uploadBenchmark, episodeItem, epoch, ItemQuery.parse({}))
    return { place: { task_id: task.id, run, epoch, run_number: first + epoch }, trial: found?.trial }
  }
  throw new Problem('episode-not-found', `The task has no episode ${rid.slice(0, 80)}. GET /api/tasks/${task.id}/runs lists them.`)
}
