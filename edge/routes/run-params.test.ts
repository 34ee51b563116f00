import { expect, test } from 'vitest'
import { Run } from '#shared/contract/api.ts'
import { namedModel } from '#shared/providers/listed-model.ts'
import { bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleModel } from '../testing/example-records.ts'

const model = exampleModel()
async function readyApp(options: Parameters<typeof openApp>[0]) {
  const app = openApp(options)
  app.record.models.set(model.id, model)
  const headers = bearer(await giveKey(app, 'anna'))
  const post = (path: string, body: object) =>
    app.call('POST', path, { headers, body: { model_id: model.id, selected_benchmarks: ['mmlu_pro'], ...body } })
  return { create: (body: object) => post('/api/runs', body), plan: (body: object) => post('/api/runs/plan', body) }
}

test('[PROV13] routing and a budget are frozen where the provider takes them, and refused by name where not, in the plan too', async () => {
  const at = { base_url: 'http://r.example/v1', models: [] }
  const chutes = { id: 'chutes', label: 'Chutes', kind: 'chutes' as const, ...at }
  const router = {
    id: 'router',
    label: 'OpenRouter',
    kind: 'openrouter' as const,
    ...at,
    models: [{ ...namedModel('org/routed'), features: ['effort:low'] }],
  }
  const { create, plan } = await readyApp({ config: { providers: [chutes, router] } })
  const routing = { order: ['deepinfra'], allow_fallbacks: false }
  const answer = await create({ model_id: 'org/routed', routing, reasoning_budget_tokens: 1024 })
  const run = Run.parse(await answer.json())
  expect(run.spec.benchmarks[0]!.params).toMatchObject({ routing, reasoning_budget_tokens: 1024, reasoning_effort: null })
  const refused = async (body: object) => {
    const answers = [await create(body), await plan(body)]
    const told = await Promise.all(
      answers.map(async (one) => [one.status, ((await one.json()) as { errors: { pointer: string }[] }).errors[0]!.pointer]),
    )
    expect(told[1]).toEqual(told[0])
    return told[0]
  }
  expect(await refused({ routing })).toEqual([422, '/routing'])
  expect(await refused({ reasoning_budget_tokens: 1024 })).toEqual([422, '/reasoning_budget_tokens'])
  expect(await refused({ model_id: 'org/routed', reasoning_effort: 'high' })).toEqual([422, '/reasoning_effort'])
  expect((await create({ model_id: 'org/routed', routing: { order: ['<b>'] } })).status).toBe(422)
})
