import { afterEach, beforeEach, expect, test } from 'vitest'
import { exampleRun, exampleRunId, type FixtureApi, json, openFixtureApi, problem, runBench } from './fixture-api.ts'

let api: FixtureApi
beforeEach(async () => {
  api = await openFixtureApi()
  api.on('POST /api/runs', json(exampleRun('queued'), 201))
  api.on(`GET /api/runs/${exampleRunId}`, json(exampleRun()))
})
afterEach(() => api[Symbol.asyncDispose]())

const started = () => api.asked.filter(({ method, path }) => method === 'POST' && path === '/api/runs')
const bench = (...args: string[]) => runBench(args, { BENCH_URL: api.url })

test('[CLI505] without a model a run of the service has the caller’s defaults in what no option says', async () => {
  const defaults = { model_id: 'org/own', provider: 'chutes', temperature: 0.2, concurrency: 16, budget_usd: 3, reasoning_effort: 'low' }
  api.on('GET /api/run-defaults', json({ defaults }))
  const { code, err } = await bench('run', '-b', 'mmlu_pro', '--temperature', '0.5', '--thinking-budget', '2000')
  expect([code, err[0]]).toEqual([0, 'With your defaults at this service: org/own'])
  const sent = { model_id: 'org/own', provider: 'chutes', temperature: 0.5, concurrency: 16, budget_usd: 3, reasoning_budget_tokens: 2000 }
  expect(started()[0]?.body).toMatchObject(sent)
  expect(started()[0]?.body).not.toHaveProperty('reasoning_effort')
  await bench('run', '-m', 'demo-model', '-b', 'mmlu_pro')
  expect(started()[1]?.body).toMatchObject({ model_id: 'demo-model', concurrency: 64 })
  expect(started()[1]?.body).not.toHaveProperty('temperature')
  expect(await runBench(['run', '-b', 'mmlu_pro'], { BENCH_URL: api.url, DEFAULT_MODEL: 'org/env' })).toMatchObject({ code: 0 })
  expect(started()[2]?.body).toMatchObject({ model_id: 'org/env', concurrency: 64 })
  for (const answer of [json({ defaults: null }), problem(403, 'forbidden', 'This key may not.')]) {
    api.on('GET /api/run-defaults', answer)
    expect(await bench('run', '-b', 'mmlu_pro')).toMatchObject({ code: 2, err: [expect.stringContaining('--model: is needed')] })
  }
  expect(started()).toHaveLength(3)
})
