import { expect, test } from 'vitest'
import { openLmStudio } from '#fleet/testing/lmstudio-server.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { loadModel, NotHeld, readHeld, unloadModels } from './held-models.ts'
import { listModels } from './list-models.ts'

type Server = Awaited<ReturnType<typeof openLmStudio>>
const providerAt = ({ base_url }: Pick<Server, 'base_url'>, api_key: string | null = null): KeyedProvider => ({
  ...{ id: 'lmstudio', label: 'LM Studio', kind: 'lmstudio', base_url, models: [], api_key },
})
const asking = (server: Pick<Server, 'base_url'>, key?: string) => ({
  ...{ provider: providerAt(server, key), fetcher: fetch, signal: AbortSignal.timeout(20_000) },
})
const load = (server: Server, model: string, key?: string) => loadModel(asking(server, key), model, () => 0)
const refusal = async (done: Promise<unknown>): Promise<NotHeld> => {
  const error = await done.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(NotHeld)
  return error as NotHeld // as was just asserted
}

test('[PROV20] LM Studio lists its language models with their windows, by whichever list its version has', async () => {
  const models = [
    { key: 'qwen/a', levels: ['off', 'low', 'high'] },
    { key: 'lab/b', window: 4096 },
    { key: 'text-embedding-c', type: 'embedding' as const },
  ]
  const expected = { '0.2': [null, null], '0.3': [8192, 4096], '0.4': [8192, 4096] }
  for (const version of ['0.2', '0.3', '0.4'] as const) {
    await using server = await openLmStudio({ version, models, loaded: ['qwen/a'] })
    const listed = await listModels(providerAt(server), null, fetch, AbortSignal.timeout(20_000))
    expect(listed.map(({ id }) => id)).toEqual(['qwen/a', 'lab/b'])
    expect(listed.map(({ context_length }) => context_length)).toEqual(expected[version])
    expect(listed[0]!.price).toMatchObject({ input_per_million_usd: 0, output_per_million_usd: 0 })
    if (version === '0.4') expect(listed[0]!.features).toEqual(['tools', 'reasoning', 'effort:none', 'effort:low', 'effort:high'])
  }
})

test('[PROV21] a model is loaded where it is not in memory, once, and looked for afterwards', async () => {
  await using server = await openLmStudio()
  expect(await load(server, 'qwen/qwen3-4b')).toEqual({ instance: 'qwen/qwen3-4b', took_ms: 0 })
  expect(await load(server, 'qwen/qwen3-4b')).toEqual({ instance: 'qwen/qwen3-4b', took_ms: null })
  expect(server.loaded()).toEqual(['qwen/qwen3-4b'])
  expect(server.asked.filter((call) => call.startsWith('POST'))).toEqual(['POST /api/v1/models/load'])
})

test('[PROV21] a server without the call loads for a question; where it answers with another model, that is said', async () => {
  await using demand = await openLmStudio({ version: '0.3' })
  expect(await load(demand, 'lab/other')).toMatchObject({ instance: 'lab/other' })
  expect(demand.loaded()).toEqual(['lab/other'])
  await using fixed = await openLmStudio({ version: '0.3', jit: false, loaded: ['qwen/qwen3-4b'] })
  const { message, unknown } = await refusal(load(fixed, 'lab/other'))
  expect({ message, unknown }).toEqual({
    message: expect.stringMatching(/answered by qwen\/qwen3-4b\. .*lms load lab\/other/),
    unknown: false,
  })
  await using silent = await openLmStudio({ version: '0.2', loaded: ['qwen/qwen3-4b'] })
  expect(await load(silent, 'lab/other')).toBeNull()
  expect(silent.asked.filter((call) => call.startsWith('POST'))).toEqual([])
})

test('[PROV21] what it does not have, what is no language model, and what does not fit is refused in a sentence', async () => {
  await using server = await openLmStudio({ room: 1, loaded: ['lab/other'] })
  expect(await refusal(load(server, 'lab/none'))).toMatchObject({
    message: 'LM Studio has no model lab/none. It has: qwen/qwen3-4b, lab/other.',
    unknown: true,
  })
  expect((await refusal(load(server, 'text-embedding-nomic'))).message).toContain('no language model')
  expect((await refusal(load(server, 'qwen/qwen3-4b'))).message).toContain('(HTTP 500): Failed to load model: not enough memory.')
})

test('[PROV22] a model or all of them are let go, and what is left is looked at; a version without the call says what to type', async () => {
  await using server = await openLmStudio({ loaded: ['qwen/qwen3-4b', 'lab/other'] })
  expect(await unloadModels(asking(server), 'lab/other')).toEqual(['lab/other'])
  expect(await unloadModels(asking(server), 'lab/other')).toEqual([])
  expect(await unloadModels(asking(server), 'all')).toEqual(['qwen/qwen3-4b'])
  expect(server.loaded()).toEqual([])
  expect((await refusal(unloadModels(asking(server), 'lab/none'))).unknown).toBe(true)
  await using older = await openLmStudio({ version: '0.3', loaded: ['lab/other'] })
  expect((await refusal(unloadModels(asking(older), 'lab/other'))).message).toContain('version 0.4. On its machine: lms unload lab/other')
  await using oldest = await openLmStudio({ version: '0.2' })
  expect((await refusal(unloadModels(asking(oldest), 'all'))).message).toContain('0.3.6')
})

test('[PROV21] its token goes with every call', async () => {
  await using server = await openLmStudio({ token: 'lm-secret-token' })
  expect(await load(server, 'lab/other', 'lm-secret-token')).toMatchObject({ instance: 'lab/other' })
  expect(await readHeld(asking(server, 'wrong'))).toBeNull()
  expect(await unloadModels(asking(server, 'lm-secret-token'), 'all')).toEqual(['lab/other'])
})

test('[PROV21] a provider of another kind holds nothing, and is asked nothing', async () => {
  await using server = await openLmStudio()
  const openai: KeyedProvider = { ...providerAt(server), kind: 'openai' }
  expect(await loadModel({ ...asking(server), provider: openai }, 'lab/none', () => 0)).toBeNull()
  expect(server.asked).toEqual([])
})
