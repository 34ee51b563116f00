import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#db/embedded/test-database.ts'
import { RescoreList, RescorePage } from '#shared/contract/rescore.ts'
import { initialHead } from '#shared/run/apply.ts'
import { lastLetter, recordOf } from '#shared/run/testing/rescore-example.ts'
import { asAdmin, openApp } from './testing/call-app.ts'
import { exampleEnded, exampleSpec } from './testing/example-records.ts'

// Rescoring over the real record: PostgreSQL behind Neon's protocol, which reorders keys and keeps neither NUL nor lone surrogates.
let database: TestDatabase
let app: ReturnType<typeof openApp>
let score: typeof lastLetter.score = lastLetter.score
const spec = exampleSpec({ owner_id: 'admin' })
const texts = fc.sample(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\0', 'é', '\ud800', '😀', 'x\udc00y', 'is B')), {
  numRuns: 450,
  seed: 7,
})

beforeAll(async () => {
  database = await openTestDatabase()
  app = openApp({ recomputation: { tasks: async () => ({ score: (...args) => score(...args) }) } })
  app.deps.store = database.store
  app.deps.newId = () => crypto.randomUUID()
  await database.store.createRun(spec, initialHead(spec), null)
  const trials = texts.map((text, at) => ({ record: recordOf(at, text, 'B'), finished_at: '2026-11-22T01:00:00.000Z', seq: at + 1 }))
  await database.store.drain({ run_id: spec.run_id, openings: [], trials, events: [], head: exampleEnded(spec).head })
})
afterAll(() => database.close())

async function rescore() {
  const response = await app.call('POST', `/api/runs/${spec.run_id}/rescore`, { body: {}, headers: asAdmin })
  const { rescores } = RescoreList.parse(await response.json())
  const page = await app.call('GET', `/api/runs/${spec.run_id}/rescores/${rescores[0]!.id}?limit=500`)
  return RescorePage.parse(await page.json())
}

test('[EXP60] through the database too the same scorer changes nothing, whatever the answers', async () => {
  const { rescore: kept, differences } = await rescore()
  expect(differences).toEqual([])
  expect(kept.counts).toEqual({ trials: texts.length, failed: 0, unchanged: texts.length, changed: 0, not_recomputed: {} })
})

test('[API85] a changed scorer is found in the real record, and both rescorings are kept beside an unchanged run', async () => {
  const before = await database.store.listTrials(spec.run_id, -1, 1000)
  score = (item, evidence, ...rest) => {
    const now = lastLetter.score(item, evidence, ...rest)
    return now.answer === 'B' ? { ...now, value: 0.5, detail: { ...now.detail, half: true } } : now
  }
  const { rescore: kept, differences } = await rescore()
  const right = texts.flatMap((text, at) => (text.endsWith('B') ? [at] : []))
  expect(differences.map(({ ordinal }) => ordinal)).toEqual(right)
  expect(differences[0]).toMatchObject({ before: { score: 1, answer: 'B' }, after: { score: 0.5, answer: 'B', detail: { half: true } } })
  expect(kept.after.accuracy?.value).toBeCloseTo((0.5 * right.length) / texts.length)
  expect(kept.before.accuracy?.value).toBeCloseTo(right.length / texts.length)
  expect(await database.store.listTrials(spec.run_id, -1, 1000)).toEqual(before)
  const list = await app.call('GET', `/api/runs/${spec.run_id}/rescores`)
  expect(RescoreList.parse(await list.json()).total).toBe(2)
})
