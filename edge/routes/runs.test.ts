import { expect, test } from 'vitest'
import { runText } from '#fleet/cli/run-text.ts'
import { Run, RunList } from '#shared/contract/api.ts'
import { initialHead } from '#shared/run/apply.ts'
import { asAdmin, bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleEnded, examplePlanned, exampleSpec, exampleTrials } from '../testing/example-records.ts'

const ids = { public: '1', link: '2', private: '3' }
const idOf = (visibility: keyof typeof ids) => `${ids[visibility].repeat(8)}-1111-4111-8111-111111111111`
const unknownId = '99999999-1111-4111-8111-111111111111'

/** Three living runs of anna, one for each visibility. */
async function threeRuns() {
  const app = openApp()
  for (const visibility of ['public', 'link', 'private'] as const) {
    const spec = exampleSpec({ run_id: idOf(visibility), owner_id: 'anna', visibility })
    app.record.runs.set(spec.run_id, { spec, head: initialHead(spec), metrics: {}, updated_at: spec.created_at })
    app.living.set(spec.run_id, { spec, head: initialHead(spec) })
  }
  const [anna, bob] = [bearer(await giveKey(app, 'anna')), bearer(await giveKey(app, 'bob'))]
  return { ...app, anna, bob }
}

test('[API19] lists hold public runs and the viewer’s own, with their true number', async () => {
  const { call, anna, bob } = await threeRuns()
  const list = async (headers: Record<string, string>, query = '') =>
    RunList.parse(await (await call('GET', `/api/runs${query}`, { headers })).json())
  expect((await list({})).runs.map((run) => run.id)).toEqual([idOf('public')])
  expect((await list(bob)).total).toBe(1)
  expect((await list(anna, '?limit=2')).runs).toHaveLength(2)
  expect((await list(anna, '?limit=2')).total).toBe(3)
  expect((await list(anna, '?model_slug=MODEL-70')).total).toBe(3)
  expect((await list(anna, '?status=succeeded')).total).toBe(0)
  for (const [headers, total] of [
    [anna, 3],
    [bob, 0],
    [{}, 0],
  ] as const)
    expect((await list(headers, '?mine=true')).total).toBe(total)
})

test('[API20] a private run of another owner is the same 404 as an unknown one, on every route', async () => {
  const { call, bob, anna } = await threeRuns()
  const reads = ['', '/events', '/events?format=json', '/export', '/benchmarks/mmlu_pro', '/items/mmlu_pro/0']
  const commands = ['/cancel', '/pause', '/resume', '/retry-failed']
  for (const headers of [bob, {}])
    for (const path of reads) {
      const [hidden, unknown] = await Promise.all(
        [idOf('private'), unknownId].map((id) =>
          call('GET', `/api/runs/${id}${path}`, { headers: { ...headers, 'x-request-id': 'same' } }),
        ),
      )
      expect([path, hidden!.status]).toEqual([path, 404])
      const text = async (response: Response, id: string) => (await response.text()).replaceAll(id, '')
      expect(await text(hidden!, idOf('private'))).toBe(await text(unknown!, unknownId))
    }
  for (const path of commands) {
    expect((await call('POST', `/api/runs/${idOf('private')}${path}`, { headers: bob })).status).toBe(404)
    expect((await call('POST', `/api/runs/${idOf('private')}${path}`)).status).toBe(401)
  }
  expect((await call('GET', `/api/runs/${idOf('private')}`, { headers: anna })).status).toBe(200)
  expect((await call('GET', `/api/runs/${idOf('link')}`)).status).toBe(200)
})

test('[API20] a malformed id is 404, whatever the route', async () => {
  const { call, anna } = await threeRuns()
  for (const id of ['17', 'undefined', "1' or '1'='1", '%F0%9F%92%A9', '11111111111141118111111111111111']) {
    for (const path of ['', '/events', '/export', '/benchmarks/mmlu_pro'])
      expect((await call('GET', `/api/runs/${id}${path}`)).status).toBe(404)
    expect((await call('POST', `/api/runs/${id}/cancel`, { headers: anna })).status).toBe(404)
    expect((await call('PATCH', `/api/runs/${id}`, { headers: anna, body: { priority: 1 } })).status).toBe(404)
  }
})

