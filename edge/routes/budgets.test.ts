import { expect, test } from 'vitest'
import { ApiKeyList, CreatedApiKey } from '#shared/contract/api-keys.ts'
import { Budget, BudgetList, holderOf } from '#shared/contract/budget.ts'
import type { ProblemBody } from '#shared/contract/problem.ts'
import { initialHead } from '#shared/run/apply.ts'
import { reserveUsd } from '#shared/run/reserve.ts'
import { spendingParked } from '#shared/run/spending.ts'
import { asAdmin, bearer, chutesKey, openApp } from '../testing/call-app.ts'
import { exampleModel } from '../testing/example-records.ts'
import { openSignIn } from '../testing/sign-in-stage.ts'

const model = exampleModel()
const body = { model_id: model.id, selected_benchmarks: ['mmlu_pro'] }
const problemOf = async (answer: Response) => (await answer.json()) as ProblemBody

function stage() {
  const app = openApp()
  app.record.models.set(model.id, model)
  const make = async (more: object) =>
    CreatedApiKey.parse(await (await app.call('POST', '/api/keys', { headers: asAdmin, body: { name: 'ci', ...more } })).json())
  const start = (key: string, more: object = {}) => app.call('POST', '/api/runs', { headers: bearer(key), body: { ...body, ...more } })
  const set = (holder: string, limits: object, headers = asAdmin as Record<string, string>) =>
    app.call('PUT', `/api/budgets/${holder}`, { headers, body: limits })
  const list = async (headers: Record<string, string>) =>
    BudgetList.parse(await (await app.call('GET', '/api/budgets', { headers })).json()).budgets
  return { ...app, make, start, set, list }
}

test('[BUDGET7] 200 starts at once against a budget of $1 reserve no more than that; the others are refused before anything is stored', async () => {
  const { make, start, record, living, list, deps } = stage()
  deps.guard = { strike: async () => ({ blocked_until_ms: null, remaining: 1 }) } // neither pace nor open runs bound this crowd
  deps.config.access = { ...deps.config.access, most_open_runs_per_owner: 1000 }
  const { key } = await make({ owner: 'Ada', budget: { day_usd: 1 } })
  record.models.set(model.id, {
    ...model,
    price: { input_per_million_usd: 0, output_per_million_usd: 10, cached_input_per_million_usd: null },
  })
  const first = (await (await start(key)).json()) as { id: string }
  const reserve = reserveUsd(record.runs.get(first.id)!.spec)!
  expect(reserve).toBeGreaterThan(0.005)
  const answers = await Promise.all(Array.from({ length: 200 }, () => start(key)))
  const refused = answers.filter(({ status }) => status === 402)
  const most = Math.floor(1 / reserve + 1e-9)
  expect([record.runs.size, living.size, refused.length]).toEqual([most, most, 201 - most])
  expect(await problemOf(refused[0]!)).toMatchObject({ code: 'budget-used-up', detail: expect.stringContaining('reserved by other runs') })
  const [person, ci] = await list(bearer(key))
  expect(ci).toMatchObject({ kind: 'key', name: 'ci', set_by: 'operator', day: { limit_usd: 1, spent_usd: 0 } })
  expect(ci!.day.reserved_usd).toBeCloseTo(most * reserve)
  expect(person).toMatchObject({ kind: 'person', name: 'Ada', set_by: null, day: { limit_usd: null, reserved_usd: ci!.day.reserved_usd } })
})

test('[BUDGET9] a budget that is used up refuses a start with whose it is and until when; one of the person counts all keys of the person', async () => {
  const { make, start, set, deps, list } = stage()
  const [one, two] = [await make({ owner: 'Ada' }), await make({ owner: 'ada ' })]
  const [person] = await list(bearer(one.key))
  const limited = Budget.parse(await (await set(`person/${person!.id}`, { day_usd: 0.5 })).json())
  expect(limited).toMatchObject({ kind: 'person', name: 'ada', set_by: 'operator', day: { limit_usd: 0.5 } })
  await deps.budgets.take(holderOf('person', person!.id), {
    run_id: 'x',
    turn: 1,
    spent_usd: 0.5,
    lost_usd: 0,
    bound_usd: 0.5,
    need_usd: 0.5,
    want_usd: 0.5,
  })
  for (const { key } of [one, two]) {
    const answer = await start(key)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([402, String(20 * 3600 + 55 * 60 + 55)])
    expect((await problemOf(answer)).detail).toBe(
      'Your budget for today is used up until 2026-01-03 at 00:00 UTC. Whoever set the budget can raise it.',
    )
  }
  expect((await start(one.key, { model_id: 'demo/coin' })).status).toBe(201) // nobody pays for invented answers
  expect((await set('person/ADA', { day_usd: null, month_usd: 9 })).status).toBe(200)
  expect((await start(one.key)).status).toBe(201)
})

