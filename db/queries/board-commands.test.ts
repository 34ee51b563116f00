import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../embedded/test-database.ts'
import { type EndedRun, exampleEndedRun, exampleEstimate } from '../example-ended-run.ts'
import { exampleHead } from '../example-run.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

/** A run that has ended with a score of a half. */
async function end(given: EndedRun = {}): Promise<void> {
  const { spec, ended } = exampleEndedRun('commands', given)
  await database.store.createRun(spec, exampleHead(spec), null)
  await database.store.saveMetrics(spec.run_id, 'mmlu_pro', { accuracy: exampleEstimate(0.5) })
  await database.store.drain({ run_id: ended.run_id, openings: [], trials: [], events: [], head: ended })
}

test('[DB130] runs whose commands worked at the machines are rows of their own, each with its command', async () => {
  const agents = [
    { command: 'one', install: null },
    { command: 'two', install: 'apt-get install two' },
  ]
  for (const agent of [...agents, agents[0]!]) await end({ planned: { agent } })
  await end()
  const [board] = await database.store.listBoards([])
  const { rows } = await database.store.readBoard(board!.id, [], 'mean', 100)
  expect(rows.map(({ runs, best }) => [runs, best.asked.agent?.command]).toSorted()).toEqual([
    [1, undefined],
    [1, 'two'],
    [2, 'one'],
  ])
  expect(rows.find(({ best }) => best.asked.agent?.command === 'two')!.best.asked.agent).toEqual(agents[1])
})
