import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { spokenText } from '#shared/contract/create-run.ts'
import type { AppEnv } from '../app-env.ts'
import { newKey } from '../auth/key-format.ts'
import { scopes } from '../auth/principal.ts'
import { sha256Hex } from '../auth/secret.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { json, jsonBody, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'

const Scope = z.enum(scopes)
const Key = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
})
const KeyList = z.object({ keys: z.array(Key) })
const CreateKey = z.strictObject({
  name: spokenText(100),
  scopes: z.array(Scope).min(1).max(10).default(['runs:read', 'runs:write']),
  /** From the year 2000 on: the database's own calendar goes further back than other programs can read. */
  expires_at: z.iso.datetime().regex(/^2/).nullish(),
})
const CreatedKey = Key.extend({ key: z.string() })
const Revoked = z.object({ success: z.boolean(), message: z.string() })

/** Own keys spend what the operator's agents spend, so only the operator makes them. */
const access = { who: 'key holder', scope: 'admin' } as const
const refused = refusals('unauthorized', 'forbidden', 'unavailable')
const list = declareRoute({
  method: 'get',
  path: '/api/keys',
  access,
  cost: 'cheap',
  summary: 'Your own keys, without their secrets',
  responses: { 200: json(KeyList, 'The keys'), ...refused },
})
const create = declareRoute({
  method: 'post',
  path: '/api/keys',
  access,
  cost: 'cheap',
  summary: 'Make a key; it is shown this once and stored as a hash',
  request: jsonBody(CreateKey),
  responses: {
    201: json(CreatedKey, 'The key'),
    ...refused,
    ...refusals('validation', 'bad-json', 'unsupported-media-type', 'body-too-large'),
  },
})
const revoke = declareRoute({
  method: 'delete',
  path: '/api/keys/{id}',
  access,
  cost: 'cheap',
  summary: 'Revoke a key at once',
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: json(Revoked, 'Revoked'), ...refused, ...refusals('not-found') },
})

export function keyRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>()
    .openapi(list, async (c) => {
      const keys = await deps.store.listKeys(c.get('owner_id'))
      return c.json({ keys: keys.map(({ owner_id: _, ...key }) => Key.parse(key)) }, 200)
    })
    .openapi(create, async (c) => {
      const owner_id = c.get('owner_id')
      const { name, scopes, expires_at = null } = c.req.valid('json')
      const key = newKey()
      const row = { id: deps.newId(), name, scopes: [...new Set(scopes)], expires_at, revoked_at: null }
      await deps.store.ensureOwner({ id: owner_id, name: owner_id, kind: owner_id === 'local' ? 'local' : 'key' })
      await deps.store.createKey({ ...row, owner_id, sha256: await sha256Hex(key) })
      return c.json({ ...row, key }, 201)
    })
    .openapi(revoke, async (c) => {
      const owner_id = c.get('owner_id')
      const done = await deps.store.revokeKey(owner_id, c.req.valid('param').id)
      if (!done) throw new Problem('not-found', 'You have no such key, or it is revoked already.')
      return c.json({ success: true, message: 'Key revoked' }, 200)
    })
}