test('[BUDGET3] under a budget a run needs a known price; what refuses it reserves nothing anywhere', async () => {
  const { make, start, record, set, list } = stage()
  const { key, id } = await make({ owner: 'Ada' })
  record.models.set(model.id, { ...model, price: null })
  expect((await start(key)).status).toBe(201)
  await set(`key/${id}`, { month_usd: 1 })
  const refused = await start(key)
  expect([refused.status, (await problemOf(refused)).errors]).toEqual([
    422,
    [{ pointer: '/price', message: expect.stringContaining('Name a price') }],
  ])
  const price = { input_per_million_usd: 1000, output_per_million_usd: 0, cached_input_per_million_usd: null }
  expect((await start(key, { price })).status).toBe(402)
  for (const { day } of await list(bearer(key))) expect(day.reserved_usd).toBe(0)
  record.away = true
  expect((await start(key, { price: { ...price, input_per_million_usd: 1 } })).status).toBe(503)
})

test('[BUDGET9] a run that could not be stored gives its reservation back', async () => {
  const { make, start, deps, list } = stage()
  const { key } = await make({ budget: { day_usd: 5 } })
  deps.store = { ...deps.store, createRun: () => Promise.reject(new Error('broken')) }
  expect((await start(key)).status).toBe(500)
  for (const { day } of await list(bearer(key))) expect(day.reserved_usd).toBe(0)
})

test('[BUDGET10] an operator sets any budget; a person those of own keys unless an operator has, and nobody else’s', async () => {
  const { browser, call } = openSignIn()
  const [ada, grace] = [browser(), browser()]
  await ada.signIn()
  await grace.signIn('/', (form) => form.set('person', 'd4e5f6'))
  const mine = CreatedApiKey.parse(await (await ada.call('POST', '/api/keys', { body: { name: 'ci', budget: { day_usd: 1 } } })).json())
  expect(mine.budget).toMatchObject({ set_by: 'owner', day: { limit_usd: 1 }, month: { limit_usd: null } })
  const set = async (who: { call: typeof call }, holder: string, limits: object = { month_usd: 2 }, headers = {}) =>
    (await who.call('PUT', `/api/budgets/${holder}`, { body: limits, headers })).status
  expect(await set(ada, `key/${mine.id}`)).toBe(200)
  expect(await set(grace, `key/${mine.id}`)).toBe(404)
  expect(await set(ada, 'person/ada')).toBe(403)
  expect(await set({ call }, `key/${mine.id}`, undefined, bearer(mine.key))).toBe(403)
  for (const limits of [{}, { day_usd: -1 }, { day_usd: '1' }, { week_usd: 1 }]) expect(await set(ada, `key/${mine.id}`, limits)).toBe(422)
  const [listed] = ApiKeyList.parse(await (await ada.call('GET', '/api/keys')).json()).keys
  expect(listed!.budget).toMatchObject({ day: { limit_usd: 1 }, month: { limit_usd: 2 } })
  expect(await set({ call }, `key/${mine.id}`, { day_usd: 0.1 }, asAdmin)).toBe(200)
  expect(await set(ada, `key/${mine.id}`)).toBe(403)
  expect(await set({ call }, `key/${mine.id}`, { day_usd: null, month_usd: null }, asAdmin)).toBe(200)
  expect(await set(ada, `key/${mine.id}`)).toBe(200)
  expect(await set({ call }, 'person/nobody', {}, asAdmin)).toBe(422)
  expect(await set({ call }, 'person/nobody', undefined, asAdmin)).toBe(404)
  const all = BudgetList.parse(await (await call('GET', '/api/budgets', { headers: asAdmin })).json()).budgets
  expect(all.map(({ kind, name }) => [kind, name])).toEqual([['key', 'ci']])
  const own = BudgetList.parse(await (await ada.call('GET', '/api/budgets')).json()).budgets
  expect(own.map(({ kind, name }) => [kind, name])).toEqual([
    ['person', 'ada'],
    ['key', 'ci'],
  ])
  expect((await call('GET', '/api/budgets', { headers: bearer(chutesKey) })).status).toBe(200)
})

test('[BUDGET4] a raised budget resumes the runs that it parked, and no run that somebody paused', async () => {
  const { make, start, set, deps, record, living, commands } = stage()
  const { key, id } = await make({ budget: { day_usd: 1 } })
  const holder = holderOf('key', id)
  const runs: string[] = []
  for (let n = 0; n < 2; n++) runs.push(((await (await start(key)).json()) as { id: string }).id)
  for (const [at, run_id] of runs.entries()) {
    const spec = record.runs.get(run_id)!.spec
    const parked = at === 0 ? spendingParked(holder, { period: 'day', until: '2026-01-03T00:00:00.000Z' }) : null
    living.set(run_id, { spec, head: { ...initialHead(spec), status: 'paused', parked } })
    await deps.budgets.take(holder, { run_id, turn: 1, spent_usd: 1, lost_usd: 0, bound_usd: 1, need_usd: 1.1, want_usd: 1.1 })
  }
  expect((await set(`key/${id}`, { day_usd: 9 })).status).toBe(200)
  expect(commands).toEqual([{ run_id: runs[0], command: { type: 'resume' } }])
})
