import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../embedded/test-database.ts'
import { exampleHead, exampleSpec } from '../example-run.ts'
import { KeyTaken } from '../store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

async function create(changes: Parameters<typeof exampleSpec>[0] = {}, head: Parameters<typeof exampleHead>[1] = {}) {
  const spec = exampleSpec(changes)
  await database.store.createRun(spec, exampleHead(spec, head), null)
  return spec
}

test('[DB2] a run is found as it was created, and an unknown or malformed id finds nothing', async () => {
  const { store } = database
  const spec = exampleSpec({}, ['mmlu_pro', 'gpqa'])
  const head = exampleHead(spec)
  await store.createRun(spec, head, null)
  expect(await store.findRun(spec.run_id)).toMatchObject({ spec, head, metrics: {} })
  for (const id of ['00000000-0000-4000-8000-000000000000', 'nonsense', "'; drop table runs", '']) {
    expect(await store.findRun(id)).toBeUndefined()
    expect(await store.findCredential(id)).toBeUndefined()
    expect(await store.listTrials(id, -1, 10)).toEqual({ trials: [], next: null })
    expect((await store.listEvents(id, 0, 10)).events).toEqual([])
  }
})

test('[DB3] creating the same run again changes nothing', async () => {
  const { store } = database
  const key = { owner_id: 'owner-k', key: 'once', body_sha256: 'a'.repeat(64) }
  const spec = exampleSpec()
  await store.createRun(spec, exampleHead(spec, { seq: 5 }), key)
  await store.createRun(spec, exampleHead(spec, { seq: 1 }), key)
  expect((await store.findRun(spec.run_id))?.head.seq).toBe(5)
  expect(await store.findIdempotent('owner-k', 'once')).toEqual({ run_id: spec.run_id, body_sha256: 'a'.repeat(64) })
  expect(await store.findIdempotent('somebody else', 'once')).toBeUndefined()
})

test('[DB4] of runs created at once under one Idempotency-Key exactly one is stored', async () => {
  const { store } = database
  const specs = Array.from({ length: 8 }, () => exampleSpec({ owner_id: 'racer' }))
  const key = { owner_id: 'racer', key: 'race', body_sha256: 'b'.repeat(64) }
  const results = await Promise.allSettled(specs.map((spec) => store.createRun(spec, exampleHead(spec), key)))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(7)
  expect(refused.every((result) => result.reason instanceof KeyTaken)).toBe(true)
  const listed = await store.listRuns({ viewers: ['racer'], limit: 50, offset: 0 })
  const own = listed.runs.filter((run) => run.spec.owner_id === 'racer')
  expect(own.map((run) => run.spec.run_id)).toEqual([(await store.findIdempotent('racer', 'race'))?.run_id])
})

test('[DB45] after a day an Idempotency-Key is as good as new', async () => {
  const { store, db } = database
  const [first, second] = [exampleSpec({ owner_id: 'daily' }), exampleSpec({ owner_id: 'daily' })]
  const key = { owner_id: 'daily', key: 'nightly', body_sha256: 'c'.repeat(64) }
  const age = (interval: string) =>
    db.execute(sql`update idempotency set created_at = now() - ${interval}::interval where owner_id = 'daily'`)
  await store.createRun(first, exampleHead(first), key)
  await age('23 hours 59 minutes')
  expect((await store.findIdempotent('daily', 'nightly'))?.run_id).toBe(first.run_id)
  await expect(store.createRun(second, exampleHead(second), key)).rejects.toThrow(KeyTaken)
  await age('24 hours 1 minute')
  expect(await store.findIdempotent('daily', 'nightly')).toBeUndefined()
  await store.createRun(second, exampleHead(second), { ...key, body_sha256: 'd'.repeat(64) })
  expect(await store.findIdempotent('daily', 'nightly')).toEqual({ run_id: second.run_id, body_sha256: 'd'.repeat(64) })
  expect(await store.findRun(first.run_id)).toBeDefined()
})

