import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { ArtifactKind, ArtifactRef, artifactKinds } from '#shared/contract/artifact.ts'
import { RunId, Sha256 } from '#shared/contract/ids.ts'
import { queryInteger } from '#shared/contract/query-integer.ts'
import type { AppEnv } from '../app-env.ts'
import { keyOf } from '../artifacts/bucket.ts'
import type { Deps } from '../deps.ts'
import { Problem, validationProblem } from '../problem.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { maxInteger } from './parameters.ts'
import { sentAgentHeaders } from './sent-agent.ts'

const Kept = z.object({ sha256: Sha256, bytes: z.int() })

const upload = declareRoute({
  method: 'put',
  audits: { none: 'an agent leaves a file of a trial, which the trial’s record names' },
  path: '/api/runs/{id}/artifacts/{sha256}',
  access: { who: 'agent' },
  cost: 'cheap',
  summary: 'For agents: keep what a trial leaves behind besides its record',
  description:
    'The body passes through to the store as it comes, under its hash: its length must be told, and other bytes than those of the hash are not kept. Bytes that are there already are not written again. Only who holds the lease of the trial may do it, with the pass that the fleet gave for the run.',
  request: {
    params: z.object({ id: z.string(), sha256: Sha256 }),
    query: z.object({ ordinal: queryInteger(0, maxInteger), attempt: queryInteger(1, maxInteger), kind: ArtifactKind }),
    headers: sentAgentHeaders,
    body: { required: true, content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } } },
  },
  responses: {
    200: json(Kept, 'The run has these bytes already'),
    201: json(Kept, 'Kept'),
    ...refusals(
      'validation',
      'unauthorized',
      'forbidden',
      'run-not-found',
      'lease-lost',
      'body-too-large',
      'wrong-hash',
      'no-artifact-store',
      'unavailable',
    ),
  },
})

/** How a body announces itself. */
const Announced = z.object({
  'content-type': ArtifactRef.shape.media_type,
  'content-length': queryInteger(0),
  'transfer-encoding': z.never('the length must be told by content-length').optional(),
})

/** Where agents bring what trials leave behind. Mounted before the principal is looked for: an agent's token is not a key. */
export function artifactUploadRoutes(deps: Pick<Deps, 'artifacts' | 'runs'>) {
  return new OpenAPIHono<AppEnv>().openapi(upload, async (c) => {
    const { id, sha256 } = c.req.valid('param')
    const { kind, ...trial } = c.req.valid('query')
    const { 'x-bench-agent': agent_id, 'x-bench-session': session, 'x-bench-pass': pass } = c.req.valid('header')
    const announced = Announced.safeParse(c.req.header())
    if (!announced.success) throw validationProblem('header', announced.error)
    const { 'content-type': media_type, 'content-length': bytes } = announced.data
    if (!deps.artifacts) throw new Problem('no-artifact-store', 'This service keeps no artifacts: its operator has bound no bucket.')
    if (bytes > artifactKinds[kind])
      throw new Problem('body-too-large', `An artifact of kind ${kind} may have ${artifactKinds[kind]} bytes.`)
    const run_id = id.toLowerCase()
    const holds = RunId.safeParse(id).success ? await deps.runs.holdsLease(run_id, { agent_id, session, pass, ...trial }) : undefined
    if (holds === undefined) throw new Problem('run-not-found')
    if (!holds) throw new Problem('lease-lost', 'This trial is no longer yours.')
    const key = keyOf(run_id, sha256)
    if ((await deps.artifacts.head(key)) === bytes) return c.json({ sha256, bytes }, 200)
    if ((await deps.artifacts.put(key, c.req.raw.body, { sha256, media_type })) === 'other bytes')
      throw new Problem('wrong-hash', `These bytes do not have the SHA-256 ${sha256}; they were not kept.`)
    return c.json({ sha256, bytes }, 201)
  })
}
