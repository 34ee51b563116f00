import { expect, test } from 'vitest'
import { Run } from '#shared/contract/api.ts'
import { asAdmin, bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleEnded, exampleModel, exampleSpec, exampleTrials } from '../testing/example-records.ts'

test('[API430] a run is private without visibility, public for invented answers, and as it was asked otherwise', async () => {
  const app = openApp()
  app.record.models.set(exampleModel().id, exampleModel())
  const headers = bearer(await giveKey(app, 'anna'))
  const start = async (body: object) => {
    const answer = await app.call('POST', '/api/runs', { headers, body: { selected_benchmarks: ['mmlu_pro'], ...body } })
    const text = await answer.text()
    expect(answer.status, text).toBe(201)
    return Run.parse(JSON.parse(text)).visibility
  }
  expect(await start({ model_id: exampleModel().id })).toBe('private')
  expect(await start({ model_id: exampleModel().id, visibility: null })).toBe('private')
  expect(await start({ model_id: 'demo/coin', provider: 'demo' })).toBe('public')
  for (const visibility of ['link', 'public', 'private'] as const)
    expect(await start({ model_id: exampleModel().id, visibility })).toBe(visibility)
})

test('[API430] a change of visibility is followed at once by reads, lists, exports and the object that answers without the database', async () => {
  const app = openApp()
  const spec = exampleSpec({ owner_id: 'anna', visibility: 'public' })
  const ended = exampleEnded(spec)
  app.record.runs.set(spec.run_id, ended)
  app.record.trials.set(spec.run_id, exampleTrials())
  app.living.set(spec.run_id, { spec, head: ended.head })
  const owner = bearer(await giveKey(app, 'anna'))
  const other = bearer(await giveKey(app, 'bert'))
  const paths = ['', '/export?format=json', '/export?format=csv', '/events', '/benchmarks/mmlu_pro'].map(
    (rest) => `/api/runs/${spec.run_id}${rest}`,
  )
  const seen = async (headers: Record<string, string>) => {
    const statuses: number[] = []
    for (const path of paths) statuses.push((await app.call('GET', path, { headers })).status)
    const listed = ((await (await app.call('GET', '/api/runs', { headers })).json()) as { total: number }).total
    app.record.away = true
    const alive = (await app.call('GET', paths[0]!, { headers: {} })).status
    app.record.away = false
    return { statuses: new Set(statuses), listed, alive }
  }
  const share = (visibility: string, headers = owner) => app.call('PATCH', paths[0]!, { headers, body: { visibility } })
  const shown = { statuses: new Set([200]), listed: 1, alive: 200 }
  const hidden = { statuses: new Set([404]), listed: 0, alive: 404 }
  expect(await seen(other)).toEqual(shown)
  expect(Run.parse(await (await share('private')).json()).spec.visibility).toBe('private')
  expect([await seen(other), await seen({})]).toEqual([hidden, hidden])
  expect((await seen(owner)).statuses).toEqual(new Set([200]))
  expect((await share('public', other)).status).toBe(404)
  expect((await share('link')).status).toBe(200)
  expect(await seen(other)).toEqual({ ...shown, listed: 0 })
  expect((await share('private', other)).status).toBe(403)
  expect((await share('everybody')).status).toBe(422)
  expect((await share('public', asAdmin as never)).status).toBe(200)
  expect(await seen({})).toEqual(shown)
})
