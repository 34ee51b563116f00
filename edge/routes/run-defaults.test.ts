import { expect, test } from 'vitest'
import type { Run } from '#shared/contract/api.ts'
import { bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleModel } from '../testing/example-records.ts'
import { openSignIn } from '../testing/sign-in-stage.ts'

const model_id = exampleModel().id
const selected_benchmarks = ['mmlu_pro']

async function signedIn() {
  const stage = openSignIn()
  const [ada, grace] = [stage.browser(), stage.browser()]
  await ada.signIn()
  await grace.signIn('/', (form) => form.set('person', 'd4e5f6'))
  return { ...stage, ada, grace }
}
type Who = Awaited<ReturnType<typeof signedIn>>['ada']
const defaultsOf = async (who: Who) => (await (await who.call('GET', '/api/run-defaults')).json()) as { defaults: object | null }
const start = async (who: Pick<Who, 'call'>, body: object, headers = {}) => {
  const answer = await who.call('POST', '/api/runs', { body: { selected_benchmarks, ...body }, headers })
  return { status: answer.status, body: (await answer.json()) as Run & { detail: string; errors: object[] } }
}

test('[DEFAULT1] each keeps one set of defaults for the own runs, replaces and clears it', async () => {
  const { ada, grace, record } = await signedIn()
  expect(await defaultsOf(ada)).toEqual({ defaults: null })
  const put = (body: object) => ada.call('PUT', '/api/run-defaults', { body })
  expect((await put({ model_id, temperature: 0.2, concurrency: 7 })).status).toBe(200)
  expect((await put({ model_id, max_tokens: 500 })).status).toBe(200)
  expect(await defaultsOf(ada)).toEqual({ defaults: { model_id, max_tokens: 500 } })
  expect(await defaultsOf(grace)).toEqual({ defaults: null })
  for (const body of [{}, { model_id, temperature: 3 }, { model_id, seed: 1 }]) expect((await put(body)).status).toBe(422)
  expect(record.audit.at(-1)).toMatchObject({ action: 'defaults.set', target: 'defaults', detail: { max_tokens: 500 } })
  expect((await grace.call('DELETE', '/api/run-defaults')).status).toBe(200)
  expect(await defaultsOf(ada)).toEqual({ defaults: { model_id, max_tokens: 500 } })
  expect((await ada.call('DELETE', '/api/run-defaults')).status).toBe(200)
  expect(await defaultsOf(ada)).toEqual({ defaults: null })
})

test('[DEFAULT2] a request without a model means its sender’s defaults, and whatever it names stands in their place', async () => {
  const { ada, grace } = await signedIn()
  await ada.call('PUT', '/api/run-defaults', {
    body: {
      model_id,
      provider: 'chutes',
      temperature: 0.2,
      reasoning_budget_tokens: null,
      reasoning_effort: 'low',
      concurrency: 7,
      budget_usd: null,
    },
  })
  const shown = ({ body: { spec } }: Awaited<ReturnType<typeof start>>) => {
    const { temperature, max_tokens, reasoning_effort } = spec.benchmarks[0]!.params
    return { model: spec.model.id, concurrency: spec.concurrency, temperature, max_tokens, reasoning_effort }
  }
  const own = shown(await start(ada, { model_id }))
  expect(own).toMatchObject({ concurrency: 64, reasoning_effort: null })
  const meant = { ...own, temperature: 0.2, reasoning_effort: 'low', concurrency: 7 }
  expect(shown(await start(ada, {}))).toEqual(meant)
  expect(shown(await start(ada, { temperature: 1, concurrency: 64 }))).toEqual({ ...meant, temperature: 1, concurrency: 64 })
  expect(shown(await start(ada, { temperature: null }))).toEqual({ ...meant, temperature: own.temperature })
  expect(shown(await start(ada, { reasoning_effort: null }))).toEqual({ ...meant, reasoning_effort: null })
  const none = await start(grace, {})
  expect(none).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('no default model'), errors: [{ pointer: '/model_id' }] },
  })
  expect(await start(ada, { replay: [{ texts: ['A'] }] })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/model_id' }] } })
  const plan = async (body: object) =>
    ((await (await ada.call('POST', '/api/runs/plan', { body: { selected_benchmarks, ...body } })).json()) as { notes: string[] }).notes[0]
  expect(await plan({})).toContain('your default model and parameters are used')
  expect(await plan({ model_id })).not.toContain('default model')
})

test('[DEFAULT2] an API key starts with the defaults of its owner, and changes none', async () => {
  const app = openApp()
  app.record.models.set(model_id, exampleModel())
  const headers = bearer(await giveKey(app, 'anna'))
  await app.deps.store.writeSetting('run-defaults|anna', { model_id, concurrency: 3 })
  expect((await start(app, {}, headers)).body.spec).toMatchObject({ model: { id: model_id }, concurrency: 3 })
  expect((await app.call('PUT', '/api/run-defaults', { body: { model_id }, headers })).status).toBe(403)
  expect((await start(app, {}, bearer(await giveKey(app, 'bert')))).status).toBe(422)
})
