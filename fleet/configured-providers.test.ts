import { expect, test } from 'vitest'
import { namedModel } from '#shared/providers/listed-model.ts'
import { json, openFixtureApi } from './cli/fixture-api.ts'
import { listedProvidersOf, providersFrom } from './configured-providers.ts'
import { heldKeys } from './run-key.ts'

const none = () => undefined

test('[CLI17] no configuration gives no provider', async () => {
  expect(await providersFrom({}, fetch, none)).toEqual([])
})

test('[CLI17] CHUTES_API_KEY gives Chutes', async () => {
  expect(await providersFrom({ CHUTES_API_KEY: 'cpk_1' }, fetch, none)).toEqual([
    { id: 'chutes', label: 'Chutes', kind: 'chutes', base_url: 'https://llm.chutes.ai/v1', models: [], api_key: 'cpk_1', rate_limit: null },
  ])
})

test('[CLI17] an OpenAI-compatible server is asked for its models once, with its key', async () => {
  await using api = await openFixtureApi()
  api.on('GET /v1/models', json({ data: [{ id: 'a' }, { id: 'b' }] }))
  const [provider] = await providersFrom({ OPENAI_BASE_URL: `${api.url}/v1/`, OPENAI_API_KEY: 'sk' }, fetch, none)
  expect(provider).toMatchObject({
    id: 'openai',
    kind: 'openai',
    base_url: `${api.url}/v1`,
    models: ['a', 'b'].map(namedModel),
    api_key: 'sk',
  })
  expect(api.asked.map((one) => one.headers.authorization)).toEqual(['Bearer sk'])
})

test('[CLI17] OPENAI_MODELS is taken instead of asking, and a server that does not answer is said so', async () => {
  await using api = await openFixtureApi()
  const env = { OPENAI_BASE_URL: `${api.url}/v1` }
  const [named] = await providersFrom({ ...env, OPENAI_MODELS: 'x, y' }, fetch, none)
  expect({ models: named?.models, asked: api.asked.length }).toEqual({ models: ['x', 'y'].map(namedModel), asked: 0 })
  const notes: string[] = []
  const [silent] = await providersFrom(env, fetch, (line) => notes.push(line))
  expect(silent?.models).toEqual([])
  expect(notes.join()).toMatch(/could not be read \(HTTP 404\); name the models with OPENAI_MODELS/)
})

test('[CLI67] a rate limit is a whole number of requests a second; anything else is refused by name', async () => {
  const [provider] = await providersFrom({ CHUTES_API_KEY: 'cpk_1', CHUTES_RATE_LIMIT: ' 50 ' }, fetch, none)
  expect(provider?.rate_limit).toBe(50)
  for (const CHUTES_RATE_LIMIT of ['0', '1.5', '-3', 'fast'])
    await expect(providersFrom({ CHUTES_API_KEY: 'cpk_1', CHUTES_RATE_LIMIT }, fetch, none)).rejects.toThrow('CHUTES_RATE_LIMIT')
})

test('[CLI112] BENCH_PROVIDERS names any number of providers under any id, with keys by reference, and the short variables join them', async () => {
  await using api = await openFixtureApi()
  api.on('GET /v1/models', json({ data: [{ id: 'm' }] }))
  const listed = [
    { id: 'vllm-a', base_url: `${api.url}/v1/`, api_key_env: 'KEY_A', rate_limit: 5 },
    { id: 'vllm-b', label: 'Box B', base_url: 'http://b.example/v1', models: ['x'] },
  ]
  const env = { BENCH_PROVIDERS: JSON.stringify(listed), KEY_A: 'sk-a', CHUTES_API_KEY: 'cpk_1' }
  const providers = await providersFrom(env, fetch, none)
  expect(
    providers.map(({ id, label, kind, models, api_key, rate_limit }) => [
      id,
      label,
      kind,
      models.map((one) => one.id),
      api_key,
      rate_limit,
    ]),
  ).toEqual([
    ['vllm-a', new URL(api.url).host, 'openai', ['m'], 'sk-a', 5],
    ['vllm-b', 'Box B', 'openai', ['x'], null, null],
    ['chutes', 'Chutes', 'chutes', [], 'cpk_1', null],
  ])
  expect(await providersFrom({ BENCH_PROVIDERS: JSON.stringify(providers), CHUTES_API_KEY: 'other' }, fetch, none)).toEqual(providers)
})

