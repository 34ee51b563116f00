import { afterAll, beforeAll, expect, test } from 'vitest'
import { Board } from '#shared/contract/board.ts'
import type { Rescore } from '#shared/contract/rescore.ts'
import type { RunHead } from '#shared/contract/run.ts'
import { openTestDatabase, type TestDatabase } from '../embedded/test-database.ts'
import { type EndedRun, exampleEndedRun, exampleEstimate } from '../example-ended-run.ts'
import { exampleHead, exampleSpec, exampleTrial } from '../example-run.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

/** A run that is planned and under way, and the state that will end it. */
async function begin(revision: string, given: EndedRun = {}) {
  const { spec, ended } = exampleEndedRun(revision, given)
  await database.store.createRun(spec, exampleHead(spec), null)
  return { spec, ended }
}
const drain = (head: RunHead, trials: ReturnType<typeof exampleTrial>[] = []) =>
  database.store.drain({ run_id: head.run_id, openings: [], trials, events: [], head })

async function end(revision: string, score: number, given: EndedRun = {}) {
  const { spec, ended } = await begin(revision, given)
  await database.store.saveMetrics(spec.run_id, 'mmlu_pro', { accuracy: exampleEstimate(score) })
  await drain(ended)
  return spec.run_id
}
async function boardsOf(revision: string, viewer: string | null = null) {
  return (await database.store.listBoards(viewer === null ? [] : [viewer])).filter((board) => board.data.revision === revision)
}
async function pageOf(revision: string, viewer: string | null = null, sort: 'mean' | 'best' = 'mean') {
  const [board] = await boardsOf(revision, viewer)
  return database.store.readBoard(board!.id, viewer === null ? [] : [viewer], sort, 100)
}
const model = (id: string, more: EndedRun = {}): EndedRun => ({
  ...more,
  spec: { model: { id, slug: `org/${id}`, provider: 'chutes' }, ...more.spec },
})

test('[DB101] a run comes to its board with the state that ends it, leaves when it goes on, and comes back with its next end', async () => {
  const { spec, ended } = await begin('comes')
  const { store } = database
  await store.saveMetrics(spec.run_id, 'mmlu_pro', { accuracy: exampleEstimate(0.5), other: exampleEstimate(0.9) })
  await drain({ ...ended, status: 'running', completed_at: null })
  expect(await boardsOf('comes')).toEqual([])
  await drain(ended)
  await drain(ended)
  const { rows, total } = await pageOf('comes')
  expect(total).toBe(1)
  expect(rows[0]).toMatchObject({ runs: 1, withdrawn: 0, unlisted: 0, failed: 0, total: 100 })
  expect(rows[0]!.mean).toMatchObject({ value: 0.5, cost_usd: 1.5, duration_ms: 300_000 })
  expect(rows[0]!.best).toMatchObject({ run_id: spec.run_id, cost_usd: 1.5, duration_ms: 300_000, epochs: 1, rescored: false })
  expect(rows[0]!.best.estimate).toEqual(exampleEstimate(0.5))
  expect(rows[0]!.best.ended_at).toBe(ended.completed_at)
  await drain({ ...ended, seq: 4, status: 'running', completed_at: null })
  expect((await boardsOf('comes'))[0]?.ranked_runs).toBe(1)
  const [board] = await boardsOf('comes')
  expect(await store.listPlaces(spec.run_id)).toEqual([{ benchmark: 'mmlu_pro', board: board!.id, reason: null }])
  await drain({ ...ended, seq: 6, status: 'running', completed_at: null })
  await drain(ended)
  expect(await boardsOf('comes')).toEqual([])
  expect(await store.listPlaces(spec.run_id)).toEqual([])
  await store.saveMetrics(spec.run_id, 'mmlu_pro', { accuracy: exampleEstimate(0.7) })
  await drain({ ...ended, seq: 7 })
  expect((await pageOf('comes')).rows[0]!.mean.value).toBe(0.7)
})

