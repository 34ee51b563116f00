import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Model } from '#shared/contract/model.ts'
import { openTestDatabase, type TestDatabase } from '../embedded/test-database.ts'
import type { StoredAgent } from '../store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const model = (id: string, changes: Partial<Model> = {}): Model => ({
  id,
  slug: `org/${id}`,
  name: `Model ${id}`,
  provider: 'chutes',
  tagline: null,
  user: 'org',
  logo: null,
  chute_id: `chute-${id}`,
  instance_count: 2,
  is_active: true,
  price: { input_per_million_usd: 0.1, output_per_million_usd: 0.3, cached_input_per_million_usd: null },
  context_length: 131072,
  max_output_length: null,
  input_modalities: ['text', 'image, "quoted"'],
  features: [],
  synced_at: '2026-11-01T10:00:00.000Z',
  ...changes,
})

test('[DB28] a synced catalogue reads back as given and deactivates what is not in it any more, per provider', async () => {
  const { store } = database
  await store.upsertModels('other', [model('b', { provider: 'other', price: null })])
  expect(await store.upsertModels('chutes', [model('a'), model('b'), model('b', { name: 'Later' })])).toEqual({ synced: 2, deactivated: 0 })
  expect(await store.upsertModels('chutes', [model('b')])).toEqual({ synced: 1, deactivated: 1 })
  expect(await store.upsertModels('chutes', [model('b')])).toEqual({ synced: 1, deactivated: 0 })
  const listed = await store.listModels({ provider: 'chutes', limit: 10, offset: 0 })
  expect(listed).toEqual({ models: [model('b'), model('a', { is_active: false })], total: 2 })
  expect((await store.listModels({ providers: ['other', 'none'], limit: 10, offset: 0 })).models.map((one) => one.provider)).toEqual([
    'other',
  ])
  expect(await store.findModel('b', 'other')).toEqual(model('b', { provider: 'other', price: null }))
})

test('[DB28] models are searched literally in name, slug and id, in pages with the true total', async () => {
  const { store } = database
  await store.upsertModels(
    'many',
    ['x_1', 'x_2', 'xy1', '100%'].map((id) => model(id, { provider: 'many' })),
  )
  const search = async (text: string, limit = 10) => {
    const { models, total } = await store.listModels({ search: text, provider: 'many', limit, offset: 0 })
    return [models.map(({ id }) => id), total]
  }
  expect(await search('X_')).toEqual([['x_1', 'x_2'], 2])
  expect(await search('x', 1)).toEqual([['x_1'], 3])
  expect(await search('%')).toEqual([['100%'], 1])
})

test('[DB29] a model is found by id before chute id before slug, active ones first', async () => {
  const { store } = database
  const by = { provider: 'find' }
  const [named, chute, slug] = [model('same', by), model('c', { ...by, chute_id: 'same' }), model('s', { ...by, slug: 'same' })]
  await store.upsertModels('find', [slug, chute, named])
  expect((await store.findModel('same', 'find'))?.id).toBe('same')
  await store.upsertModels('twin', [model('t1', { slug: 'dup', is_active: false }), model('t2', { slug: 'dup' })])
  expect((await store.findModel('dup', null))?.id).toBe('t2')
  expect((await store.findModel('chute-t1', 'twin'))?.id).toBe('t1')
  expect(await store.findModel('dup', 'find')).toBeUndefined()
})

test('[DB30] an agent is kept as it last spoke, with its first sighting; older words do not undo newer ones', async () => {
  const { store } = database
  const agent: StoredAgent = {
    ...{ agent_id: 'agent-1', host: 'h', version: '1', capabilities: ['llm'], slots: 8, free_slots: 8, running: 0 },
    ...{ draining: false, connected: true, first_seen: '2026-11-01T10:00:00.000Z', last_seen: '2026-11-01T10:00:00.000Z' },
  }
  const later = { ...agent, running: 3, connected: false, first_seen: '2026-11-01T12:00:00.000Z', last_seen: '2026-11-01T12:00:00.000Z' }
  await store.saveAgent(agent)
  await store.saveAgent(later)
  await store.saveAgent({ ...agent, last_seen: '2026-11-01T11:00:00.000Z' })
  expect(await store.listAgents()).toEqual([{ ...later, first_seen: agent.first_seen }])
})