test('[CLI112] a list that does not fit is refused in a sentence without its text', async () => {
  const base_url = 'http://a.example/v1'
  for (const [list, says] of [
    ['{"api_key":"sk-secret"', 'is not JSON'],
    [JSON.stringify([{ id: 'a b', base_url, api_key: 'sk-secret' }]), '0.id'],
    [JSON.stringify([{ id: 'a', base_url: 'sk-secret' }]), '0.base_url'],
    [JSON.stringify([{ id: 'a', base_url, key: 'sk-secret' }]), 'Unrecognized key'],
    [
      JSON.stringify([
        { id: 'a', base_url, models: [] },
        { id: 'a', base_url, models: [] },
      ]),
      'names a twice',
    ],
    [JSON.stringify([{ id: 'a', base_url, api_key_env: 'NOT_SET' }]), 'NOT_SET'],
  ] as const) {
    const error = await providersFrom({ BENCH_PROVIDERS: list }, fetch, none).catch((thrown: Error) => thrown)
    expect(String(error)).toContain(says)
    expect(String(error)).not.toContain('sk-secret')
  }
})

test('[PROV5] OpenRouter tells what named models cost; what it does not tell leaves the name, and nothing is asked where an operator knows', async () => {
  await using api = await openFixtureApi()
  api.on(
    'GET /api/v1/models',
    json({ data: [{ id: 'org/m', context_length: 4096, pricing: { prompt: '0.000001', completion: '0.000002' } }] }),
  )
  const written = { id: 'openrouter', kind: 'openrouter', base_url: `${api.url}/api/v1`, api_key: 'sk-or' }
  const read = async (models?: unknown[]) =>
    (await providersFrom({ BENCH_PROVIDERS: JSON.stringify([{ ...written, models }]) }, fetch, none))[0]!
  const price = { input_per_million_usd: 1, output_per_million_usd: 2, cached_input_per_million_usd: null }
  const known = { ...namedModel('org/m'), price, context_length: 4096 }
  expect(await read()).toMatchObject({ label: 'OpenRouter', models: [known] })
  expect((await read(['openrouter/org/m'])).models).toEqual([known])
  expect((await read(['org/m', 'org/other'])).models).toEqual([known, namedModel('org/other')])
  expect(api.asked).toHaveLength(3)
  expect((await read([{ id: 'org/m', price }])).models).toEqual([{ ...namedModel('org/m'), price }])
  expect(api.asked).toHaveLength(3)
})

