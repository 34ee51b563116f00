import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Rescore, RescoreDifference, Scored } from '#shared/contract/rescore.ts'
import { openTestDatabase, type TestDatabase } from '../embedded/test-database.ts'
import { exampleHead, exampleSpec, exampleTrial } from '../example-run.ts'

let database: TestDatabase
const spec = exampleSpec({}, ['mmlu_pro', 'gpqa'])
const { run_id } = spec
beforeAll(async () => {
  database = await openTestDatabase()
  const head = exampleHead(spec)
  const trials = Array.from({ length: 6 }, (_, ordinal) => exampleTrial(ordinal, { benchmark: ordinal < 4 ? 'mmlu_pro' : 'gpqa' }))
  await database.store.createRun(spec, head, null)
  await database.store.drain({
    run_id,
    trials: [...trials, exampleTrial(6, { evidence: null, detail: { a: [1] } })],
    openings: [],
    events: [],
    head,
  })
})
afterAll(() => database.close())

const estimate = { value: 0.5, low: 0.25, high: 0.75, n: 4, method: 'wilson' }
const rescoreOf = (at: number, more: Partial<Rescore> = {}): Rescore => ({
  ...{ id: crypto.randomUUID(), run_id, benchmark: 'mmlu_pro', profile: 'builtin', computed_by: 'edge', code_version: '1' },
  ...{ from: { version: 1, fingerprint: null }, to: { version: 2, fingerprint: 'a'.repeat(64) }, headline: 'accuracy' },
  counts: { trials: 4, failed: 0, unchanged: 3, changed: 1, not_recomputed: { 'table-missing': 1 } },
  ...{ missing_tables: ['punkt_english'], before: { accuracy: estimate }, after: { accuracy: { ...estimate, n: 3 } } },
  created_at: new Date(Date.parse('2026-11-22T01:00:00.000Z') + at * 1000).toISOString(),
  ...more,
})
const side = (answer: string): Scored => ({
  outcome: 'wrong',
  score: 0,
  answer,
  explanation: `read ${answer}`,
  flags: ['x'],
  detail: { a: [1] },
})
const difference = (ordinal: number): RescoreDifference => ({
  ...{ ordinal, item_id: String(ordinal), epoch: 0 },
  ...{ before: side('A'), after: side('B') },
})

test('[DB60] what scorers read of a benchmark comes in pages by the plan, without messages and reasoning', async () => {
  const { store } = database
  const { records: first, next } = await store.listEvidence(run_id, 'mmlu_pro', -1, 3)
  expect(first.map((record) => record.ordinal)).toEqual([0, 1, 2])
  const stored = exampleTrial(0).record
  expect(first[0]).toEqual({ ...stored, messages: [], evidence: { ...stored.evidence, reasoning: null } })
  const { records: rest } = await store.listEvidence(run_id, 'mmlu_pro', next!, 3)
  expect(rest.map((record) => [record.ordinal, record.evidence === null])).toEqual([
    [3, false],
    [6, true],
  ])
  expect(await store.listEvidence('nonsense', 'mmlu_pro', -1, 3)).toEqual({ records: [], next: null })
})

test('[DB61] a rescoring is kept beside the run as it was made, newest first, and changes none of its rows', async () => {
  const { store } = database
  const [run, trials] = [await store.findRun(run_id), await store.listTrials(run_id, -1, 100)]
  const older = rescoreOf(1)
  const newer = rescoreOf(2, { benchmark: 'gpqa', computed_by: 'client' })
  await store.saveRescore(older, 'anna', [])
  await store.saveRescore(newer, 'anna', [])
  expect(await store.listRescores(run_id, { limit: 50, offset: 0 })).toEqual({ rescores: [newer, older], total: 2 })
  expect(await store.listRescores(run_id, { limit: 1, offset: 1 })).toEqual({ rescores: [older], total: 2 })
  expect(await store.findRescore(run_id, older.id)).toEqual(older)
  expect(await store.findRescore(run_id, 'nonsense')).toBeUndefined()
  expect(await store.findRescore(exampleSpec().run_id, older.id)).toBeUndefined()
  expect([await store.findRun(run_id), await store.listTrials(run_id, -1, 100)]).toEqual([run, trials])
})

test('[DB62] differences of a rescoring, however many, are kept with it and come in pages by the plan', async () => {
  const { store } = database
  const rescore = rescoreOf(3)
  await store.saveRescore(
    rescore,
    'anna',
    Array.from({ length: 1200 }, (_, ordinal) => difference(ordinal)),
  )
  const page = await store.listRescoreDifferences(rescore.id, 1196, 2)
  expect(page).toEqual([difference(1197), difference(1198)])
  expect(await store.listRescoreDifferences(rescore.id, 1198, 2)).toEqual([difference(1199)])
})

test('[DB62] a rescoring is kept with all of its differences or not at all', async () => {
  const { store } = database
  const rescore = rescoreOf(4)
  await expect(store.saveRescore(rescore, 'anna', [difference(1), difference(1)])).rejects.toThrow('duplicate key')
  expect(await store.findRescore(run_id, rescore.id)).toBeUndefined()
  expect(await store.listRescoreDifferences(rescore.id, -1, 10)).toEqual([])
})
