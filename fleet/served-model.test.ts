import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RunRefused } from '#shared/run/run-refused.ts'
import { datasetEnv } from './dataset/dataset-env.ts'
import { openServedModel } from './served-model.ts'

const dataset = datasetEnv({}, { cacheDir: '/nowhere', benchmarksDir: join(import.meta.dirname, '..', 'shared', 'benchmarks') })
const own = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODELS: 'lab/model,lab/judge' }
const open = (model: string, env: Record<string, string>, provider: string | null = null) =>
  openServedModel({ model, provider }, env, dataset, () => undefined)

test('[CLI62] a local run finds its judge among the providers of the environment, also where another serves the model', async () => {
  const served = await open('lab/model', { ...own, CHUTES_API_KEY: 'cpk_x' })
  expect(served.model).toMatchObject({ slug: 'lab/model', provider: 'openai', context_length: null, input_modalities: [] })
  expect(served.providers.map(({ id }) => id)).toEqual(['chutes', 'openai'])
  expect(served.helperFor({ model_id: 'lab/judge', provider: null })).toMatchObject({ slug: 'lab/judge', provider: 'openai' })
  // Chutes' models are not listed here: it takes any name, whether it has the model shows with the first request.
  expect(served.helperFor({ model_id: 'other/judge', provider: null })).toMatchObject({ slug: 'other/judge', provider: 'chutes' })
  expect(served.helperFor({ model_id: 'other/judge', provider: 'openai' })).toBeUndefined()
  await served.close()
})

test('[CLI62] the demo model can judge itself, and be judged by a configured model', async () => {
  const served = await open('demo-model', own)
  expect(served.providers.map(({ id }) => id)).toEqual(['demo', 'openai'])
  expect(served.helperFor({ model_id: 'demo-model', provider: 'demo' })).toBe(served.model)
  expect(served.helperFor({ model_id: 'lab/judge', provider: null })).toMatchObject({ provider: 'openai' })
  expect(served.helperFor({ model_id: 'lab/nobody', provider: null })).toBeUndefined()
  await served.close()
})

test('[CLI62] a model that nobody serves here is refused', async () => {
  await expect(open('lab/nobody', own)).rejects.toThrow(RunRefused)
})