test('[PROV20] LMSTUDIO_BASE_URL gives LM Studio, with OpenAI’s protocol under /v1; a kind with a usual address needs none', async () => {
  await using api = await openFixtureApi()
  api.on(
    'GET /api/v0/models',
    json({
      data: [
        { id: 'm', type: 'llm', max_context_length: 4096 },
        { id: 'e', type: 'embeddings' },
      ],
    }),
  )
  for (const address of [api.url, `${api.url}/`, `${api.url}/v1/`]) {
    const [provider] = await providersFrom({ LMSTUDIO_BASE_URL: address, LMSTUDIO_API_KEY: 'lm-token' }, fetch, none)
    expect(provider).toMatchObject({ id: 'lmstudio', label: 'LM Studio', kind: 'lmstudio', base_url: `${api.url}/v1`, api_key: 'lm-token' })
    expect(provider!.models).toMatchObject([{ id: 'm', context_length: 4096, input_modalities: ['text'] }])
  }
  expect(new Set(api.asked.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer lm-token']))
  const told = { id: 'm', context_length: 1 }
  const written = [
    { id: 'mine', kind: 'lmstudio', models: [told] },
    { id: 'or', kind: 'openrouter', models: [told] },
  ]
  const providers = await providersFrom({ BENCH_PROVIDERS: JSON.stringify(written) }, fetch, none)
  expect(providers.map(({ base_url }) => base_url)).toEqual(['http://127.0.0.1:1234/v1', 'https://openrouter.ai/api/v1'])
  await expect(providersFrom({ BENCH_PROVIDERS: JSON.stringify([{ id: 'a' }]) }, fetch, none)).rejects.toThrow('no base_url for a')
})

test('[PROV23] headers of a provider may be named by their variables, and what cannot be sent is refused without its text', async () => {
  await using api = await openFixtureApi()
  api.on('GET /v1/models', json({ data: [{ id: 'm' }] }))
  const written = (headers: object) => ({
    BENCH_PROVIDERS: JSON.stringify([{ id: 'gate', kind: 'janus', base_url: `${api.url}/v1`, headers }]),
  })
  const headers = { 'X-PreReleasePassword': { env: 'GATE_PASSWORD' }, 'X-Title': { shown: 'bench' } }
  const [provider] = await providersFrom({ ...written(headers), GATE_PASSWORD: 'sesame' }, fetch, none)
  expect(provider).toMatchObject({ label: 'Janus Gateway', headers: { 'X-PreReleasePassword': 'sesame', 'X-Title': { shown: 'bench' } } })
  expect(api.asked.map((one) => one.headers['x-prereleasepassword'])).toEqual(['sesame'])
  await expect(providersFrom(written(headers), fetch, none)).rejects.toThrow('header X-PreReleasePassword of gate from GATE_PASSWORD')
  await expect(providersFrom({ ...written(headers), GATE_PASSWORD: 'two\nlines' }, fetch, none)).rejects.toThrow(
    /^(?!.*two).*cannot be sent/s,
  )
})

test('[PROV23] a secret header is among what no reply of any provider carries on', () => {
  const gate = { id: 'gate', label: 'Gate', kind: 'janus' as const, base_url: 'http://g.example/v1', models: [], api_key: null }
  const headers = { 'X-PreReleasePassword': 'sesame-open-0123', 'X-Title': { shown: 'bench' } }
  expect(heldKeys('cpk_own', [{ ...gate, headers }], ['agt'])).toEqual(['agt', 'cpk_own', 'sesame-open-0123'])
})

test('[PROV351] a server without /v1 in its address is found there by its list, and is said so; named models stay as they were named', async () => {
  await using api = await openFixtureApi()
  api.on('GET /v1/models', json({ data: [{ id: 'a' }] }))
  for (const OPENAI_MODELS of [undefined, 'x']) {
    const notes: string[] = []
    const [found] = await providersFrom({ OPENAI_BASE_URL: api.url, OPENAI_MODELS }, fetch, (line) => notes.push(line))
    expect([found?.base_url, found?.models.map(({ id }) => id)]).toEqual([`${api.url}/v1`, [OPENAI_MODELS ?? 'a']])
    expect(notes).toEqual([`${api.url} has no list of models and ${api.url}/v1 has one: that address is used`])
  }
  await using rooted = await openFixtureApi()
  rooted.on('GET /models', json({ data: [{ id: 'b' }] }))
  const [kept] = await providersFrom({ OPENAI_BASE_URL: `${rooted.url}/chat/completions` }, fetch, none)
  expect([kept?.base_url, kept?.models.map(({ id }) => id), rooted.asked.map(({ path }) => path)]).toEqual([rooted.url, ['b'], ['/models']])
})

test('[PROV352] a key is sent nowhere while nobody has said to which address, and that is said', async () => {
  const asked: string[] = []
  const fetcher = (async (url: URL) => void asked.push(String(url))) as unknown as typeof fetch
  const lines: string[] = []
  const found = await providersFrom({ OPENAI_API_KEY: 'sk-secret' }, fetcher, (line) => lines.push(line))
  expect([found, asked]).toEqual([[], []])
  expect(lines).toEqual([expect.stringMatching(/OPENAI_API_KEY is not used.*OPENAI_BASE_URL=https:\/\/api\.openai\.com\/v1/)])
  for (const mistyped of ['\uFEFFOPENAI_BASE_URL', 'OPENAI_BASEURL', 'OPENAI_API_BASE', 'OPENAI_API_BASE_URL', 'openai_base_url']) {
    await providersFrom({ OPENAI_API_KEY: 'sk-secret', [mistyped]: 'http://127.0.0.1:9/v1' }, fetcher, (line) => lines.push(line))
    expect([mistyped, lines.at(-1)]).toEqual([mistyped, expect.stringContaining('is set, and is not read')])
  }
  expect([asked, lines.join().includes('secret')]).toEqual([[], false])
})

test('[PROV353] an address that cannot be asked is refused by name, without what may be a password', async () => {
  for (const url of ['box:8000/v1', 'localhost:8000', 'ftp://box/v1', '127.0.0.1:9', 'http://'])
    await expect(providersFrom({ OPENAI_BASE_URL: url }, fetch, none)).rejects.toThrow(/of openai must begin with http:\/\/ or https:\/\//)
  const refused: unknown = await providersFrom({ OPENAI_BASE_URL: 'http://me:secret@box/v1' }, fetch, none).catch((error: unknown) => error)
  expect(String(refused)).toMatch(/holds a user name or password/)
  expect(String(refused)).not.toContain('secret')
})

test('[CLI17] OPENROUTER_API_KEY gives OpenRouter, unless the list has a provider of that kind', () => {
  expect(listedProvidersOf({ OPENROUTER_API_KEY: ' sk-or-1 ' }, none)).toEqual([
    { id: 'openrouter', kind: 'openrouter', base_url: 'https://openrouter.ai/api/v1', api_key: 'sk-or-1' },
  ])
  const BENCH_PROVIDERS = JSON.stringify([{ id: 'router', kind: 'openrouter', api_key_env: 'OPENROUTER_API_KEY' }])
  expect(listedProvidersOf({ OPENROUTER_API_KEY: 'sk-or-1', BENCH_PROVIDERS }, none).map(({ id }) => id)).toEqual(['router'])
})
