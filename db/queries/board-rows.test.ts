import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../embedded/test-database.ts'
import { type EndedRun, exampleEndedRun, exampleEstimate } from '../example-ended-run.ts'
import { exampleHead } from '../example-run.ts'
import { runs } from '../schema/runs.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

async function end(revision: string, score: number, given: EndedRun = {}) {
  const { store } = database
  const { spec, ended } = exampleEndedRun(revision, given)
  await store.createRun(spec, exampleHead(spec), null)
  await store.saveMetrics(spec.run_id, 'mmlu_pro', { accuracy: exampleEstimate(score) })
  await store.drain({ run_id: spec.run_id, openings: [], trials: [], events: [], head: ended })
  return spec.run_id
}

type Kept = { setup: string; owner_id: string; runs: number; apart: number; withdrawn: number; score_sum: number; best: string | null }
const keptOf = async (revision: string) =>
  (
    await database.db.execute<Kept>(sql`
      select r.* from board_rows r join boards b on b.id = r.board where b.data->>'revision' = ${revision} order by r.setup, r.owner_id`)
  ).rows
const subset = { planned: { sampled_items: 99 } }
const by = (owner_id: string, more: EndedRun = {}): EndedRun => ({ ...more, spec: { owner_id, visibility: 'private', ...more.spec } })

test('[DB109] what is kept of a setup follows every run that ends, is withdrawn, put back or deleted', async () => {
  const { store, db } = database
  const low = await end('kept', 0.5)
  const high = await end('kept', 0.75)
  await end('kept', 0.25, subset)
  await end('kept', 1, by('anna'))
  await end('kept', 0, by('anna', subset))
  await end('kept', 0.125, by('bob'))
  const anna = { owner_id: 'anna', runs: 1, apart: 1, withdrawn: 0, score_sum: 1 }
  const bob = { owner_id: 'bob', runs: 1, apart: 0, withdrawn: 0, score_sum: 0.125 }
  const all = { owner_id: '', runs: 2, apart: 1, withdrawn: 0, score_sum: 1.25, best: high }
  expect(await keptOf('kept')).toMatchObject([all, anna, bob])
  await store.withdrawRun(high, { by: 'owner', at: '2026-11-02T00:00:00.000Z' })
  expect((await keptOf('kept'))[0]).toMatchObject({ runs: 1, withdrawn: 1, score_sum: 0.5, best: low })
  await store.withdrawRun(high, null)
  expect((await keptOf('kept'))[0]).toMatchObject(all)
  await db.delete(runs).where(eq(runs.id, high))
  expect((await keptOf('kept'))[0]).toMatchObject({ runs: 1, withdrawn: 0, score_sum: 0.5, best: low })
  await db.delete(runs).where(eq(runs.owner_id, 'anna'))
  expect((await keptOf('kept')).map(({ owner_id }) => owner_id)).toEqual(['', 'bob'])
  const boards = async (viewer: string | null) =>
    (await store.listBoards(viewer === null ? [] : [viewer])).filter(({ data }) => data.revision === 'kept')
  expect(await boards(null)).toMatchObject([{ models: 1, ranked_runs: 1, apart_runs: 1 }])
  expect(await boards('bob')).toMatchObject([{ models: 1, ranked_runs: 2, apart_runs: 1 }])
})

test('[DB109] a run that moves to another board leaves nothing behind, and public and own runs of a setup are one row with the better best', async () => {
  const { store, db } = database
  const run_id = await end('moves', 0.5)
  await db.execute(sql`update board_entries set setup = gen_random_uuid() where run_id = ${run_id}::uuid`)
  expect(await keptOf('moves')).toMatchObject([{ runs: 1, best: run_id }])
  await end('joined', 0.5, { head: { cost_usd: null } })
  const best = await end('joined', 0.75, by('anna', { minutes: 7 }))
  const [board] = (await store.listBoards(['anna'])).filter(({ data }) => data.revision === 'joined')
  const page = async (viewer: string | null) => store.readBoard(board!.id, viewer === null ? [] : [viewer], 'mean', 10)
  expect((await page('anna')).rows).toMatchObject([
    {
      runs: 2,
      unlisted: 1,
      total: 200,
      best: { run_id: best, cost_usd: 1.5 },
      mean: { value: 0.625, cost_usd: null, duration_ms: 360_000 },
    },
  ])
  expect((await page(null)).rows).toMatchObject([{ runs: 1, unlisted: 0, mean: { value: 0.5 } }])
})

test('[DB109] of two transactions at once on a setup neither is lost', async () => {
  const [one, other] = [await end('races', 0.5), await end('races', 0.75)]
  const clients = [new pg.Client({ connectionString: database.url }), new pg.Client({ connectionString: database.url })] as const
  const [first, second] = clients
  try {
    for (const client of clients) await client.connect()
    const change = (client: pg.Client, run_id: string) =>
      client.query('update board_entries set withdrawn = true where run_id = $1', [run_id])
    await first.query('begin')
    await change(first, one)
    const waits = change(second, other)
    await blocked(second)
    await first.query('commit')
    await waits
  } finally {
    for (const client of clients) await client.end()
  }
  expect(await keptOf('races')).toMatchObject([{ runs: 0, withdrawn: 2, best: null }])
})

/** Resolves when the database says that what the client asked waits for a lock. */
async function blocked(client: pg.Client): Promise<void> {
  const pid = (client as unknown as { processID: number }).processID // node-postgres has it, its types do not
  for (;;) {
    const { rows } = await database.db.execute(sql`select from pg_stat_activity where pid = ${pid} and wait_event_type = 'Lock'`)
    if (rows.length > 0) return
  }
}
