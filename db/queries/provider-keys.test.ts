import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { namedModel } from '#shared/providers/listed-model.ts'
import { openTestDatabase, type TestDatabase } from '../embedded/test-database.ts'
import type { StoredProviderKey } from '../store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const at = '2026-01-02T03:04:05.000Z'
const key = (provider: string, changes: Partial<StoredProviderKey> = {}): Omit<StoredProviderKey, 'used_at'> => ({
  ...{ id: `id-${provider}`, owner_id: 'anna', provider, label: provider, kind: 'openai', base_url: `https://${provider}.example/v1` },
  ...{ sealed: 'v1.a.b', last4: 'abcd', verdict: 'good', models: [namedModel('m')], asked_at: at, created_at: at },
  ...changes,
})

test('[OWNKEY4] a key reads back as saved and is replaced under its id; at most so many are saved, also at once', async () => {
  const { store } = database
  expect(await store.saveProviderKey(key('one'), 2)).toBe(true)
  expect(await store.listProviderKeys('anna')).toEqual([{ ...key('one'), used_at: null }])
  expect(await store.saveProviderKey(key('one', { id: 'other', sealed: 'v1.c.d', models: null }), 1)).toBe(true)
  expect(await store.listProviderKeys('anna')).toEqual([{ ...key('one', { sealed: 'v1.c.d', models: null }), used_at: null }])
  // Connections that are open already meet in the database.
  await Promise.all(Array.from({ length: 16 }, () => database.db.execute(sql`select pg_sleep(0.05)`)))
  const saved = await Promise.all(Array.from({ length: 24 }, (_, at) => store.saveProviderKey(key(`k${at}`), 2)))
  expect(saved.filter(Boolean)).toHaveLength(1)
  expect(await store.listProviderKeys('anna')).toHaveLength(2)
  expect(await store.listProviderKeys('bert')).toEqual([])
})

test('[OWNKEY4] only its owner finds, uses and deletes a key; news about a key that was replaced meanwhile are dropped', async () => {
  const { store } = database
  await store.saveProviderKey(key('mine', { owner_id: 'cleo' }), 5)
  expect(await store.useProviderKey('id-mine', 'anna', at)).toBeUndefined()
  expect(await store.useProviderKey('id-mine', 'cleo', at)).toMatchObject({ sealed: 'v1.a.b', used_at: at })
  const news = { verdict: 'refused' as const, models: [], asked_at: '2026-02-02T00:00:00.000Z' }
  await store.noteProviderKey('id-mine', 'v1.x.y', news)
  expect(await store.listProviderKeys('cleo')).toMatchObject([{ verdict: 'good' }])
  await store.noteProviderKey('id-mine', 'v1.a.b', news)
  expect(await store.listProviderKeys('cleo')).toMatchObject([news])
  expect(await store.deleteProviderKey('anna', 'mine')).toBe(false)
  expect(await store.deleteProviderKey('cleo', 'mine')).toBe(true)
  expect(await store.useProviderKey('id-mine', 'cleo', at)).toBeUndefined()
})