test('[DB101] a benchmark without a score has no place; of several benchmarks each has its own cost', async () => {
  const spec = exampleSpec({}, ['mmlu_pro', 'gpqa_diamond'])
  const both = spec.benchmarks.map((one) => ({ ...one, profile: 'official', sampled_items: one.total_items, epochs: 10 }))
  const planned = { ...spec, benchmarks: both.map((one) => ({ ...one, data: { ...one.data, revision: 'two' } })) }
  const tally = { total: 2, right: 2, wrong: 0, failed: 0, score_sum: 2, flags: {}, status: 'succeeded' as const }
  const at = { started_at: '2026-11-01T10:00:00.000Z', completed_at: '2026-11-01T10:01:00.000Z' }
  const head = exampleHead(planned, {
    ...{ status: 'succeeded', seq: 5, completed_at: at.completed_at, cost_usd: 9 },
    benchmarks: { mmlu_pro: { ...tally, ...at }, gpqa_diamond: { ...tally, ...at } },
  })
  await database.store.createRun(planned, exampleHead(planned), null)
  await database.store.saveMetrics(planned.run_id, 'mmlu_pro', { accuracy: exampleEstimate(0.5) })
  await database.store.saveMetrics(planned.run_id, 'gpqa_diamond', { accuracy: { ...exampleEstimate(0.5), value: null } })
  const trial = (ordinal: number, benchmark: string) => exampleTrial(ordinal, { benchmark, cost_usd: 0.25 })
  await drain(head, [trial(0, 'mmlu_pro'), trial(1, 'mmlu_pro'), trial(2, 'gpqa_diamond')])
  expect((await boardsOf('two')).map((board) => board.benchmark)).toEqual(['mmlu_pro'])
  expect((await pageOf('two')).rows[0]!.best.cost_usd).toBe(0.5)
  expect(await database.store.listPlaces(planned.run_id)).toMatchObject([{ benchmark: 'mmlu_pro', reason: null }])
})

test('[DB102] only a run over all items, as often as its profile says, to its end, with few failures is ranked; others say why not', async () => {
  const sampled = { sampled_items: 99 }
  const cases: [string | null, EndedRun][] = [
    [null, {}],
    [null, { failed: 1 }],
    ['failures', { failed: 2 }],
    ['subset', { planned: sampled }],
    ['unfinished', { done: 99 }],
    ['canceled', { planned: sampled, head: { status: 'canceled' } }],
    // Every profile of this benchmark asks once: less than that no plan can say, but the database can be told.
    ['epochs', { planned: { epochs: 0 } }],
  ]
  for (const [at, [, given]] of cases.entries()) await end('covers', 0.5, model(`m${at}`, given))
  const { rows, apart } = await pageOf('covers')
  expect(rows.map((row) => row.best.asked.model_id).toSorted()).toEqual(['m0', 'm1'])
  const reasons = Object.fromEntries(apart.map((one) => [one.asked.model_id, one.apart]))
  expect(reasons).toEqual({ m2: 'failures', m3: 'subset', m4: 'unfinished', m5: 'canceled', m6: 'epochs' })
  expect(apart.find((one) => one.apart === 'subset')).toMatchObject({ sampled_items: 99, total_items: 100, planned_epochs: 1 })
  expect((await boardsOf('covers'))[0]).toMatchObject({ models: 2, ranked_runs: 2, apart_runs: 5 })
})

