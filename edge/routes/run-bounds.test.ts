import { expect, test } from 'vitest'
import { readAccess } from '../access-config.ts'
import { readConfig } from '../config.ts'
import { asAdmin, bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleModel } from '../testing/example-records.ts'

const body = { model_id: exampleModel().id, selected_benchmarks: ['mmlu_pro'], subset_count: 100, epochs: 3 }
const openBounded = (env: Record<string, string>) => {
  const app = openApp({ config: { access: readAccess(env) } })
  app.record.models.set(exampleModel().id, exampleModel())
  return app
}

test('[API112] a run and a plan with more trials than the operator allows are 422, name the bound, and store nothing', async () => {
  const app = openBounded({ MAX_TRIALS_PER_RUN: '299' })
  for (const path of ['/api/runs', '/api/runs/plan']) {
    const response = await app.call('POST', path, { headers: asAdmin, body })
    const problem = (await response.json()) as { code: string; detail: string; errors: { message: string }[] }
    expect([response.status, problem.code, problem.errors[0]!.message]).toEqual([422, 'too-many-trials', '300 trials, at most 299'])
    expect(problem.detail).toContain('MAX_TRIALS_PER_RUN')
  }
  expect([app.record.runs.size, app.living.size]).toEqual([0, 0])
  expect((await openBounded({ MAX_TRIALS_PER_RUN: '300' }).call('POST', '/api/runs', { headers: asAdmin, body })).status).toBe(201)
})

test('[API113] an owner has a bounded number of open runs; those that ended do not count, and the operator is not bounded', async () => {
  const app = openBounded({ MAX_OPEN_RUNS_PER_OWNER: '2' })
  const key = bearer(await giveKey(app, 'anna'))
  const start = (headers: Record<string, string>) => app.call('POST', '/api/runs', { headers, body })
  for (let index = 0; index < 2; index++) expect((await start(key)).status).toBe(201)
  const refused = await start(key)
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ code: 'too-many-runs', detail: expect.stringMatching(/2.*MAX_OPEN_RUNS_PER_OWNER/) })
  expect((await start(bearer(await giveKey(app, 'bert')))).status).toBe(201)
  for (let index = 0; index < 3; index++) expect((await start(asAdmin)).status).toBe(201)
  const [id, run] = [...app.record.runs].find(([, one]) => one.spec.owner_id === 'anna')!
  app.record.runs.set(id, { ...run, head: { ...run.head, status: 'canceled', completed_at: run.spec.created_at } })
  expect((await start(key)).status).toBe(201)
})

test('[API112] a bound that does not read is named among the faults, and its default holds', () => {
  const wrong = { MAX_TRIALS_PER_RUN: '0', MAX_OPEN_RUNS_PER_OWNER: 'many', CORS_ORIGINS: 'nowhere', CHUTES_KEY_URL: 'x' }
  const { faults, access } = readConfig(wrong)
  expect(faults.map((fault) => fault.variable)).toEqual(expect.arrayContaining(Object.keys(wrong)))
  expect(access).toEqual(readAccess({}))
})
