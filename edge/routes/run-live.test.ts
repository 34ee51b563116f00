import { expect, test } from 'vitest'
import { Run, RunList } from '#shared/contract/api.ts'
import { UnderWay } from '#shared/contract/live.ts'
import { RunPending } from '#shared/contract/pending.ts'
import { initialHead } from '#shared/run/apply.ts'
import { asAdmin, bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleEnded, examplePlanned, exampleSpec } from '../testing/example-records.ts'

const gated = examplePlanned({ name: 'gpqa_diamond', gated: true })
const spec = exampleSpec({ owner_id: 'anna', benchmarks: [examplePlanned({ name: 'mmlu_pro' }), gated] })

async function openRun(ended = false) {
  const app = openApp()
  const stored = exampleEnded(spec)
  const head = ended ? stored.head : { ...initialHead(spec), status: 'running' as const }
  app.record.runs.set(spec.run_id, { ...stored, head })
  app.living.set(spec.run_id, { spec, head })
  const anna = bearer(await giveKey(app, 'anna'))
  const get = (path: string, headers: Record<string, string> = {}) => app.call('GET', `/api/runs/${spec.run_id}${path}`, { headers })
  return { ...app, anna, get }
}

test('[LIVE9] whoever may read the texts of an item may watch it while it is answered, and nobody else', async () => {
  const { get, anna, ...app } = await openRun()
  const stream = await get('/items/MMLU_pro/4/live?epoch=2')
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  expect(await stream.text()).toContain('"benchmark":"mmlu_pro","item_id":"4","epoch":2')
  const bob = bearer(await giveKey(app, 'bob'))
  for (const headers of [{}, bob, asAdmin]) {
    const refused = await get('/items/gpqa_diamond/0/live', headers)
    expect(await refused.json()).toMatchObject({ status: 403, code: 'forbidden', detail: expect.stringContaining('gated') })
  }
  expect((await get('/items/gpqa_diamond/0/live', anna)).status).toBe(200)
  app.living.set(spec.run_id, { ...app.living.get(spec.run_id)!, spec: { ...spec, visibility: 'private' } })
  app.record.runs.set(spec.run_id, { ...app.record.runs.get(spec.run_id)!, spec: { ...spec, visibility: 'private' } })
  expect([(await get('/items/mmlu_pro/4/live')).status, (await get('/under-way')).status]).toEqual([404, 404])
})

test('[LIVE9] what cannot be watched is said: no such item or benchmark, too many viewers, a run that has ended', async () => {
  const { get } = await openRun()
  expect(await (await get('/items/mmlu_pro/none/live')).json()).toMatchObject({ status: 404, code: 'item-not-found' })
  expect(await (await get('/items/nope/0/live')).json()).toMatchObject({ status: 404, code: 'benchmark-not-in-run' })
  const full = await get('/items/mmlu_pro/full/live')
  expect(await full.json()).toMatchObject({ status: 429, code: 'too-many-viewers' })
  expect(full.headers.get('retry-after')).toBe('10')
  expect((await get('/items/mmlu_pro/0/live?epoch=-1')).status).toBe(422)
  const ended = await openRun(true)
  expect(await (await ended.get('/items/mmlu_pro/0/live')).text()).toContain('data: {"type":"done"}')
})

test('[LIVE11] a run says which of its trials agents have now', async () => {
  const { get } = await openRun()
  expect(UnderWay.parse(await (await get('/under-way')).json())).toEqual({
    trials: [{ benchmark: 'mmlu_pro', item_id: '4', epoch: 0, attempt: 1 }],
    total: 7,
  })
  const ended = await openRun(true)
  expect(await (await ended.get('/under-way')).json()).toEqual({ trials: [], total: 0 })
})

test('[FLEET471] a run names who holds what it waits for, only where the reader may see that run', async () => {
  const { get, anna, ...app } = await openRun()
  const holder = (run_id: string) => ({ run_id, held: 1, open: 3, about_s: 60 })
  app.dealt.push({ run_id: 'shown', owner_id: 'bob', visibility: 'public', agents: 1, slots: 1 })
  app.dealt.push({ run_id: 'linked', owner_id: 'bob', visibility: 'link', agents: 1, slots: 1 })
  app.dealt.push({ run_id: 'hers', owner_id: 'anna', visibility: 'private', agents: 1, slots: 1 })
  const holders = ['shown', 'linked', 'hers', 'gone'].map(holder)
  app.pending.reasons = [{ kind: 'busy', benchmarks: ['mmlu_pro'], unit: 'cpus', needed: 1, held: 4, total: 4, holders }]
  const named = async (headers: Record<string, string>) => {
    const [reason] = RunPending.parse(await (await get('/pending', headers)).json()).reasons
    return reason?.kind === 'busy' ? reason.holders.map(({ run_id }) => run_id) : []
  }
  expect(await named({})).toEqual(['shown', null, null, null])
  expect(await named(anna)).toEqual(['shown', null, 'hers', null])
  expect(await named(asAdmin)).toEqual(['shown', 'linked', 'hers', null])
  const ended = await openRun(true)
  ended.pending.given = 1
  expect(await (await ended.get('/pending')).json()).toEqual({ agents: 0, silent_agents: 0, given: 0, reasons: [], forecast: null })
})

test('[OPS6] a run, the list of runs and what a run waits for carry its forecast; a run that has ended has none', async () => {
  const { get, anna, call, forecasts } = await openRun()
  const forecast = { position: 2, waiting: 3, starts_at: '2026-01-01T00:10:00.000Z', ends_at: null, unknown: { kind: 'no-agent' as const } }
  const id = Run.parse(await (await get('', anna)).json()).id
  forecasts[id] = forecast
  expect(await (await get('', anna)).json()).toMatchObject({ forecast })
  expect(await (await get('/pending', anna)).json()).toMatchObject({ forecast })
  expect(RunList.parse(await (await call('GET', '/api/runs', { headers: anna })).json()).runs[0]?.forecast).toEqual(forecast)
  const ended = await openRun(true)
  ended.forecasts[id] = forecast
  expect(await (await ended.get('')).json()).toMatchObject({ forecast: null })
})