test('[DB103] runs share a row when model, provider, parameters and helpers are the same; it has their best and their mean', async () => {
  const params = exampleSpec().benchmarks[0]!.params
  const judge = (slug: string) => ({ model: { id: slug, slug, provider: 'p' }, price: null, params, schema: false })
  await end('rows', 0.4, model('a', { head: { cost_usd: 1 }, minutes: 2 }))
  const dear = await end('rows', 0.6, model('a', { head: { cost_usd: 2 } }))
  const best = await end('rows', 0.6, model('a', { head: { cost_usd: 1.2 } }))
  await end('rows', 0.55, model('b'))
  await end('rows', 0.1, model('b', { spec: { model: { id: 'b', slug: 'org/b', provider: 'other' } } }))
  await end('rows', 0.2, model('b', { planned: { params: { ...params, reasoning_effort: 'high' } } }))
  await end('rows', 0.3, model('b', { planned: { roles: { judge: judge('x') } } }))
  await end('rows', 0.35, model('b', { planned: { roles: { judge: judge('y') } } }))
  const { rows, total } = await pageOf('rows')
  expect(rows.map((row) => row.mean.value.toFixed(3))).toEqual(['0.550', '0.533', '0.350', '0.300', '0.200', '0.100'])
  expect(total).toBe(6)
  const shared = rows[1]!
  expect(shared).toMatchObject({ runs: 3, total: 300, best: { run_id: best } })
  expect(shared.mean.cost_usd).toBeCloseTo(1.4)
  expect(shared.mean.duration_ms).toBeCloseTo(240_000)
  expect(shared.mean.below).toBeCloseTo((0.06 * Math.sqrt(3)) / 3)
  expect(shared.mean.above).toBeCloseTo((0.06 * Math.sqrt(3)) / 3)
  expect((await pageOf('rows', null, 'best')).rows[0]!.best.run_id).toBe(best)
  expect(dear).not.toBe(best)
  expect(rows[4]!.best.asked.params.reasoning_effort).toBe('high')
  expect(rows[2]!.best.asked.roles.judge?.model.slug).toBe('y')
  const [board] = await boardsOf('rows')
  const first = await database.store.readBoard(board!.id, [], 'mean', 1)
  expect([first.rows.length, first.total]).toEqual([1, 6])
})

test('[PROV17] a budget and routing are part of the setup: rows of their own, and as ever where they are not asked for', async () => {
  const params = exampleSpec().benchmarks[0]!.params
  const routing = { only: ['deepinfra'], order: ['deepinfra'] }
  await end('routed', 0.1, model('b'))
  await end('routed', 0.2, model('b', { planned: { params: { ...params } } }))
  await end('routed', 0.3, model('b', { planned: { params: { ...params, reasoning_budget_tokens: 2000 } } }))
  await end('routed', 0.4, model('b', { planned: { params: { ...params, routing } } }))
  await end('routed', 0.6, model('b', { planned: { params: { routing: { order: ['deepinfra'], only: ['deepinfra'] }, ...params } } }))
  const { rows } = await pageOf('routed')
  expect(rows.map(({ runs, best }) => [runs, best.asked.params.routing, best.asked.params.reasoning_budget_tokens])).toEqual([
    [2, routing, undefined],
    [1, undefined, 2000],
    [2, undefined, undefined],
  ])
})

test('[DB103] of equal scores at one cost the best took less time, then ended later; a model that was renamed keeps its row', async () => {
  await end('equal', 0.6, model('a'))
  const quick = await end('equal', 0.6, model('a', { minutes: 3 }))
  expect((await pageOf('equal')).rows).toMatchObject([{ runs: 2, best: { run_id: quick } }])
  const renamed = { model: { id: 'a', slug: 'org/renamed', provider: 'chutes' } }
  const later = await end('equal', 0.6, { spec: renamed, minutes: 3, head: { completed_at: '2026-11-01T11:00:00.000Z' } })
  await end('equal', 0.6, model('a', { minutes: 3, head: { completed_at: '2026-11-01T09:00:00.000Z' } }))
  expect((await pageOf('equal')).rows).toMatchObject([{ runs: 4, best: { run_id: later, asked: { model_slug: 'org/renamed' } } }])
})