test('[DB31] a key is found by its hash, listed with the name of its owner, and revoked', async () => {
  const { store } = database
  const key = {
    id: 'key-1',
    owner_id: 'ann',
    name: 'CI',
    made_by: null,
    scopes: ['runs:read', 'runs:write'],
    expires_at: null,
    revoked_at: null,
    used_at: null,
  }
  await store.createKey({ ...key, sha256: 'c'.repeat(64) })
  await expect(store.createKey({ ...key, id: 'key-2', sha256: 'c'.repeat(64) })).rejects.toMatchObject({ code: '23505' })
  expect(await store.findKey('c'.repeat(64))).toEqual(key)
  expect(await store.findKey('d'.repeat(64))).toBeUndefined()
  expect(await store.listKeys(null)).toEqual([{ ...key, owner: 'ann' }])
  expect(await store.listKeys(['ann'])).toHaveLength(1)
  expect(await store.listKeys(['bob'])).toEqual([])
  expect(await store.hasOwner('ann')).toBe(false)
  await store.ensureOwner({ id: 'ann', name: 'Ann', kind: 'key' })
  expect([await store.hasOwner('ann'), (await store.listKeys(null))[0]?.owner]).toEqual([true, 'Ann'])
  expect(await store.revokeKey('key-0', null)).toBe(false)
  expect(await store.revokeKey('key-1', ['bob'])).toBe(false)
  expect(await store.revokeKey('key-1', ['ann'])).toBe(true)
  const { owner: _, ...revoked } = (await store.listKeys(null))[0]!
  expect(revoked.revoked_at).toMatch(/^20\d\d-.*Z$/)
  expect(await store.revokeKey('key-1', null)).toBe(true)
  expect(await store.findKey('c'.repeat(64))).toEqual(revoked)
  await store.touchKey('key-1', '2026-11-01T11:00:00.000Z')
  expect((await store.findKey('c'.repeat(64)))?.used_at).toBe('2026-11-01T11:00:00.000Z')
})

test('[DB32] owners, signing keys and settings are kept and may be written again', async () => {
  const { store, db } = database
  await store.ensureOwner({ id: 'ann', name: 'Ann', kind: 'local' })
  await store.ensureOwner({ id: 'ann', name: 'Ann B.', kind: 'chutes' })
  expect((await db.execute('select id, name, kind from owners')).rows).toEqual([{ id: 'ann', name: 'Ann B.', kind: 'chutes' }])
  const key = { fingerprint: 'f1', public_key: 'AAAA', valid_from: '2026-11-01T10:00:00.000Z', retired_at: null }
  await store.saveSigningKey(key)
  await store.saveSigningKey({ ...key, public_key: 'BBBB', retired_at: '2026-11-02T10:00:00.000Z' })
  expect(await store.listSigningKeys()).toEqual([{ ...key, retired_at: '2026-11-02T10:00:00.000Z' }])
  expect(await store.readSetting('absent')).toBeUndefined()
  for (const value of [{ a: [1, null] }, 'text', false, null, 0]) {
    await store.writeSetting('any', value)
    expect(await store.readSetting('any')).toEqual(value)
  }
  await store.ping()
})

