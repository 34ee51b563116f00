import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { ArtifactRef } from '#shared/contract/artifact.ts'
import { queryInteger } from '#shared/contract/query-integer.ts'
import { benchmarkAt } from '#shared/run/apply.ts'
import { withLength } from '../adapters/fixed-length.ts'
import type { AppEnv } from '../app-env.ts'
import { type ArtifactBucket, keyOf } from '../artifacts/bucket.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { partOf } from './download.ts'
import { maxInteger } from './parameters.ts'
import { withheldBenchmarks } from './run-access.ts'

const content = { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } }

const download = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/artifacts/{ordinal}/{name}',
  access: { who: 'reader of the run', state: 'stored' },
  cost: 'cheap',
  summary: 'What a trial left behind besides its record',
  description:
    'An item lists what its trial left, each with its address here. `Range` gives a part. With `sha256` only these bytes are given, and they may be kept for ever; without it a later attempt at the trial may change what lies under a name.',
  request: {
    params: z.object({
      id: z.string(),
      ordinal: queryInteger(0, maxInteger),
      name: z.string().meta({ description: 'Name of the artifact within its trial, a slash as %2F' }),
    }),
    query: z.object({ sha256: z.string().max(64).optional() }),
  },
  responses: {
    200: { description: 'The bytes', content },
    206: { description: 'The part of them that `Range` names', content },
    304: { description: 'The bytes are those of `If-None-Match`' },
    ...refusals(
      'validation',
      'unauthorized',
      'run-not-found',
      'artifact-not-found',
      'range-not-satisfiable',
      'no-artifact-store',
      'unavailable',
    ),
  },
})

export function artifactDownloadRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>().openapi(download, async (c) => {
    const { spec, head } = c.get('run')
    const { ordinal, name } = c.req.valid('param')
    const { sha256 } = c.req.valid('query')
    const { run_id } = spec
    if (!deps.artifacts) throw new Problem('no-artifact-store', 'This service keeps no artifacts: its operator has bound no bucket.')
    const found = await deps.store.findArtifact(run_id, ordinal, name)
    // What a trial of gated data left may quote its item: it is there for those who may read that.
    const readable = found && !withheldBenchmarks(spec, c.get('principal')).has(benchmarkAt(head, ordinal))
    if (!readable || (sha256 !== undefined && sha256 !== found.sha256))
      throw new Problem('artifact-not-found', `Trial ${ordinal} of this run left nothing under this name, or it may not be read.`)
    return answerArtifact(c.req.raw, found, deps.artifacts, { key: keyOf(run_id, found.sha256), pinned: sha256 !== undefined })
  })
}

/** Types that a browser shows without running anything of them. */
const shown = /^(text\/plain|application\/(json|jsonl|x-ndjson)|image\/(png|jpeg|webp|gif))(; ?charset=[\w-]+)?$/
/** Types that are told as they are, to be kept as a file. */
const told = /^(text\/(csv|markdown)|application\/(x-asciicast|zip|gzip|x-tar))(; ?charset=[\w-]+)?$/

/** The bytes, or the part of them that the request names. They are a model's work: nothing may take them for a page. */
async function answerArtifact(
  request: Request,
  { name, media_type, bytes, sha256 }: ArtifactRef,
  bucket: ArtifactBucket,
  { key, pinned }: { key: string; pinned: boolean },
): Promise<Response> {
  const etag = `"${sha256}"`
  const common = {
    etag,
    'cache-control': `private, no-transform, ${pinned ? 'max-age=31536000, immutable' : 'no-cache'}`,
    'content-security-policy': "sandbox; default-src 'none'",
  }
  if (request.headers.get('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers: common })
  const part = partOf(request, etag, bytes)
  const length = part ? part.to - part.from : bytes
  const headers = {
    ...common,
    'content-type': shown.test(media_type) || told.test(media_type) ? media_type : 'application/octet-stream',
    'content-disposition': `${shown.test(media_type) ? 'inline' : 'attachment'}; filename="${name.split('/').at(-1)}"`,
    'content-length': String(length),
    'accept-ranges': 'bytes',
    ...(part && { 'content-range': `bytes ${part.from}-${part.to - 1}/${bytes}` }),
  }
  const status = part ? 206 : 200
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const body = await bucket.open(key, part)
  if (!body) throw new Problem('artifact-not-found', `The bytes of ${name} are not kept any more; the record still names them.`)
  return new Response(withLength(body, length), { status, headers })
}
