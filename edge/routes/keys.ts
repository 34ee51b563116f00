import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { Owner } from '#db/store.ts'
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
  owner: z.string(),
  scopes: z.array(z.string()),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
})
const KeyList = z.object({ keys: z.array(Key) })
const CreateKey = z.strictObject({
  name: spokenText(100),
  /** Keys of one owner are one person. Without an owner a key belongs to its maker. */
  owner: spokenText(100).nullish(),
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
  summary: 'All keys of this service with their owners, without their secrets',
  responses: { 200: json(KeyList, 'The keys'), ...refused },
})
const create = declareRoute({
  method: 'post',
  path: '/api/keys',
  access,
  cost: 'cheap',
  summary: 'Make a key; it is shown this once and stored as a hash',
  description:
    'Keys of the same `owner` are one person: they read each other’s private runs and share the bound of open runs. Keys of different owners are strangers to each other. Without `owner` the key belongs to its maker (`admin` for the admin secret), so that all keys made so are one person.',
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
      const keys = await deps.store.listKeys()
      return c.json({ keys: keys.map((key) => Key.parse(key)) }, 200)
    })
    .openapi(create, async (c) => {
      const { name, owner, scopes, expires_at = null } = c.req.valid('json')
      const key = newKey()
      const row = { id: deps.newId(), name, scopes: [...new Set(scopes)], expires_at, revoked_at: null }
      const found = await findKeyOwner(owner ?? null, c.get('owner_id'))
      await deps.store.ensureOwner(found)
      await deps.store.createKey({ ...row, owner_id: found.id, sha256: await sha256Hex(key) })
      return c.json({ ...row, owner: found.name, key }, 201)
    })
    .openapi(revoke, async (c) => {
      const done = await deps.store.revokeKey(c.req.valid('param').id)
      if (!done) throw new Problem('not-found', 'There is no such key.')
      return c.json({ success: true, message: 'Key revoked' }, 200)
    })
}

/**
 * The owner of a new key. Two spellings of a name that differ in case, form of Unicode or white space are one owner, whose id is a hash under a label of its
 * own, so that no name is an owner of another kind.
 */
async function findKeyOwner(name: string | null, maker_id: string): Promise<Owner> {
  if (name === null) return { id: maker_id, name: maker_id, kind: maker_id === 'local' ? 'local' : 'key' }
  const spelled = name.normalize('NFKC').trim().replace(/\s+/g, ' ')
  const id = `owner-${(await sha256Hex(`bench-owner|name|v1|${spelled.toLowerCase()}`)).slice(0, 40)}`
  return { id, name: spelled, kind: 'key' }
}