test('[SIGN6] a session is found by its hash, listed for its owner while it goes on, used and ended', async () => {
  const { store } = database
  const at = '2026-11-01T10:00:00.000Z'
  const person = { owner_id: 'chutes-ann', user_id: 'u1', username: 'ann', scopes: ['openid', 'chutes:invoke'], browser: 'Firefox' }
  const session = { id: 's-1', ...person, created_at: at, used_at: at, expires_at: '2026-12-01T10:00:00.000Z', ended_at: null }
  await store.createSession({ ...session, sha256: 'e'.repeat(64) })
  await store.createSession({ ...session, id: 's-2', sha256: 'f'.repeat(64), used_at: '2026-11-01T10:05:00.000Z' })
  expect(await store.findSession('e'.repeat(64))).toEqual({ ...session, teams: [] })
  expect(await store.findSession('0'.repeat(64))).toBeUndefined()
  const ids = async (owner: string, now: string) => (await store.listSessions(owner, now)).map(({ id }) => id)
  expect(await ids('chutes-ann', at)).toEqual(['s-2', 's-1'])
  await store.touchSession('s-1', '2026-11-01T10:10:00.000Z')
  expect(await ids('chutes-ann', at)).toEqual(['s-1', 's-2'])
  expect(await ids('chutes-bob', at)).toEqual([])
  expect(await ids('chutes-ann', session.expires_at)).toEqual([])
  expect(await store.endSession('s-1', 'chutes-bob', at)).toBe(false)
  expect(await store.endSession('s-1', 'chutes-ann', at)).toBe(true)
  expect(await store.endSession('s-1', 'chutes-ann', '2026-11-02T10:00:00.000Z')).toBe(false)
  expect((await store.findSession('e'.repeat(64)))?.ended_at).toBe(at)
  expect(await ids('chutes-ann', at)).toEqual(['s-2'])
})

test('[BUDGET10] limits of a holder are set, changed and listed; an owner is found by id, or by a name in any case', async () => {
  const { store } = database
  const limits = { holder: 'key:k', day_usd: 1.25, month_usd: null, set_by: 'owner' as const }
  await store.saveBudget(limits)
  await store.saveBudget({ ...limits, month_usd: 9, set_by: 'operator' })
  expect(await store.listBudgets(['key:k', 'key:none'])).toEqual([
    { ...limits, month_usd: 9, set_by: 'operator', set_at: expect.stringMatching(/Z$/) },
  ])
  expect([await store.listBudgets([]), (await store.listBudgets(null)).length]).toEqual([[], 1])
  await store.ensureOwner({ id: 'owner-1', name: 'Grace', kind: 'key' })
  await store.ensureOwner({ id: 'owner-2', name: 'grace', kind: 'chutes' })
  expect(await store.findOwners('owner-2')).toEqual([{ id: 'owner-2', name: 'grace', kind: 'chutes' }])
  expect((await store.findOwners('GRACE')).map(({ id }) => id)).toEqual(['owner-1', 'owner-2'])
  expect(await store.findOwners('nobody')).toEqual([])
})

test('[AUDIT2] entries of the audit log are added and read; the database refuses to change, delete or empty them', async () => {
  const { store, db } = database
  const entry = {
    ...{ at: '2026-11-01T10:00:00.000Z', actor_id: 'ann', actor_kind: 'key', key_id: 'k', action: 'run.cancel' as const, target: 'run:r' },
    ...{ owner_id: 'bob', detail: { name: 'x' }, status: 200, address: '203.0.113.0/24', request_id: 'q' },
  }
  for (const more of [{}, { actor_id: 'cid', action: 'run.pause' as const }, { detail: null }]) await store.addAudit({ ...entry, ...more })
  const read = (filter: Partial<Parameters<typeof store.listAudit>[0]> = {}) =>
    store.listAudit({ whose: null, before: null, limit: 10, ...filter })
  const all = await read()
  expect(all.map(({ seq: _, ...one }) => one)).toEqual([
    { ...entry, detail: null },
    { ...entry, actor_id: 'cid', action: 'run.pause' },
    entry,
  ])
  expect((await read({ whose: 'ann' })).length).toBe(2)
  expect((await read({ whose: 'bob', action: 'run.pause' })).map(({ actor_id }) => actor_id)).toEqual(['cid'])
  expect(await read({ before: all[1]!.seq, limit: 1 })).toEqual([all[2]])
  for (const change of ["UPDATE audit SET actor_id = 'eve'", 'DELETE FROM audit', 'DELETE FROM audit WHERE seq = -1', 'TRUNCATE audit'])
    await expect(db.execute(sql.raw(change)), change).rejects.toThrow()
  expect(await read()).toEqual(all)
})
