import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { Sha256 } from '#shared/contract/ids.ts'
import { queryInteger } from '#shared/contract/query-integer.ts'
import { withLength } from '../adapters/fixed-length.ts'
import type { AppEnv } from '../app-env.ts'
import { keyOf } from '../artifacts/bucket.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { maxInteger } from './parameters.ts'
import { requireSentAgent, sentAgentHeaders } from './sent-agent.ts'

const download = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/handed-over/{ordinal}/{name}',
  access: { who: 'agent' },
  cost: 'cheap',
  summary: 'For agents: what a trial of an earlier run handed over, in a run that grades it again',
  description: 'Read with the pass that the fleet gave for the run; only archives of the run whose episodes it grades are there.',
  request: {
    params: z.object({ id: z.string(), ordinal: queryInteger(0, maxInteger), name: z.string().max(200) }),
    query: z.object({ sha256: Sha256 }),
    headers: sentAgentHeaders,
  },
  responses: {
    200: { description: 'The archive', content: { 'application/zip': { schema: z.string().meta({ format: 'binary' }) } } },
    ...refusals('validation', 'unauthorized', 'forbidden', 'run-not-found', 'artifact-not-found', 'no-artifact-store', 'unavailable'),
  },
})

/** Where agents read hand-overs. Mounted before the principal is looked for: an agent's token is not a key. */
export function handedOverRoutes({ artifacts, runs, store }: Pick<Deps, 'artifacts' | 'runs' | 'store'>) {
  return new OpenAPIHono<AppEnv>().openapi(download, async (c) => {
    const { id, ordinal, name } = c.req.valid('param')
    const run_id = await requireSentAgent(id, c.req.valid('header'), runs)
    if (!artifacts) throw new Problem('no-artifact-store', 'This service keeps no artifacts: its operator has bound no bucket.')
    const { sha256 } = c.req.valid('query')
    const spec = (await runs.spec(run_id)) ?? (await store.findRun(run_id))?.spec
    const found = spec?.regrade && (await store.findArtifact(spec.regrade.run_id, ordinal, name))
    const body = spec?.regrade && found?.sha256 === sha256 ? await artifacts.open(keyOf(spec.regrade.run_id, sha256)) : undefined
    if (!found || !body)
      throw new Problem('artifact-not-found', 'This run grades nothing of this name, or the bytes are not kept any more.')
    return new Response(withLength(body, found.bytes), { headers: { 'content-type': 'application/zip', 'cache-control': 'no-store' } })
  })
}