test('[API21] a living run is shown with its object’s state, also while the database is away', async () => {
  const { call, record, living } = await threeRuns()
  const run = living.get(idOf('public'))!
  living.set(idOf('public'), { ...run, head: { ...run.head, status: 'running', seq: 7 } })
  const show = async () => Run.parse(await (await call('GET', `/api/runs/${idOf('public')}`)).json())
  expect((await show()).status).toBe('running')
  record.away = true
  expect((await show()).head.seq).toBe(7)
  expect((await call('GET', `/api/runs/${idOf('private')}`)).status).toBe(404)
  expect((await call('GET', `/api/runs/${unknownId}`)).status).toBe(503)
})

test('[API154] a run that has ended before its results are in the record says how many are there', async () => {
  const { call, record, living } = await threeRuns()
  const show = async () => Run.parse(await (await call('GET', `/api/runs/${idOf('public')}`)).json())
  expect((await show()).arriving).toBeNull()
  const stored = record.runs.get(idOf('public'))!
  const ended = exampleEnded(stored.spec)
  living.set(idOf('public'), { spec: stored.spec, head: { ...ended.head, done: 20, seq: 30 } })
  record.trials.set(idOf('public'), exampleTrials())
  const waiting = await show()
  expect([waiting.status, waiting.arriving]).toEqual([ended.head.status, { recorded: 4, done: 20 }])
  expect(runText(waiting, { colour: false, columns: 100, now: () => 0 })).toContain(
    '4 of 20 results are in the record, the rest follows. Items and exports are whole then.',
  )
  record.away = true
  expect((await show()).arriving).toBeNull()
  record.away = false
  record.runs.set(idOf('public'), ended)
  expect((await show()).arriving).toBeNull()
})

test('[API22] an ended run shows scores with intervals, worst and best case, and why trials failed', async () => {
  const app = openApp()
  const spec = exampleSpec({ subset: { pct: 100, count: 4, seed: '<b>', sampling: 'sha256' } })
  app.record.runs.set(spec.run_id, exampleEnded(spec))
  const run = Run.parse(await (await app.call('GET', `/api/runs/${spec.run_id}`)).json())
  expect(run).toMatchObject({
    status: 'incomplete',
    subset_seed: '<b>',
    mine: false,
    error_message: expect.stringContaining('provider/rate-limited (1)'),
  })
  const [benchmark] = run.benchmarks
  expect(benchmark).toMatchObject({ right: 2, wrong: 1, failed: 1, worst_case: 0.5, best_case: 0.75 })
  expect(benchmark!.score).toBeCloseTo(2 / 3)
  expect(run.overall_score).toBe(benchmark!.score)
  expect(benchmark!.estimate.low!).toBeGreaterThan(0)
  expect(benchmark!.estimate.low!).toBeLessThan(benchmark!.score!)
  expect(benchmark!.estimate.high!).toBeGreaterThan(benchmark!.score!)
})

test('[API22] the overall score is the unweighted mean, and null until every benchmark has a score', async () => {
  const app = openApp()
  const spec = exampleSpec({ benchmarks: [examplePlanned({ name: 'mmlu_pro' }), examplePlanned({ name: 'ifbench' })] })
  const stored = exampleEnded(spec)
  const show = async (right: number, wrong: number) => {
    const ifbench = { ...stored.head.benchmarks.ifbench!, right, wrong, score_sum: right }
    app.record.runs.set(spec.run_id, { ...stored, head: { ...stored.head, benchmarks: { ...stored.head.benchmarks, ifbench } } })
    return Run.parse(await (await app.call('GET', `/api/runs/${spec.run_id}`)).json())
  }
  expect((await show(0, 3)).overall_score).toBeCloseTo(1 / 3)
  expect((await show(0, 0)).overall_score).toBeNull()
})

