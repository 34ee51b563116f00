import { expect, test } from 'vitest'
import { providerDefs } from './providers.ts'

const free = { input_per_million_usd: 0, output_per_million_usd: 0, cached_input_per_million_usd: null }

test('[PROV24] vLLM and SGLang list the window that they serve, and say nothing of prices', () => {
  const card = {
    id: 'Qwen/Qwen3-8B',
    object: 'model',
    created: 1,
    owned_by: 'vllm',
    root: 'Qwen/Qwen3-8B',
    parent: null,
    max_model_len: 32_768,
  }
  for (const kind of ['vllm', 'sglang'] as const)
    expect(providerDefs[kind].readListed(card)).toMatchObject({ id: 'Qwen/Qwen3-8B', context_length: 32_768, price: null })
})

test('[PROV24] llama.cpp’s window is the one of a slot and not the one the model was made with; a router tells none of what is not loaded', () => {
  const { readListed } = providerDefs.llamacpp
  const meta = {
    vocab_type: 2,
    n_vocab: 152_064,
    n_ctx: 8192,
    n_ctx_train: 131_072,
    n_embd: 4096,
    n_params: 8_030_261_312,
    size: 4_912_898_304,
  }
  const listed = { id: 'qwen3.gguf', aliases: [], object: 'model', owned_by: 'llamacpp', meta }
  expect(readListed(listed)).toMatchObject({ id: 'qwen3.gguf', context_length: 8192, price: free })
  expect(readListed({ ...listed, meta: { n_ctx_train: 131_072 } })?.context_length).toBeNull()
  const routed = { id: 'org/gemma:Q4', status: { value: 'unloaded' }, architecture: { input_modalities: ['text', 'image'] } }
  expect(readListed(routed)).toMatchObject({ id: 'org/gemma:Q4', context_length: null, input_modalities: ['text', 'image'] })
})

test('[PROV24] Ollama tells what a model takes by its own list, no window, and no embedding model; what runs elsewhere is not free', () => {
  const { readListed, listUrls } = providerDefs.ollama
  expect(listUrls('http://box:11434/v1/')).toEqual(['http://box:11434/api/tags', 'http://box:11434/v1/models'])
  const details = { family: 'qwen3', parameter_size: '8.2B', quantization_level: 'Q4_K_M', context_length: 40_960 }
  const listed = { name: 'qwen3:8b', model: 'qwen3:8b', size: 5, digest: 'd', details, capabilities: ['completion', 'tools', 'thinking'] }
  expect(readListed(listed)).toEqual({
    ...{ id: 'qwen3:8b', price: free, context_length: null, max_output_length: null },
    input_modalities: ['text'],
    features: ['tools', 'reasoning', 'no_reasoning_budget'],
  })
  const sees = readListed({ ...listed, capabilities: ['completion', 'vision'] })
  expect([sees?.input_modalities, sees?.features]).toEqual([['text', 'image'], ['no_reasoning']])
  expect(readListed({ ...listed, capabilities: ['embedding'] })).toBeUndefined()
  expect(readListed({ ...listed, remote_host: 'https://ollama.com' })?.price).toBeNull()
  expect(readListed({ id: 'qwen3:8b', object: 'model', owned_by: 'library' })).toMatchObject({
    id: 'qwen3:8b',
    features: [],
    input_modalities: [],
  })
})

test('[PROV15] llama.cpp takes a budget for reasoning under a name of its own', () => {
  const { llamacpp } = providerDefs
  expect(llamacpp.sent('reasoning_budget_tokens', 2000, 'box:8080')).toEqual(['thinking_budget_tokens', 2000])
  expect(llamacpp.sent('max_tokens', 8, 'box:8080')).toEqual(['max_tokens', 8])
})
