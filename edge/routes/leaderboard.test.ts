import { expect, test } from 'vitest'
import type { StoredBoard, StoredEntry } from '#db/store.ts'
import { Leaderboard, ListingState, RunListing } from '#shared/contract/board.ts'
import { asAdmin, bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleEnded, exampleSpec } from '../testing/example-records.ts'

const spec = exampleSpec({ owner_id: 'anna' })
const board: StoredBoard = {
  ...{ id: '11111111-2222-4333-8444-555555555555', benchmark: 'mmlu_pro', version: 1, scorer_version: 1, profile: 'official' },
  data: { source: 'pinned', repo: 'r', revision: 'x', files: [{ role: 'test', path: 'secret.csv', sha256: null, rows: 1 }] },
  ...{ models: 2, ranked_runs: 3, apart_runs: 4 },
}
const limits = (value: number) => ({ low: value - 0.05, high: value + 0.05 })
const entry = (value: number, provider: string, apart: StoredEntry['apart'] = null): StoredEntry => ({
  ...{ run_id: spec.run_id, owner_id: 'anna', cost_usd: 1, duration_ms: 1000, failed: 1, total: 100, epochs: 1, planned_epochs: 1 },
  ...{ sampled_items: 100, total_items: 100, rescored: false, status: 'succeeded', apart, ended_at: '2026-01-02T03:04:05.000Z' },
  asked: { model_id: 'm', model_slug: 'org/m', provider, params: spec.benchmarks[0]!.params, roles: {} },
  estimate: { value, ...limits(value), n: 99, method: 'test', limits: { as_answered: limits(value), expected: limits(value) } },
})
function withBoard() {
  const app = openApp()
  app.record.runs.set(spec.run_id, exampleEnded(spec))
  app.record.boards.listed.push(board)
  const mean = (value: number, off: number) => ({ value, below: off, above: off, cost_usd: 2, duration_ms: 3000 })
  app.record.boards.pages.set(board.id, {
    rows: [
      { best: entry(0.9, 'chutes'), mean: mean(0.98, 0.03), runs: 2, unlisted: 1, withdrawn: 1, failed: 2, total: 200 },
      { best: entry(0.7, 'demo'), mean: mean(0.7, 0.05), runs: 1, unlisted: 0, withdrawn: 0, failed: 1, total: 100 },
    ],
    ...{ total: 7, apart: [entry(0.99, 'chutes', 'subset')], withdrawn: [] },
  })
  const get = async (query = '', headers: Record<string, string> = {}) =>
    Leaderboard.parse(await (await app.call('GET', `/api/leaderboard${query}`, { headers })).json())
  return { ...app, get }
}

test('[API178] a board has ranked rows with their best and mean, runs apart with the reason, and what there is to choose', async () => {
  const { get, call } = withBoard()
  const answer = await get()
  expect(answer).toMatchObject({ board: { id: board.id }, sort: 'mean', total: 7, apart_total: 4 })
  expect(answer.rows).toMatchObject([
    {
      rank: 1,
      runs: 2,
      unlisted_runs: 1,
      withdrawn_runs: 1,
      demo: false,
      failed: 2,
      total: 200,
      best: { cost_usd: 1, failed: 1, mine: false },
    },
    { rank: 2, demo: true, mean: { cost_usd: 2, duration_ms: 3000 } },
  ])
  expect(answer.rows[0]!.mean.estimate).toMatchObject({ value: 0.98, low: 0.95, high: 1, n: 99, trials: 198, target: 'expected' })
  expect(answer.apart).toMatchObject([{ reason: 'subset', run: { run_id: spec.run_id } }])
  expect(await (await call('GET', '/api/leaderboard')).text()).not.toContain('secret.csv')
  expect(await get('?benchmark=ifeval')).toMatchObject({ board: null, rows: [], boards: [{ id: board.id }] })
  expect((await call('GET', '/api/leaderboard?sort=worst')).status).toBe(422)
})

test('[API178] an own run is marked for its owner', async () => {
  const app = withBoard()
  expect((await app.get('', bearer(await giveKey(app, 'anna')))).rows[0]!.best.mine).toBe(true)
  expect((await app.get('', bearer(await giveKey(app, 'bob')))).rows[0]!.best.mine).toBe(false)
})

