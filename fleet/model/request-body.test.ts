import { expect, test } from 'vitest'
import type { Message } from '#shared/contract/message.ts'
import type { ProviderKind } from '#shared/providers/provider.ts'
import { providerDefs } from '#shared/providers/providers.ts'
import { createBodies } from './request-body.ts'

const params = { temperature: null, top_p: null, max_tokens: 64, stop: null, seed: null, reasoning_effort: null }
const picture = { media_type: 'image/png', sha256: 'a'.repeat(64), bytes: 3, data: 'data:image/png;base64,AAAA' }
const bodyOf = (request: Parameters<ReturnType<typeof createBodies>>[0], host = 'llm.example', kind: ProviderKind = 'openai') =>
  JSON.parse(createBodies('lab/"m"', host, providerDefs[kind])(request)) as Record<string, unknown>

test('[MODEL60] a message with pictures is sent as content parts, its text first, every other one as text', () => {
  const messages = [
    { role: 'system' as const, content: 'Be brief.' },
    { role: 'user' as const, content: 'What is "it"?', pictures: [picture, { ...picture, data: 'data:image/jpeg;base64,BB' }] },
  ]
  expect(bodyOf({ messages, params }).messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is "it"?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,BB' } },
      ],
    },
  ])
  expect(bodyOf({ messages: [{ role: 'user', content: 'x', pictures: [] }], params }).messages).toEqual([{ role: 'user', content: 'x' }])
})

test('[MODEL60] a question whose picture is not at hand is not asked without it', () => {
  const { data: _data, ...known } = picture
  expect(() => bodyOf({ messages: [{ role: 'user', content: 'x', pictures: [known] }], params })).toThrow(TypeError)
})

test('[MODEL61] a schema asks for a structured reply that keeps to it; without one nothing is asked for', () => {
  const messages = [{ role: 'user' as const, content: 'x' }]
  const schema = { name: 'verdict', schema: { type: 'object', required: ['correct'] } }
  expect(bodyOf({ messages, params, schema }).response_format).toEqual({
    type: 'json_schema',
    json_schema: { name: 'verdict', schema: { type: 'object', required: ['correct'] }, strict: true },
  })
  for (const none of [bodyOf({ messages, params, schema: null }), bodyOf({ messages, params })]) {
    expect(none).not.toHaveProperty('response_format')
  }
})

test("[MODEL61] OpenAI's own endpoint gets the token limit under the one name its reasoning models take", () => {
  const messages = [{ role: 'user' as const, content: 'x' }]
  expect(bodyOf({ messages, params }, 'api.openai.com')).toMatchObject({ max_completion_tokens: 64 })
  expect(bodyOf({ messages, params }, 'api.openai.com')).not.toHaveProperty('max_tokens')
  expect(bodyOf({ messages, params })).toMatchObject({ max_tokens: 64 })
})

test('[KIT2] tools are offered, and calls and results go back as they came', () => {
  const call = { id: 'c1', name: 'look', arguments: '{"at":' }
  const messages: Message[] = [
    { role: 'assistant', content: '', tool_calls: [call, { id: null, name: null, arguments: '' }] },
    { role: 'tool', content: 'blue', tool_call_id: 'c1' },
  ]
  const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }]
  expect(bodyOf({ messages, params, tools })).toMatchObject({
    tools: [{ type: 'function', function: tools[0] }],
    messages: [
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":' } },
          { type: 'function', function: { name: '', arguments: '' } },
        ],
      },
      { role: 'tool', content: 'blue', tool_call_id: 'c1' },
    ],
  })
  expect(bodyOf({ messages: [], params, tools: [] })).not.toHaveProperty('tools')
})

test('[PROV3] a body carries parameters under the names that its kind of provider takes', () => {
  const effort = { messages: [], params: { ...params, reasoning_effort: 'low' } }
  expect(bodyOf(effort, 'openrouter.ai', 'openrouter')).toMatchObject({ reasoning: { effort: 'low' }, max_tokens: 64 })
  expect(bodyOf(effort, 'openrouter.ai', 'openrouter')).not.toHaveProperty('reasoning_effort')
  expect(bodyOf(effort)).toMatchObject({ reasoning_effort: 'low' })
})

test('[PROV15] a body carries a budget and routing where they are asked for, and no trace of them where not', () => {
  const asked = { ...params, reasoning_budget_tokens: 2000, routing: { only: ['deepinfra'] } }
  const body = bodyOf({ messages: [], params: asked }, 'openrouter.ai', 'openrouter')
  expect(body).toMatchObject({ reasoning: { max_tokens: 2000 }, provider: { only: ['deepinfra'] }, max_tokens: 64 })
  expect(Object.keys(bodyOf({ messages: [], params }, 'openrouter.ai', 'openrouter')).sort()).toEqual([
    'max_tokens',
    'messages',
    'model',
    'stream',
    'stream_options',
  ])
  const { routing: _routing, ...budget } = asked
  expect(bodyOf({ messages: [], params: budget })).toMatchObject({ thinking_token_budget: 2000 })
})
