import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { spokenText } from '#shared/contract/create-run.ts'
import type { AppEnv } from '../app-env.ts'
import { newKey } from '../auth/key-format.ts'
import { requireOwner, scopes } from '../auth/principal.ts'
import { sha256Hex } from '../auth/secret.ts'
import type { Deps, Principal } from '../deps.ts'
import { Problem } from '../problem.ts'
import { adminOnly, json, jsonBody, refusals } from './answers.ts'

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

const security = adminOnly
const refused = refusals('unauthorized', 'forbidden', 'unavailable')
const list = createRoute({
  method: 'get',
  path: '/api/keys',
  summary: 'Your own keys, without their secrets',
  security,
  responses: { 200: json(KeyList, 'The keys'), ...refused },
})
const create = createRoute({
  method: 'post',
  path: '/api/keys',
  summary: 'Make a key; it is shown this once and stored as a hash',
  security,
  request: jsonBody(CreateKey),
  responses: {
    201: json(CreatedKey, 'The key'),
    ...refused,
    ...refusals('validation', 'bad-json', 'unsupported-media-type', 'body-too-large'),
  },
})
const revoke = createRoute({
  method: 'delete',
  path: '/api/keys/{id}',
  summary: 'Revoke a key at once',
  security,
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: json(Revoked, 'Revoked'), ...refused, ...refusals('not-found') },
})

export function keyRoutes(deps: Deps) {
  return new OpenAPIHono<AppEnv>()
    .openapi(list, async (c) => {
      const keys = await deps.store.listKeys(requireKeyMaker(c.get('principal')))
      return c.json({ keys: keys.map(({ owner_id: _, ...key }) => Key.parse(key)) }, 200)
    })
    .openapi(create, async (c) => {
      const owner_id = requireKeyMaker(c.get('principal'))
      const { name, scopes, expires_at = null } = c.req.valid('json')
      const key = newKey()
      const row = { id: deps.newId(), name, scopes: [...new Set(scopes)], expires_at, revoked_at: null }
      await deps.store.ensureOwner({ id: owner_id, name: owner_id, kind: owner_id === 'local' ? 'local' : 'key' })
      await deps.store.createKey({ ...row, owner_id, sha256: await sha256Hex(key) })
      return c.json({ ...row, key }, 201)
    })
    .openapi(revoke, async (c) => {
      const owner_id = requireKeyMaker(c.get('principal'))
      const done = await deps.store.revokeKey(owner_id, c.req.valid('param').id)
      if (!done) throw new Problem('not-found', 'You have no such key, or it is revoked already.')
      return c.json({ success: true, message: 'Key revoked' }, 200)
    })
}

/** Own keys spend what the operator's agents spend, so only the operator makes them: the local owner, the admin, or an admin key. */
function requireKeyMaker(principal: Principal): string {
  if (principal.kind === 'chutes-key')
    throw new Problem('forbidden', 'A Chutes key pays for its own runs; keys of this service are made by its operator.')
  return requireOwner(principal, 'admin')
}