test('[DB103] other versions, profiles and data make other boards; an unknown price leaves the mean cost open', async () => {
  await end('boards', 0.4)
  await end('boards', 0.4, { planned: { version: 2 } })
  await end('boards', 0.4, { planned: { profile: 'builtin' } })
  const sample = { source: 'sample' as const, repo: 'r', revision: 'boards', files: [{ role: 'test', path: 'a', sha256: null, rows: 9 }] }
  await end('boards', 0.4, { planned: { data: sample } })
  await end('boards', 0.4, { planned: { data: { ...sample, files: [{ ...sample.files[0]!, rows: 8 }] } } })
  const boards = await boardsOf('boards')
  for (const board of boards) expect(Board.parse(board).id).toBe(board.id)
  const names = boards.map(({ version, profile, data }) => `${version} ${profile} ${data.source}`)
  expect(names.slice(0, 2)).toEqual(['2 official pinned', '1 builtin pinned'])
  expect(names.slice(2).toSorted()).toEqual(['1 official pinned', '1 official sample', '1 official sample'])
  await end('boards', 0.4, { planned: { version: 2 }, head: { cost_usd: null } })
  expect((await pageOf('boards')).rows[0]).toMatchObject({ runs: 2, mean: { cost_usd: null, duration_ms: 300_000 } })
})

test('[DB104] a rescoring by the service puts the run on the board of its scorer, one computed elsewhere does not', async () => {
  const run_id = await end('again', 0.5)
  const rescore: Rescore = {
    ...{ id: crypto.randomUUID(), run_id: exampleSpec({ run_id }).run_id, benchmark: 'mmlu_pro', profile: 'official', code_version: '1' },
    ...{ from: { version: 1, fingerprint: null }, to: { version: 2, fingerprint: null }, headline: 'accuracy', computed_by: 'client' },
    counts: { trials: 100, failed: 0, unchanged: 50, changed: 49, not_recomputed: { 'no-evidence': 1 } },
    ...{ missing_tables: [], before: { accuracy: exampleEstimate(0.5) }, after: { accuracy: exampleEstimate(0.25) } },
    created_at: '2026-11-01T10:06:00.000Z',
  }
  await database.store.saveRescore(rescore, 'owner-1', [])
  expect((await pageOf('again')).rows[0]).toMatchObject({ mean: { value: 0.5 }, best: { rescored: false } })
  const early = { ...rescore, id: crypto.randomUUID(), computed_by: 'edge' as const, created_at: '2026-11-01T10:04:00.000Z' }
  await database.store.saveRescore(early, 'owner-1', [])
  expect((await pageOf('again')).rows[0]!.mean.value).toBe(0.5)
  await database.store.saveRescore({ ...rescore, id: crypto.randomUUID(), computed_by: 'edge' }, 'owner-1', [])
  expect(await boardsOf('again')).toMatchObject([{ version: 1, scorer_version: 2, ranked_runs: 1 }])
  expect((await pageOf('again')).rows[0]).toMatchObject({ failed: 1, mean: { value: 0.25 }, best: { rescored: true } })
  const elsewhere = exampleSpec({ run_id: await end('elsewhere', 0.5) }).run_id
  for (const one of [rescore, early])
    await database.store.saveRescore({ ...one, id: crypto.randomUUID(), run_id: elsewhere }, 'owner-1', [])
  expect((await pageOf('elsewhere')).rows[0]).toMatchObject({ mean: { value: 0.5 }, best: { rescored: false } })
  await end('again', 0.4, { planned: { version: 2 } })
  const asked = (await boardsOf('again')).map(({ version, scorer_version }) => [version, scorer_version])
  expect(asked).toEqual([
    [2, 2],
    [1, 2],
  ])
})

test('[DB105] a stranger’s board has public runs, an owner’s his own besides', async () => {
  await end('seen', 0.4)
  await end('seen', 0.8, { spec: { visibility: 'private', owner_id: 'anna' } })
  await end('seen', 0.9, { spec: { visibility: 'link', owner_id: 'bob' } })
  expect((await pageOf('seen')).rows).toMatchObject([{ runs: 1, unlisted: 0, mean: { value: 0.4 } }])
  expect((await pageOf('seen', 'anna')).rows).toMatchObject([{ runs: 2, unlisted: 1 }])
  expect((await boardsOf('seen', 'bob'))[0]).toMatchObject({ ranked_runs: 2 })
  await end('seen', 0.3, { planned: { sampled_items: 99 }, spec: { visibility: 'private', owner_id: 'bob' } })
  for (const [viewer, number] of [
    [null, 0],
    ['anna', 0],
    ['bob', 1],
  ] as const) {
    expect((await pageOf('seen', viewer)).apart).toHaveLength(number)
    expect((await boardsOf('seen', viewer))[0]?.apart_runs).toBe(number)
  }
  await end('hidden', 0.9, { spec: { visibility: 'private', owner_id: 'bob' } })
  expect(await boardsOf('hidden', 'anna')).toEqual([])
})