test('[DB5] a viewer lists public runs and his own, whatever their visibility, newest first', async () => {
  const { store } = database
  const model = { id: 'seen', slug: 'x/seen', provider: 'chutes' }
  const at = (minute: number) => `2026-11-02T10:0${minute}:00.000Z`
  const open = await create({ model, owner_id: 'ann', created_at: at(0) })
  const link = await create({ model, owner_id: 'ann', visibility: 'link', created_at: at(1) })
  const closed = await create({ model, owner_id: 'ann', visibility: 'private', created_at: at(2) })
  const other = await create({ model, owner_id: 'bob', visibility: 'private', created_at: at(3) })
  const seenBy = async (viewer: string | null) => {
    const { runs, total } = await store.listRuns({ model_id: 'seen', viewers: viewer === null ? [] : [viewer], limit: 10, offset: 0 })
    expect(total).toBe(runs.length)
    return runs.map((run) => run.spec.run_id)
  }
  expect(await seenBy(null)).toEqual([open.run_id])
  expect(await seenBy('ann')).toEqual([closed.run_id, link.run_id, open.run_id])
  expect(await seenBy('bob')).toEqual([other.run_id, open.run_id])
})

test('[DB6] lists of runs filter by status, model and part of the slug taken literally, and count all matches', async () => {
  const { store } = database
  for (const slug of ['lab/a_b-70B', 'lab/axb-70B', 'lab/100%'])
    await create({ model: { id: slug, slug, provider: 'p' }, owner_id: 'filter' })
  const done = await create(
    { model: { id: 'm', slug: 'lab/A_B-8b', provider: 'p' } },
    { status: 'succeeded', completed_at: '2026-11-02T11:00:00.000Z' },
  )
  const slugs = async (filter: object) => {
    const { runs, total } = await store.listRuns({ viewers: [], limit: 1, offset: 0, ...filter })
    return [runs.length, total]
  }
  expect(await slugs({ model_slug: 'a_b' })).toEqual([1, 2])
  expect(await slugs({ model_slug: '%' })).toEqual([1, 1])
  expect(await slugs({ model_slug: 'a_b', status: 'succeeded' })).toEqual([1, 1])
  expect(await slugs({ model_id: 'lab/axb-70B' })).toEqual([1, 1])
  expect(await slugs({ model_slug: 'a_b', offset: 2 })).toEqual([0, 2])
  expect(await slugs({ model_slug: 'a_b', mine: true, viewers: ['filter'] })).toEqual([1, 1])
  expect(await slugs({ mine: true, viewers: [] })).toEqual([0, 0])
  expect((await store.listOpenRuns()).map((run) => run.spec.run_id)).not.toContain(done.run_id)
})

test('[DB7] open runs are those not in an end state, oldest first', async () => {
  const { store } = database
  const late = await create({ created_at: '2020-01-02T00:00:00.000Z' }, { status: 'paused' })
  const early = await create({ created_at: '2020-01-01T00:00:00.000Z' }, { status: 'running' })
  const open = await store.listOpenRuns()
  expect(open.slice(0, 2).map((run) => run.spec.run_id)).toEqual([early.run_id, late.run_id])
  const { owner_id } = late
  const before = await store.countOpenRuns(owner_id)
  await create({ owner_id }, { status: 'queued' })
  await create({ owner_id }, { status: 'canceled', completed_at: '2026-11-02T11:00:00.000Z' })
  expect([await store.countOpenRuns(owner_id), await store.countOpenRuns('nobody')]).toEqual([before + 1, 0])
  expect(open.every((run) => ['queued', 'running', 'paused'].includes(run.head.status))).toBe(true)
})

test('[DB8] a sealed credential is given back alone and never with its run', async () => {
  const { store } = database
  expect(await store.findCredential((await create()).run_id)).toBeUndefined()
  const spec = exampleSpec()
  await store.createRun(spec, exampleHead(spec), null, 'v1.sealed-bytes')
  expect(await store.findCredential(spec.run_id)).toBe('v1.sealed-bytes')
  expect(JSON.stringify(await store.findRun(spec.run_id))).not.toContain('sealed-bytes')
})

