import { OpenAPIHono } from '@hono/zod-openapi'
import { bodyLimit } from 'hono/body-limit'
import * as z from 'zod'
import { type ByteSource, blobSource } from '#shared/export/byte-source.ts'
import { verifyBundle } from '#shared/export/verify.ts'
import { TrustedKey, VerifyReport } from '#shared/export/verify-report.ts'
import type { Recomputation } from '#shared/export/verify-results.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { discardBody } from '../request-limits.ts'
import { yieldTurn } from '../yield-turn.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { getSigner, listKeys } from './signing-keys.ts'

const mebibyte = 2 ** 20
/** What the endpoint takes, so that a Worker's 128 MB suffice; pages and CLI verify larger bundles by themselves. */
export const uploadLimits = { in_bytes: 8 * mebibyte, out_bytes: 40 * mebibyte }
const formOverhead = 64 * 1024

const publicKey = declareRoute({
  method: 'get',
  path: '/api/exports/public-key',
  access: { who: 'anyone' },
  cost: 'cheap',
  summary: 'The key that signs exports now',
  responses: {
    200: json(z.object({ algorithm: z.literal('ed25519'), public_key: z.string(), public_key_fingerprint: z.string() }), 'The public key'),
    ...refusals('signing-not-configured'),
  },
})
const keys = declareRoute({
  method: 'get',
  path: '/api/exports/keys',
  access: { who: 'anyone' },
  cost: 'cheap',
  summary: 'Every key that ever signed an export here, oldest first',
  responses: { 200: json(z.object({ keys: z.array(TrustedKey) }), 'The keys'), ...refusals('unavailable') },
})
const Upload = z.object({
  file: z.custom<File>((value) => value instanceof File, 'a file is needed').meta({ type: 'string', format: 'binary' }),
})
const uploadLimit = bodyLimit({
  maxSize: uploadLimits.in_bytes + formOverhead,
  onError: async (c) => {
    await discardBody(c)
    throw new Problem('body-too-large', 'Send at most 8 MiB. The verify page and `bench verify` check larger exports on your own machine.')
  },
})
const verify = declareRoute(
  {
    method: 'post',
    audits: { none: 'reads the archive and keeps nothing' },
    path: '/api/exports/verify',
    access: { who: 'anyone' },
    cost: 'heavy',
    summary: 'Check a signed export (at most 8 MiB); what is wrong with it stands in the answer, which is 200 either way',
    request: { body: { required: true, content: { 'multipart/form-data': { schema: Upload } } } },
    responses: {
      200: json(VerifyReport, 'What was found'),
      ...refusals('validation', 'body-too-large', 'bad-json', 'unsupported-media-type', 'unavailable'),
    },
  },
  uploadLimit,
)

/** Public key, key history and verification. `recomputation` brings the scorers and metrics that scores are computed anew with. */
export function exportRoutes(deps: Deps, recomputation: Recomputation = {}) {
  return new OpenAPIHono<AppEnv>()
    .openapi(publicKey, (c) => {
      const { public_key, fingerprint } = getSigner(deps)
      return c.json({ algorithm: 'ed25519' as const, public_key, public_key_fingerprint: fingerprint }, 200)
    })
    .openapi(keys, async (c) => c.json({ keys: await listKeys(deps) }, 200))
    .openapi(verify, async (c) => {
      const { file } = c.req.valid('form')
      if (file.size > uploadLimits.in_bytes) throw new Problem('body-too-large', 'Send at most 8 MiB.')
      const trustedKeys = await listKeys(deps)
      const options = {
        ...recomputation,
        trustedKeys,
        limits: uploadLimits,
        now: deps.now(),
        openSha256: deps.openSha256,
        breathe: yieldTurn,
      }
      return c.json(await verifyBundle(breathing(blobSource(file)), options), 200)
    })
}

/** The same bytes, with a breath before each piece. */
function breathing({ size, read }: ByteSource): ByteSource {
  return {
    size,
    async read(from, to) {
      await yieldTurn()
      return read(from, to)
    },
  }
}