test('[DB106] a withdrawn run is counted beside its row and ranked no more, also after its next end, until it is put back', async () => {
  const { store } = database
  await end('gone', 0.4)
  const { spec, ended } = await begin('gone')
  await store.saveMetrics(spec.run_id, 'mmlu_pro', { accuracy: exampleEstimate(0.8) })
  await store.withdrawRun(spec.run_id, { by: 'owner', at: '2026-11-02T00:00:00.000Z' })
  await store.withdrawRun(spec.run_id, { by: 'owner', at: '2026-11-03T00:00:00.000Z' })
  await drain(ended)
  expect((await pageOf('gone')).rows).toMatchObject([{ runs: 1, withdrawn: 1, mean: { value: 0.4 } }])
  expect((await pageOf('gone')).withdrawn).toEqual([])
  const own = { run_id: spec.run_id, model_slug: 'org/Model-1', by: 'owner', at: '2026-11-02T00:00:00.000Z' }
  expect((await pageOf('gone', 'owner-1')).withdrawn).toEqual([own])
  expect(await store.findWithdrawal(spec.run_id)).toEqual({ by: 'owner', at: own.at })
  for (const by of ['operator', 'owner', 'operator'] as const)
    await store.withdrawRun(spec.run_id, { by, at: by === 'owner' ? '2026-11-05T00:00:00.000Z' : '2026-11-04T00:00:00.000Z' })
  expect(await store.findWithdrawal(spec.run_id)).toEqual({ by: 'operator', at: '2026-11-04T00:00:00.000Z' })
  await store.withdrawRun(spec.run_id, null)
  expect(await store.findWithdrawal(spec.run_id)).toBeUndefined()
  expect((await pageOf('gone')).rows).toMatchObject([{ runs: 2, withdrawn: 0 }])
  await store.withdrawRun(spec.run_id, { by: 'owner', at: '2026-11-02T00:00:00.000Z' })
  expect((await boardsOf('gone'))[0]).toMatchObject({ ranked_runs: 1 })
})

test('[DB108] a run whose answers were given to it stands on no board, neither ranked nor apart', async () => {
  const replay = { sha256: 'a'.repeat(64), answers: 31 }
  await end('replayed', 1, model('given', { spec: { model: { id: 'given', slug: 'given', provider: 'replay' }, replay } }))
  expect(await boardsOf('replayed')).toEqual([])
  const imported = {
    from: 'harbor' as const,
    job: 'job',
    job_id: '1',
    agent: 'oracle 1',
    sha256: 'a'.repeat(64),
    at: '2026-01-01T00:00:00Z',
  }
  await end('replayed', 1, model('made', { spec: { imported } }))
  expect(await boardsOf('replayed')).toEqual([])
  await end('replayed', 0.5, model('asked'))
  expect((await pageOf('replayed'))?.rows).toHaveLength(1)
})

test('[API430] boards show a run to strangers only while it is public', async () => {
  const run_id = await end('shared', 0.5, { spec: { owner_id: 'ann', visibility: 'public' } })
  const { store } = database
  const seen = async () => [(await boardsOf('shared')).length, (await boardsOf('shared', 'ann')).length]
  expect(await seen()).toEqual([1, 1])
  await store.shareRun(run_id, 'private')
  expect(await seen()).toEqual([0, 1])
  expect((await store.findRun(run_id))?.spec.visibility).toBe('private')
  expect((await store.listRuns({ viewers: [], ids: [run_id], limit: 1, offset: 0 })).total).toBe(0)
  for (const visibility of ['link', 'public'] as const) await store.shareRun(run_id, visibility)
  expect(await seen()).toEqual([1, 1])
})
