import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { Sha256 } from '#shared/contract/ids.ts'
import { uploadsOf } from '#shared/run/upload-data.ts'
import { withLength } from '../adapters/fixed-length.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { keyOfArchive } from '../tasks/task-archive.ts'
import { refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { requireSentAgent, sentAgentHeaders } from './sent-agent.ts'

const download = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/uploads/{sha256}',
  access: { who: 'agent' },
  cost: 'cheap',
  summary: 'For agents: the archive of the uploaded task that a run is of',
  description: 'Read once by each agent, with the pass that the fleet gave for the run; only what the plan of the run names is there.',
  request: {
    params: z.object({ id: z.string(), sha256: Sha256 }),
    headers: sentAgentHeaders,
  },
  responses: {
    200: { description: 'The archive', content: { 'application/zip': { schema: z.string().meta({ format: 'binary' }) } } },
    ...refusals('validation', 'unauthorized', 'forbidden', 'run-not-found', 'task-not-found', 'no-artifact-store', 'unavailable'),
  },
})

/** Where agents read uploaded tasks. Mounted before the principal is looked for: an agent's token is not a key. */
export function runUploadRoutes({ artifacts, runs, store }: Pick<Deps, 'artifacts' | 'runs' | 'store'>) {
  return new OpenAPIHono<AppEnv>().openapi(download, async (c) => {
    const { id, sha256 } = c.req.valid('param')
    const run_id = await requireSentAgent(id, c.req.valid('header'), runs)
    if (!artifacts) throw new Problem('no-artifact-store', 'This service keeps no artifacts: its operator has bound no bucket.')
    const spec = (await runs.spec(run_id)) ?? (await store.findRun(run_id))?.spec
    const key = keyOfArchive(sha256)
    const bytes = spec && uploadsOf(spec).includes(sha256) ? await artifacts.head(key) : undefined
    const body = bytes === undefined ? undefined : await artifacts.open(key)
    if (bytes === undefined || !body)
      throw new Problem(
        'task-not-found',
        'The plan of this run names no such archive, or it was deleted. Upload the same archive again, then resume the run.',
      )
    return new Response(withLength(body, bytes), { headers: { 'content-type': 'application/zip', 'cache-control': 'no-store' } })
  })
}
