import { expect, test } from 'vitest'
import { namedModel, writtenModel } from './listed-model.ts'
import { ConfiguredProviders, KeyedProviders, WrittenProvider } from './provider.ts'
import { providerDefs } from './providers.ts'

const base = { id: 'lab', label: 'Lab', kind: 'openai', base_url: 'http://lab.example/v1' }
const price = { input_per_million_usd: 0.1, output_per_million_usd: 0.4, cached_input_per_million_usd: null }

test('[PROV1] a model is written by its name or with what is known of it, and reads the same after it was written again', () => {
  const known = { ...namedModel('org/b'), price, context_length: 32_768 }
  const [provider] = ConfiguredProviders.parse([
    {
      ...base,
      models: ['org/a', { id: 'org/b', price: { input_per_million_usd: 0.1, output_per_million_usd: 0.4 }, context_length: 32_768 }],
    },
  ])
  expect(provider!.models).toEqual([namedModel('org/a'), known])
  expect(provider!.models.map(writtenModel)).toEqual(['org/a', { id: 'org/b', price, context_length: 32_768 }])
  expect(ConfiguredProviders.parse([{ ...base, models: provider!.models.map(writtenModel) }])).toEqual([provider])
})

test('[PROV1] service and agent read one form; ids are not given twice, and what a person leaves out is filled in', () => {
  const two = [
    { ...base, models: [], api_key: null },
    { ...base, models: [], api_key: 'k' },
  ]
  expect(ConfiguredProviders.safeParse(two).success).toBe(false)
  expect(KeyedProviders.safeParse(two).success).toBe(false)
  expect(ConfiguredProviders.parse(two.slice(1))[0]).not.toHaveProperty('api_key')
  expect(WrittenProvider.parse({ id: 'box', base_url: base.base_url })).toEqual({ id: 'box', base_url: base.base_url, kind: 'openai' })
  expect(ConfiguredProviders.safeParse([{ ...base, kind: 'unheard-of', models: [] }]).success).toBe(false)
})

test('[PROV2] the window of a model is found under the name its server gives it', () => {
  const { readListed } = providerDefs.openai
  const lengthOf = (entry: object) => readListed({ id: 'm', ...entry })?.context_length
  expect(lengthOf({ max_model_len: 4096 })).toBe(4096)
  expect(lengthOf({ context_window: 8192 })).toBe(8192)
  expect(lengthOf({ max_context_length: 16_384 })).toBe(16_384)
  expect(lengthOf({ context_length: 2048, max_model_len: 4096 })).toBe(2048)
  expect(readListed({ id: 'm', context_length: 'many', pricing: { prompt: 1 } })).toEqual(namedModel('m'))
  expect(readListed({ name: 'no id' })).toBeUndefined()
})

test('[PROV2] prices are per million tokens, whether they are listed so or per token', () => {
  const chutes = providerDefs.chutes.readListed({
    id: 'org/m',
    max_model_len: 40_960,
    pricing: { prompt: 0.08, completion: 0.24, input_cache_read: 0.04 },
    supported_features: ['tools'],
  })
  expect(chutes).toMatchObject({
    price: { input_per_million_usd: 0.08, output_per_million_usd: 0.24, cached_input_per_million_usd: 0.04 },
    context_length: 40_960,
    features: ['tools', 'no_reasoning'],
  })
  const listed = {
    id: 'org/m',
    context_length: 131_072,
    pricing: { prompt: '0.0000007', completion: '0.0000028' },
    top_provider: { max_completion_tokens: 8192 },
    architecture: { input_modalities: ['text', 'image'] },
    supported_parameters: ['tools', 'temperature', 'structured_outputs'],
  }
  expect(providerDefs.openrouter.readListed(listed)).toEqual({
    id: 'org/m',
    price: { input_per_million_usd: 0.7, output_per_million_usd: 2.8, cached_input_per_million_usd: null },
    context_length: 131_072,
    max_output_length: 8192,
    input_modalities: ['text', 'image'],
    features: ['tools', 'structured_outputs', 'no_reasoning'],
  })
  expect(providerDefs.openrouter.readListed({ ...listed, pricing: { prompt: '-1', completion: '-1' } })?.price).toBeNull()
})

test('[PROV3] a parameter goes under the name its provider takes', () => {
  const { openai, openrouter, chutes } = providerDefs
  expect(openai.sent('max_tokens', 8, 'api.openai.com')).toEqual(['max_completion_tokens', 8])
  expect(openai.sent('max_tokens', 8, 'box:8000')).toEqual(['max_tokens', 8])
  expect(openai.sent('reasoning_effort', 'low', 'box:8000')).toEqual(['reasoning_effort', 'low'])
  expect(openrouter.sent('reasoning_effort', 'low', 'openrouter.ai')).toEqual(['reasoning', { effort: 'low' }])
  expect(openrouter.sent('max_tokens', 8, 'openrouter.ai')).toEqual(['max_tokens', 8])
  expect(chutes.sent('temperature', 0, 'llm.chutes.ai')).toEqual(['temperature', 0])
})

test('[PROV15] a budget for reasoning and routing go in the forms that their provider takes', () => {
  const { openai, openrouter } = providerDefs
  const routing = { order: ['deepinfra'], allow_fallbacks: false }
  expect(openrouter.sent('reasoning_budget_tokens', 2000, 'openrouter.ai')).toEqual(['reasoning', { max_tokens: 2000 }])
  expect(openrouter.sent('routing', routing, 'openrouter.ai')).toEqual(['provider', routing])
  expect(openai.sent('reasoning_budget_tokens', 2000, 'box:8000')).toEqual(['thinking_token_budget', 2000])
})

test('[PROV4] a question that OpenRouter flags is refused for itself; any other 403 is a refusal for all', () => {
  const flagged = { error: { code: 403, message: 'x', metadata: { reasons: ['violence'], flagged_input: 'x' } } }
  expect(providerDefs.openrouter.reasonOf(403, flagged)).toBe('content-filter')
  expect(providerDefs.openrouter.reasonOf(403, { error: { code: 403, message: 'x' } })).toBeNull()
  expect(providerDefs.openrouter.reasonOf(401, flagged)).toBeNull()
  expect(providerDefs.openai.reasonOf(403, flagged)).toBeNull()
})

test('[PROV4] when a quota is filled again is read as an ISO time or a stamp in seconds or milliseconds', () => {
  const { resetAt } = providerDefs.chutes
  for (const quota_reset_timestamp of ['2026-01-02T00:00:00Z', 1_767_312_000, '1767312000', 1_767_312_000_000])
    expect(resetAt({ detail: { quota_reset_timestamp } })).toBe('2026-01-02T00:00:00.000Z')
  expect(resetAt({ detail: 'none left' })).toBeNull()
  expect(resetAt(null)).toBeNull()
})
