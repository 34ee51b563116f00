import { expect, test } from 'vitest'
import { baseUrlOf, withV1 } from './base-url.ts'
import type { ProviderKind } from './provider.ts'
import { providerDefs } from './providers.ts'

const base = (written: string, kind: ProviderKind = 'openai') => baseUrlOf(written, kind, providerDefs[kind])

test('[PROV351] an address with the endpoint, slashes or spaces stands for its base URL', () => {
  const ends = [
    '',
    '/',
    '//',
    '/chat/completions',
    '/chat/completions/',
    '/chat/completions/chat/completions',
    '/models',
    '/completions',
    '/responses',
  ]
  for (const end of ends) expect([end, base(` https://box.example:9141/v1${end} `)]).toEqual([end, 'https://box.example:9141/v1'])
  expect(base('https://x.example/openai/deployments/gpt/chat/completions?api-version=2024-10-21')).toBe(
    'https://x.example/openai/deployments/gpt?api-version=2024-10-21',
  )
  expect([base('HTTP://Box:8000'), base('http://box:8000/api'), base('box:8000'), base('')]).toEqual([
    'http://Box:8000',
    'http://box:8000/api',
    'box:8000',
    '',
  ])
})

test('[PROV351] a server or service with one path only is found by its host alone', () => {
  for (const kind of ['vllm', 'sglang', 'ollama', 'llamacpp', 'lmstudio'] as const)
    expect([kind, base('http://10.0.0.1:8000/', kind)]).toEqual([kind, 'http://10.0.0.1:8000/v1'])
  expect([base('https://api.openai.com'), base('https://openrouter.ai', 'openrouter'), base('https://llm.chutes.ai/', 'chutes')]).toEqual([
    'https://api.openai.com/v1',
    'https://openrouter.ai/api/v1',
    'https://llm.chutes.ai/v1',
  ])
  expect([base('https://llm.example.org'), base('https://api.openai.com/v2')]).toEqual([
    'https://llm.example.org',
    'https://api.openai.com/v2',
  ])
})

test('[PROV351] /v1 is tried where an address names no version', () => {
  expect(['http://box:9141', 'http://box/api?key=1', 'http://box/v1', 'http://box/v1beta/openai', 'box'].map(withV1)).toEqual([
    'http://box:9141/v1',
    'http://box/api/v1?key=1',
    null,
    null,
    null,
  ])
})