test('[DB111] answers to replay are written with their run, never read with it, and go with it', async () => {
  const { store } = database
  const spec = exampleSpec()
  const answers = [{ benchmark: 'mmlu_pro', item: '4', epoch: 0, texts: ['Kept \ud83d\ude80'] }, { texts: ['any'] }]
  await store.createRun(spec, exampleHead(spec), null, null, undefined, undefined, answers)
  expect(await store.findReplayAnswers(spec.run_id)).toEqual(answers)
  expect(JSON.stringify(await store.findRun(spec.run_id))).not.toContain('Kept')
  expect(await store.findReplayAnswers((await create()).run_id)).toBeUndefined()
  const [won, lost] = [exampleSpec(), exampleSpec()]
  const key = { owner_id: 'anna', key: 'replayed', body_sha256: 'c'.repeat(64) }
  await store.createRun(won, exampleHead(won), key)
  await expect(store.createRun(lost, exampleHead(lost), key, null, undefined, undefined, answers)).rejects.toThrow(KeyTaken)
  expect(await store.findReplayAnswers(lost.run_id)).toBeUndefined()
})

test('[DB90] runs have names and tags, and are searched, narrowed and sorted by what they are', async () => {
  const { store } = database
  const model = (slug: string) => ({ id: slug, slug: `labels/${slug}`, provider: 'chutes' })
  const at = (day: number) => `2026-10-0${day}T12:00:00.000Z`
  const named = async (slug: string, day: number, names: string[], label: { name: string | null; tags: string[] }, cost: number | null) => {
    const spec = exampleSpec({ model: model(slug), owner_id: 'liz', created_at: at(day) }, names)
    await store.createRun(spec, exampleHead(spec, { cost_usd: cost }), null, null, undefined, label)
    return spec.run_id
  }
  const a = await named('b-model', 1, ['mmlu_pro'], { name: 'Nightly 50% run', tags: ['gate', 'night'] }, 2)
  const b = await named('a-model', 2, ['mmlu_pro', 'gpqa'], { name: null, tags: [] }, null)
  const c = await named('c-model', 3, ['gpqa'], { name: 'Gate', tags: ['gate'] }, 5)
  const found = async (filter: object) => {
    const { runs } = await store.listRuns({ viewers: ['liz'], model_slug: 'labels/', limit: 50, offset: 0, ...filter })
    return runs.map((run) => run.spec.run_id)
  }
  expect((await store.findRun(a))?.label).toEqual({ name: 'Nightly 50% run', tags: ['gate', 'night'] })
  expect(await found({})).toEqual([c, b, a])
  expect(await found({ sort: 'oldest' })).toEqual([a, b, c])
  expect(await found({ sort: 'model' })).toEqual([b, a, c])
  expect(await found({ sort: 'cost' })).toEqual([c, a, b])
  expect((await found({ sort: 'score' })).toSorted()).toEqual([a, b, c].toSorted())
  expect(await found({ q: '50%' })).toEqual([a])
  expect(await found({ q: 'gate' })).toEqual([c, a])
  expect(await found({ q: 'a-model' })).toEqual([b])
  expect(await found({ q: b.slice(0, 13) })).toEqual([b])
  expect(await found({ tag: 'night' })).toEqual([a])
  expect(await found({ tag: 'nigh' })).toEqual([])
  expect(await found({ benchmark: 'gpqa' })).toEqual([c, b])
  expect(await found({ since: at(2) })).toEqual([c, b])
  expect(await found({ until: at(2) })).toEqual([b, a])
  expect(await found({ ids: [a, c, 'nonsense'] })).toEqual([c, a])
  await store.labelRun(a, { name: 'Another' })
  await store.labelRun(a, { tags: [] })
  await store.labelRun(a, {})
  expect((await store.findRun(a))?.label).toEqual({ name: 'Another', tags: [] })
})
