import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { RunRefused } from '#shared/run/run-refused.ts'
import { datasetEnv } from './dataset/dataset-env.ts'
import { openServedModel } from './served-model.ts'

const dataset = datasetEnv({}, { cacheDir: '/nowhere', benchmarksDir: join(import.meta.dirname, '..', 'shared', 'benchmarks') })
const own = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODELS: 'lab/model,lab/judge' }
const open = (model: string, env: Record<string, string>, provider: string | null = null) =>
  openServedModel({ model, provider }, env, dataset, ['mmlu_pro'], () => undefined)

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

test('[PROV19] a provider in front of a model chooses it and is not sent on; an id of the same form wins, and a provider named beside it', async () => {
  const listed = (id: string, ...models: string[]) => ({ id, base_url: 'http://127.0.0.1:9/v1', models })
  const env = {
    BENCH_PROVIDERS: JSON.stringify([listed('box', 'lab/model', 'box/own', 'own'), listed('other', 'lab/model', 'box/lab/model')]),
  }
  const found = async (model: string, provider: string | null = null) => {
    const { model: read } = await open(model, env, provider)
    return [read.slug, read.provider]
  }
  expect(await found('lab/model')).toEqual(['lab/model', 'box'])
  expect(await found('other/lab/model')).toEqual(['lab/model', 'other'])
  expect(await found('box/lab/model')).toEqual(['box/lab/model', 'other'])
  expect(await found('box/lab/model', 'box')).toEqual(['lab/model', 'box'])
  expect(await found('box/own')).toEqual(['box/own', 'box'])
  expect(await found('box/box/own')).toEqual(['box/own', 'box'])
  for (const [model, provider] of [
    ['other/own', null],
    ['other/lab/model', 'box'],
    ['nobody/lab/model', null],
    ['box/', null],
    ['/own', null],
  ] as const)
    await expect(found(model, provider)).rejects.toThrow(RunRefused)
  const { helperFor } = await open('own', env)
  expect(helperFor({ model_id: 'other/lab/model', provider: null })).toMatchObject({ slug: 'lab/model', provider: 'other' })
})

test('[PROV19] a provider without a list takes what stands behind its own name, and any other name whole', async () => {
  const env = { CHUTES_API_KEY: 'cpk_x' }
  expect((await open('chutes/org/model', env)).model).toMatchObject({ slug: 'org/model', provider: 'chutes' })
  expect((await open('org/model', env)).model).toMatchObject({ slug: 'org/model', provider: 'chutes' })
  expect((await open('openrouter/org/model', env)).model).toMatchObject({ slug: 'openrouter/org/model', provider: 'chutes' })
  const demo = await open('demo/demo-model', {})
  expect(demo.model).toMatchObject({ slug: 'demo-model', provider: 'demo' })
  await demo.close()
})

test('[CLI180] the demo model of a local run learns nothing before it is asked, and then the answers of the benchmarks it is asked for', async () => {
  const said = async (from: typeof dataset, benchmarks: string[], prompt: string, opened = () => {}): Promise<string> => {
    const served = await openServedModel({ model: 'demo-model', provider: null }, {}, from, benchmarks, () => undefined)
    opened()
    const asked = { method: 'POST', body: JSON.stringify({ messages: [{ role: 'user', content: prompt }] }) }
    const reply = await fetch(`${served.providers[0]!.base_url}/chat/completions`, asked)
    const { choices } = (await reply.json()) as { choices: { message: { content: string } }[] }
    await served.close()
    return choices[0]!.message.content
  }
  const sampleOf = (name: string) => join(dataset.benchmarksDir, name, 'sample.jsonl')
  const firstOf = (name: string) => JSON.parse(readFileSync(sampleOf(name), 'utf8').split('\n')[0]!)
  const { question } = firstOf('mmlu_pro')
  const { problem } = firstOf('aime_2025')
  const unknown = 'I do not know the answer'
  expect(await said(dataset, ['mmlu_pro'], question)).not.toContain(unknown)
  expect(await said(dataset, ['mmlu_pro'], problem)).toContain(unknown)
  expect(await said(dataset, [], problem)).not.toContain(unknown)

  const folder = mkdtempSync(join(tmpdir(), 'bench-served-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const given = datasetEnv({}, { cacheDir: join(folder, 'cache'), benchmarksDir: folder })
  const later = () => {
    mkdirSync(join(folder, 'mmlu_pro'))
    copyFileSync(sampleOf('mmlu_pro'), join(folder, 'mmlu_pro', 'sample.jsonl'))
  }
  expect(await said(given, ['mmlu_pro'], question, later)).not.toContain(unknown)
})
