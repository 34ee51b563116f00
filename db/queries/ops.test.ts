import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../embedded/test-database.ts'
import { exampleHead, exampleSpec, exampleTrial } from '../example-run.ts'
import type { StoredTrial } from '../store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const hourMs = 3600_000
const ago = (hours: number): string => new Date(Date.now() - hours * hourMs).toISOString()

async function create(trials: StoredTrial[], changes: Parameters<typeof exampleHead>[1] = {}, spec = exampleSpec()) {
  await database.store.createRun(spec, exampleHead(spec), null)
  await database.store.drain({ run_id: spec.run_id, openings: [], trials, events: [], head: exampleHead(spec, { seq: 1, ...changes }) })
  return spec.run_id
}
const trial = (ordinal: number, hours: number, changes: Parameters<typeof exampleTrial>[1] = {}): StoredTrial => ({
  ...exampleTrial(ordinal, changes),
  finished_at: ago(hours),
})
const failed = {
  outcome: 'failed',
  score: null,
  failure: { at: 'provider', reason: 'total-timeout', status: null, retryable: true, detail: 'x' },
}

test('[OPS9] sums of a day and of seven days are of trials that ended in them, of all owners, and not of imported runs', async () => {
  const private_run = exampleSpec({ owner_id: 'somebody', visibility: 'private' })
  await create(
    [trial(0, 1), trial(1, 30), trial(2, 24 * 8), trial(3, 2, { ...failed, cost_usd: null })],
    { status: 'running' },
    private_run,
  )
  const ended = await create([trial(0, 3)], { status: 'succeeded', completed_at: ago(2) })
  const imported = { from: 'harbor', job: 'j', job_id: '1', agent: 'a', sha256: 'c'.repeat(64), at: ago(1) }
  await create([trial(0, 1)], { status: 'succeeded', completed_at: ago(1) }, exampleSpec({ imported }))
  const { counts, queued, running, ended: newest, usage } = await database.store.readOps(ago(24 * 7), ago(24))
  expect(counts).toEqual({ running: 1, succeeded: 2 })
  expect([queued.length, running.map(({ spec }) => spec.run_id)]).toEqual([0, [private_run.run_id]])
  expect(newest.map(({ spec }) => spec.run_id).at(-1)).toBe(ended)
  const [fine, timeouts] = [usage.find(({ failure }) => failure === null)!, usage.find(({ failure }) => failure !== null)!]
  expect(fine.day).toMatchObject({ trials: 2, input_tokens: 200, output_tokens: 40, unpriced: 0 })
  expect(fine.day.cost_usd).toBeCloseTo(0.002)
  expect(fine.week).toMatchObject({ trials: 3, input_tokens: 300 })
  expect(timeouts).toMatchObject({ failure: 'provider/total-timeout', day: { trials: 1, unpriced: 1, cost_usd: 0 } })
})