test('[API179] an owner withdraws his run and puts it back; what the operator withdrew only he puts back', async () => {
  const app = withBoard()
  const anna = bearer(await giveKey(app, 'anna'))
  const put = async (listed: boolean, headers: Record<string, string>) => {
    const response = await app.call('PUT', `/api/runs/${spec.run_id}/leaderboard`, { headers, body: { listed } })
    return response.status === 200 ? ListingState.parse(await response.json()) : response.status
  }
  expect(await put(false, anna)).toMatchObject({ listed: false, withdrawn: { by: 'owner' } })
  expect(await put(true, anna)).toEqual({ listed: true, withdrawn: null })
  expect(await put(false, anna)).toMatchObject({ withdrawn: { by: 'owner' } })
  expect(await put(false, asAdmin)).toMatchObject({ withdrawn: { by: 'operator' } })
  expect(await put(false, anna)).toMatchObject({ withdrawn: { by: 'operator' } })
  expect(await put(true, anna)).toBe(403)
  expect(await put(true, bearer(await giveKey(app, 'bob')))).toBe(403)
  expect(app.record.boards.withdrawals.get(spec.run_id)?.by).toBe('operator')
  expect(await put(true, asAdmin)).toEqual({ listed: true, withdrawn: null })
  expect(app.record.runs.get(spec.run_id)).toEqual(exampleEnded(spec))
})

test('[API179] an operator puts back a run of his own that was withdrawn as the operator’s', async () => {
  const { record, call } = withBoard()
  record.runs.set(spec.run_id, exampleEnded({ ...spec, owner_id: 'admin' }))
  record.boards.withdrawals.set(spec.run_id, { by: 'operator', at: '2026-01-02T03:04:05.000Z' })
  const response = await call('PUT', `/api/runs/${spec.run_id}/leaderboard`, { headers: asAdmin, body: { listed: true } })
  expect(ListingState.parse(await response.json())).toEqual({ listed: true, withdrawn: null })
})

test('[API178] when another board is to be shown than the last time, that one is', async () => {
  const { get, record } = withBoard()
  expect(await get()).toMatchObject({ board: { id: board.id }, total: 7 })
  const better = { ...board, id: '22222222-2222-4333-8444-555555555555', version: 2, apart_runs: 0 }
  record.boards.listed.push(better)
  expect(await get()).toMatchObject({ board: { id: better.id }, rows: [], total: 0, apart_total: 0 })
  expect(await get('?benchmark=ifeval')).toMatchObject({ board: null, rows: [] })
})

test('[API178] a named board is shown only where the viewer has it in his list; a name that is no id fits none', async () => {
  const { get, record } = withBoard()
  expect(await get(`?board=${board.id}`)).toMatchObject({ board: { id: board.id }, total: 7 })
  const hidden = '99999999-2222-4333-8444-555555555555'
  record.boards.pages.set(hidden, record.boards.pages.get(board.id)!)
  for (const id of [hidden, 'nonsense']) expect(await get(`?board=${id}`)).toMatchObject({ board: null, rows: [], total: 0, apart: [] })
})

test('[API187] its owner is told on which boards a run stands, the best of its row or not, and who withdrew it', async () => {
  const app = withBoard()
  const places = [{ benchmark: 'mmlu_pro', board: board.id, reason: 'subset' as const }]
  app.record.boards.places.set(spec.run_id, places)
  const ask = async (headers: Record<string, string>) => {
    const response = await app.call('GET', `/api/runs/${spec.run_id}/leaderboard`, { headers })
    return response.status === 200 ? RunListing.parse(await response.json()) : response.status
  }
  const anna = bearer(await giveKey(app, 'anna'))
  expect(await ask(anna)).toEqual({ listed: true, withdrawn: null, places })
  await app.call('PUT', `/api/runs/${spec.run_id}/leaderboard`, { headers: asAdmin, body: { listed: false } })
  expect(await ask(anna)).toMatchObject({ listed: false, withdrawn: { by: 'operator' }, places })
  expect(await ask(bearer(await giveKey(app, 'bob')))).toBe(403)
})