test('[API22] a recorded metric is the score once the run’s end has written it', async () => {
  const app = openApp()
  const spec = exampleSpec()
  const accuracy = { value: 0.7, low: 0.6, high: 0.8, n: 3, method: 'clustered' }
  app.record.runs.set(spec.run_id, { ...exampleEnded(spec), metrics: { mmlu_pro: { accuracy } } })
  const run = Run.parse(await (await app.call('GET', `/api/runs/${spec.run_id}`)).json())
  expect(run.benchmarks[0]).toMatchObject({ score: 0.7, estimate: accuracy, estimates: { accuracy } })
})

test('[API22] a run that was opened again is not shown with the metrics of its former end', async () => {
  const app = openApp()
  const spec = exampleSpec({ owner_id: 'anna' })
  const ended = exampleEnded(spec)
  const accuracy = { value: 0.7, low: 0.5, high: 0.8, n: 10, method: 'wilson' }
  const open = { ...ended.head, status: 'running' as const }
  app.record.runs.set(spec.run_id, { ...ended, head: open, metrics: { mmlu_pro: { accuracy } } })
  app.living.set(spec.run_id, { spec, head: { ...open, seq: open.seq + 1 } })
  const run = Run.parse(await (await app.call('GET', `/api/runs/${spec.run_id}`)).json())
  expect(run.benchmarks[0]).toMatchObject({
    metrics: {},
    estimate: { n: open.benchmarks.mmlu_pro!.right + open.benchmarks.mmlu_pro!.wrong },
  })
})

test('[API23] the owner commands his run, another owner is 403, and a wrong state is 400 with the reason', async () => {
  const { call, anna, bob, commands } = await threeRuns()
  const post = (path: string, headers: Record<string, string>) => call('POST', `/api/runs/${idOf('public')}${path}`, { headers })
  expect((await post('/cancel', {})).status).toBe(401)
  expect((await post('/cancel', bob)).status).toBe(403)
  expect(await (await post('/resume', anna)).json()).toMatchObject({ status: 400, code: 'wrong-state', detail: 'The run is not paused.' })
  for (const path of ['/pause', '/resume', '/cancel', '/retry-failed'])
    expect(await (await post(path, anna)).json()).toMatchObject({ success: true })
  expect(commands.map((one) => one.command.type)).toEqual(['pause', 'resume', 'cancel', 'retry_failed'])
})

test('[API23] a command reaches a run whose object was never told of it', async () => {
  const { call, anna, living, commands } = await threeRuns()
  living.clear()
  expect((await call('POST', `/api/runs/${idOf('private')}/cancel`, { headers: anna })).status).toBe(200)
  expect([commands.length, living.get(idOf('private'))?.head.status]).toEqual([1, 'canceled'])
})

test('[API23] concurrency and priority change within their bounds, and something must be given', async () => {
  const { call, anna, bob } = await threeRuns()
  const patch = (body: unknown, headers: Record<string, string> = anna) => call('PATCH', `/api/runs/${idOf('public')}`, { headers, body })
  expect(Run.parse(await (await patch({ concurrency: 128, priority: -3 })).json()).head).toMatchObject({ concurrency: 128, priority: -3 })
  for (const body of [{}, { concurrency: 0 }, { concurrency: 2001 }, { priority: 101 }, { priority: 1, status: 'succeeded' }])
    expect([body, (await patch(body)).status]).toEqual([body, 422])
  expect((await patch({ priority: 1 }, bob)).status).toBe(403)
  expect((await patch({ priority: 1 }, {})).status).toBe(401)
})

test('[RUN70] the budget is changed or lifted with the same request, by the owner only', async () => {
  const { call, anna, bob, commands } = await threeRuns()
  const patch = (body: unknown, headers: Record<string, string> = anna) => call('PATCH', `/api/runs/${idOf('public')}`, { headers, body })
  expect(Run.parse(await (await patch({ budget_usd: 2.5 })).json()).head.budget_usd).toBe(2.5)
  expect(Run.parse(await (await patch({ budget_usd: null })).json()).head.budget_usd).toBeNull()
  expect(commands.map(({ command }) => command)).toEqual([
    { type: 'set_budget', budget_usd: 2.5 },
    { type: 'set_budget', budget_usd: null },
  ])
  for (const budget_usd of [-1, 'much']) expect((await patch({ budget_usd })).status).toBe(422)
  expect((await patch({ budget_usd: 1 }, bob)).status).toBe(403)
})

