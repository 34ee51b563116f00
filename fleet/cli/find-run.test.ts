import { afterEach, beforeEach, expect, test } from 'vitest'
import { exampleRun, exampleRunId, type FixtureApi, json, openFixtureApi, runBench } from './fixture-api.ts'

let api: FixtureApi
beforeEach(async () => {
  api = await openFixtureApi()
  api.on(`GET /api/runs/${exampleRunId}`, json(exampleRun()))
})
afterEach(() => api[Symbol.asyncDispose]())

const bench = (...args: string[]) => runBench(args, { BENCH_URL: api.url })

test('[CLI471] a list has short ids, names and tags, and narrows by them', async () => {
  const run = exampleRun()
  const head = { ...run.head, parked: { reason: 'no-key', detail: 'x', until: null } }
  const parked = { ...run, name: 'nightly', tags: ['ci'], status: 'paused' as const, head }
  api.on('GET /api/runs', json({ runs: [parked], total: 1 }))
  const { out } = await bench('list', '--tag', 'ci', '-b', 'mmlu_pro', '--name', 'night')
  expect(out[1]).toMatch(new RegExp(`^${exampleRunId.slice(0, 8)} +nightly #ci .* parked `))
  const { query } = api.asked.find(({ path }) => path === '/api/runs')!
  expect(Object.fromEntries(query)).toMatchObject({ tag: 'ci', benchmark: 'mmlu_pro', q: 'night' })
})

test('[CLI13] a run is named by its id, its address or as the last one of the own key', async () => {
  api.on('GET /api/runs', json({ runs: [exampleRun()], total: 1 }))
  for (const name of [exampleRunId, exampleRunId.toUpperCase(), `${api.url}/runs/${exampleRunId}/`, 'last']) {
    expect((await bench('show', name)).out[1]).toBe(`run ${exampleRunId}`)
  }
  expect(api.asked.find(({ path }) => path === '/api/runs')?.query.get('mine')).toBe('true')
  expect((await bench('show', 'nonsense')).err.join()).toContain('is not a run')
  for (const short of [exampleRunId.slice(0, 4), exampleRunId.slice(0, 13)])
    expect((await bench('show', short)).out[1]).toBe(`run ${exampleRunId}`)
  expect((await bench('show', 'ffff')).err.join()).toContain('No run that you may see begins with "ffff"')
  const twin = { ...exampleRun(), id: `${exampleRunId.slice(0, -1)}f` }
  api.on('GET /api/runs', json({ runs: [exampleRun(), twin], total: 2 }))
  expect((await bench('show', exampleRunId.slice(0, 8))).err.join()).toContain(`2 runs begin with "${exampleRunId.slice(0, 8)}"`)
  api.on('GET /api/runs', json({ runs: [{ ...exampleRun(), mine: false }], total: 1 }))
  expect(await bench('cancel', 'last')).toMatchObject({ code: 1, err: [expect.stringContaining('You have no runs here')] })
})
