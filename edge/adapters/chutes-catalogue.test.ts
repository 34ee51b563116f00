import { expect, test } from 'vitest'
import { Model } from '#shared/contract/model.ts'
import { memoryDeps } from '../testing/memory-deps.ts'
import { CatalogueAway, fetchChutesModels } from './chutes-catalogue.ts'
import { syncModels } from './sync-models.ts'

const chute = (index: number, more: Record<string, unknown> = {}) => ({
  chute_id: `chute-${index}`,
  name: `org/model-${index}`,
  tagline: 'A model',
  user: { username: 'org' },
  public: true,
  standard_template: 'vllm',
  hot: false,
  instances: [{ instance_id: 'i1', active: true }],
  current_estimated_price: { per_million_tokens: { input: { usd: 0.1, tao: 1 }, output: { usd: 0.4 } }, usd: { hour: 1 } },
  ...more,
})
const served = (index: number, more: Record<string, unknown> = {}) => ({
  id: `org/model-${index}`,
  chute_id: `chute-${index}`,
  max_model_len: 4096,
  max_output_length: 2048,
  pricing: { prompt: 0.2, completion: 0.8, input_cache_read: 0.1 },
  supported_features: ['reasoning'],
  ...more,
})

function catalogue(chutes: unknown[], list: unknown[] | number) {
  const memory = memoryDeps()
  memory.answers.set('https://catalogue.example/chutes/?', () => {
    const page = Number(new URL(memory.fetched.at(-1)!.url).searchParams.get('page'))
    return Response.json({ total: chutes.length, page, items: chutes.slice(page * 500, page * 500 + 500) })
  })
  memory.answers.set('https://llm.example/v1/models', () =>
    typeof list === 'number' ? new Response('no', { status: list }) : Response.json({ object: 'list', data: list }),
  )
  return memory
}

test('[API34] the catalogue is read without credentials, page after page from 0, until a short page or the total', async () => {
  const chutes = Array.from({ length: 1000 }, (_, index) => chute(index))
  const { deps, fetched } = catalogue(chutes, [served(0)])
  expect(await fetchChutesModels(deps)).toHaveLength(1000)
  const pages = fetched.filter((one) => one.url.startsWith('https://catalogue.example'))
  expect(pages.map((one) => one.url)).toEqual(
    [0, 1].map((page) => `https://catalogue.example/chutes/?include_public=true&page=${page}&limit=500&include_schemas=false`),
  )
  for (const { init } of fetched) expect(new Headers(init?.headers).has('authorization')).toBe(false)
})

test('[API34] limits and prices come from the served list, else the price from the catalogue; two chutes of one name stay apart', async () => {
  const { deps } = catalogue([chute(1), chute(2), chute(3, { name: 'org/model-1' })], [served(1), served(9)])
  const [one, two, three] = (await fetchChutesModels(deps)).map((model) => Model.parse(model))
  expect(one).toMatchObject({ id: 'chute-1', slug: 'org/model-1', is_active: true, context_length: 4096, max_output_length: 2048 })
  expect(one!.price).toEqual({ input_per_million_usd: 0.2, output_per_million_usd: 0.8, cached_input_per_million_usd: 0.1 })
  expect(two).toMatchObject({ is_active: false, price: { input_per_million_usd: 0.1, output_per_million_usd: 0.4 } })
  expect(three).toMatchObject({ id: 'chute-3', slug: 'org/model-1', is_active: false })
})

test('[API34] odd fields read as absent, other kinds of chutes and broken entries are left out', async () => {
  const odd = chute(4, { instances: 'three', user: 7, logo: {}, current_estimated_price: null, hot: true })
  const image = chute(5, { standard_template: 'diffusion', current_estimated_price: { per_step: { usd: 1 } } })
  const { deps } = catalogue(
    [odd, image, chute(6, { public: false }), { name: 'no id' }, null, 3],
    [served(4, { max_model_len: 1e12, pricing: 'free' })],
  )
  expect(await fetchChutesModels(deps)).toMatchObject([
    { id: 'chute-4', instance_count: 1, user: null, logo: null, price: null, context_length: null, is_active: true },
  ])
})

test('[LINE19] a hot chute without a list of instances has one, a cold one none: clients of the predecessor hide models without', async () => {
  const { deps } = catalogue([chute(1, { instances: null, hot: true }), chute(2, { instances: null, hot: false })], [])
  expect((await fetchChutesModels(deps)).map((model) => model.instance_count)).toEqual([1, 0])
})

test('[API34] without the served list a price makes a model active; without a catalogue nothing is changed', async () => {
  const lost = catalogue([chute(1), chute(2, { current_estimated_price: null })], 502)
  expect((await fetchChutesModels(lost.deps)).map((model) => model.is_active)).toEqual([true, false])
  const memory = catalogue([chute(1), chute(2)], [served(1), served(2)])
  expect(await syncModels(memory.deps)).toEqual({ synced: 3, deactivated: 0 })
  memory.answers.set('https://catalogue.example/chutes/?', () => Response.json({ total: 0, items: [] }))
  await expect(syncModels(memory.deps)).rejects.toBeInstanceOf(CatalogueAway)
  memory.answers.set('https://catalogue.example/chutes/?', () => new Response('<html>', { status: 200 }))
  await expect(syncModels(memory.deps)).rejects.toBeInstanceOf(CatalogueAway)
  expect([...memory.record.models.values()].every((model) => model.is_active)).toBe(true)
})

test('[API34] a model that vanished from the catalogue becomes inactive', async () => {
  const memory = catalogue([chute(1), chute(2)], [served(1), served(2)])
  await syncModels(memory.deps)
  memory.answers.set('https://catalogue.example/chutes/?', () => Response.json({ total: 1, items: [chute(2)] }))
  expect(await syncModels(memory.deps)).toEqual({ synced: 2, deactivated: 1 })
  expect(memory.record.models.get('chute-1')!.is_active).toBe(false)
})