test('[API23] an admin queues any ended run again', async () => {
  const { call, anna } = await threeRuns()
  const requeue = (headers: Record<string, string>) => call('POST', `/api/admin/runs/${idOf('private')}/requeue`, { headers })
  expect((await requeue({})).status).toBe(401)
  expect((await requeue(anna)).status).toBe(403)
  expect((await requeue(asAdmin)).status).toBe(400)
  await call('POST', `/api/runs/${idOf('private')}/cancel`, { headers: anna })
  expect((await requeue(asAdmin)).status).toBe(200)
})

test('[RUN90] the answer to a retry says how many are asked again, and which are not', async () => {
  const app = openApp()
  const spec = exampleSpec({ owner_id: 'anna' })
  const ended = exampleEnded(spec)
  const head = { ...ended.head, failures: { 'provider/overloaded': 1, 'provider/context-length': 3 } }
  app.record.runs.set(spec.run_id, { ...ended, head })
  app.living.set(spec.run_id, { spec, head })
  const anna = bearer(await giveKey(app, 'anna'))
  const answer = await app.call('POST', `/api/runs/${spec.run_id}/retry-failed`, { headers: anna })
  expect(await answer.json()).toEqual({
    success: true,
    message: '1 failed trial queued again. 3 trials would fail again and stay failed: provider/context-length (3).',
  })
})

test('[API130] an owner names and tags a run, and the list is narrowed by it; others may not', async () => {
  const { call, anna, bob } = await threeRuns()
  const patch = (headers: Record<string, string>, body: object) => call('PATCH', `/api/runs/${idOf('public')}`, { headers, body })
  const named = await patch(anna, { name: ' Nightly ', tags: ['gate', 'gate', 'night'] })
  expect(Run.parse(await named.json())).toMatchObject({ name: 'Nightly', tags: ['gate', 'night'] })
  const list = async (query: string) => RunList.parse(await (await call('GET', `/api/runs${query}`)).json()).runs.map((run) => run.name)
  expect([await list('?tag=gate'), await list('?tag=other'), await list(`?ids=${idOf('public')},x`)]).toEqual([
    ['Nightly'],
    [],
    ['Nightly'],
  ])
  expect(Run.parse(await (await patch(anna, { name: null })).json())).toMatchObject({ name: null, tags: ['gate', 'night'] })
  expect((await patch(bob, { name: 'mine' })).status).toBe(403)
  for (const body of [{}, { name: '' }, { name: 'x'.repeat(121) }, { tags: [''] }, { tags: Array.from({ length: 21 }, (_, n) => `${n}`) }])
    expect([body, (await patch(anna, body)).status]).toEqual([body, 422])
  for (const query of ['?sort=luck', '?since=yesterday', '?until=2026-13-40'])
    expect((await call('GET', `/api/runs${query}`)).status).toBe(422)
})

test('[API6] moments with any offset and of any year reach the record as moments that it knows', async () => {
  const { call, deps } = openApp()
  const asked: (string | undefined)[] = []
  const { listRuns } = deps.store
  deps.store.listRuns = (filter) => {
    asked.push(filter.since, filter.until)
    return listRuns(filter)
  }
  const query = new URLSearchParams({ since: '0000-01-01T00:00:00+10:00', until: '0495-04-01T01:25:40.070-21:10' })
  expect((await call('GET', `/api/runs?${query}`)).status).toBe(200)
  expect((await call('GET', '/api/runs?since=2026-01-02&until=9999-12-31T23:59:59-16:00')).status).toBe(200)
  expect(asked).toEqual(['0001-01-01T00:00:00.000Z', '0495-04-01T22:35:40.070Z', '2026-01-02T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])
})
