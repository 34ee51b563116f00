import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Answered, AskRequest, Completion } from '#shared/solvers/kit.ts'
import { said } from '#shared/solvers/testing/said.ts'
import { unsetParams } from '#shared/solvers/testing/scripted-kit.ts'
import { createChatServer } from './serve-chat.ts'

const usage = { input_tokens: 7, output_tokens: 3, cached_tokens: 2, reasoning_tokens: 1 }
const calling: Completion = {
  ...said('Hm.'),
  finish_reason: 'tool_calls',
  usage,
  tool_calls: [{ id: 'call_a', name: 'run', arguments: '{"command":"ls"}' }],
}

async function start(answer: Completion | Answered = calling) {
  const asked: AskRequest[] = []
  const notes: string[] = []
  const { server } = createChatServer({
    ...{ model: 'org/tested', token: 'the-token', params: unsetParams },
    note: (text) => void notes.push(text),
    async ask(request) {
      asked.push(request)
      return 'ok' in answer ? answer : { ok: true, value: answer }
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const post = (path: string, body: object, headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { method: 'POST', body: JSON.stringify(body), headers })
  return { asked, notes, post }
}
const eventsIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)))

const parameters = { type: 'object', properties: { command: { type: 'string' } } }
/** The conversation of each API below, as the kit is asked. */
const conversation = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'List the files.' },
  { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'call_0', name: 'run', arguments: '{"command":"ls -a"}' }] },
  { role: 'tool', content: '.', tool_call_id: 'call_0' },
]
const tools = [{ name: 'run', description: 'runs it', parameters }]

const key = { 'x-api-key': 'the-token' }
const anthropic = {
  ...{ model: 'org/tested', max_tokens: 100, system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }] },
  messages: [
    { role: 'user', content: 'List the files.' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'call_0', name: 'run', input: { command: 'ls -a' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_0', content: [{ type: 'text', text: '.' }] }] },
  ],
  tools: [
    { name: 'run', description: 'runs it', input_schema: parameters },
    { type: 'web_search_20250305', name: 'web_search' },
  ],
}

test('[LINE15] Anthropic’s messages are asked through the kit and answered in their shape, whole and as events', async () => {
  const { asked, notes, post } = await start()
  const whole = await post('/v1/messages?beta=true', anthropic, key)
  expect(asked[0]).toMatchObject({ messages: conversation, tools, params: unsetParams })
  expect(notes.join()).toContain('max_tokens, the tool web_search')
  const content = [
    { type: 'text', text: 'Hm.' },
    { type: 'tool_use', id: 'call_a', name: 'run', input: { command: 'ls' } },
  ]
  expect(await whole.json()).toMatchObject({
    ...{ type: 'message', role: 'assistant', model: 'org/tested', content, stop_reason: 'tool_use' },
    usage: { input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 3 },
  })
  const events = eventsIn(await (await post('/v1/messages', { ...anthropic, stream: true }, key)).text())
  expect(events.map(({ type }) => type)).toEqual([
    'message_start',
    ...['content_block_start', 'content_block_delta', 'content_block_stop'],
    ...['content_block_start', 'content_block_delta', 'content_block_stop'],
    ...['message_delta', 'message_stop'],
  ])
  expect(events[5].delta).toEqual({ type: 'input_json_delta', partial_json: '{"command":"ls"}' })
  expect(events.at(-2).delta.stop_reason).toBe('tool_use')
})

test('[LINE15] OpenAI’s responses are asked through the kit; a tool of any text comes as a call with a text', async () => {
  const { asked, post } = await start({
    ...calling,
    tool_calls: [...calling.tool_calls!, { id: 'c', name: 'patch', arguments: '{"input":"*** Begin"}' }],
  })
  const bearer = { authorization: 'Bearer the-token' }
  const body = {
    ...{ model: 'org/tested', instructions: 'Be brief.', stream: true, store: false, reasoning: { effort: 'high' } },
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'List the files.' }] },
      { type: 'reasoning', encrypted_content: 'x' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
      { type: 'function_call', call_id: 'call_0', name: 'run', arguments: '{"command":"ls -a"}' },
      { type: 'function_call_output', call_id: 'call_0', output: '.' },
    ],
    tools: [
      { type: 'function', name: 'run', description: 'runs it', parameters, strict: false },
      { type: 'custom', name: 'patch', description: 'takes a patch', format: { type: 'text' } },
      { type: 'web_search' },
    ],
  }
  const events = eventsIn(await (await post('/v1/responses', body, bearer)).text())
  expect(asked[0]!.messages).toEqual(conversation)
  expect(asked[0]!.tools!.map(({ name }) => name)).toEqual(['run', 'patch'])
  expect(events.map(({ type }) => type)).toEqual([
    'response.created',
    ...['response.output_item.added', 'response.output_text.delta', 'response.output_item.done'],
    ...['response.output_item.added', 'response.output_item.done', 'response.output_item.added', 'response.output_item.done'],
    'response.completed',
  ])
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at))
  const { output, usage: told } = events.at(-1).response
  expect(output).toMatchObject([
    { type: 'message', content: [{ text: 'Hm.' }] },
    { type: 'function_call', call_id: 'call_a', name: 'run', arguments: '{"command":"ls"}' },
    { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: '*** Begin' },
  ])
  expect(told).toMatchObject({ input_tokens: 7, input_tokens_details: { cached_tokens: 2 }, output_tokens: 3, total_tokens: 10 })
})

test('[LINE15] Gemini’s contents are asked through the kit, also for the models that its program names for itself', async () => {
  const { asked, notes, post } = await start()
  const body = {
    systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'List the files.' }] },
      {
        role: 'model',
        parts: [
          { text: 'hm', thought: true },
          { text: 'I look.' },
          { functionCall: { id: 'call_0', name: 'run', args: { command: 'ls -a' } } },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'run', response: { output: '.' } } }] },
    ],
    tools: [
      {
        functionDeclarations: [
          { name: 'run', description: 'runs it', parameters: { type: 'OBJECT', properties: { command: { type: 'STRING' } } } },
        ],
      },
    ],
    generationConfig: { temperature: 1 },
  }
  const goog = { 'x-goog-api-key': 'the-token' }
  const path = '/v1beta/models/org/tested:streamGenerateContent?alt=sse'
  const [event] = eventsIn(await (await post(path, body, goog)).text())
  const messages = conversation.with(3, { role: 'tool', content: '{"output":"."}', tool_call_id: 'call_0' })
  expect(asked[0]).toMatchObject({ messages, tools })
  expect(event.candidates[0]).toMatchObject({
    content: { role: 'model', parts: [{ text: 'Hm.' }, { functionCall: { id: 'call_a', name: 'run', args: { command: 'ls' } } }] },
    finishReason: 'STOP',
  })
  expect(event.usageMetadata).toMatchObject({ promptTokenCount: 7, candidatesTokenCount: 2, thoughtsTokenCount: 1, totalTokenCount: 10 })
  const helper = await post('/v1beta/models/gemini-2.5-flash-lite:generateContent', body, goog)
  expect([helper.status, notes.at(-1)]).toEqual([200, expect.stringContaining('the model gemini-2.5-flash-lite')])
  expect((await post('/v1beta/models/other:generateContent', body, goog)).status).toBe(404)
})

test('[LINE15] each API tells of refusals and failures in its own shape, and hears no other token', async () => {
  const failure = { at: 'provider' as const, reason: 'overloaded' as const, retryable: true, status: 503, detail: 'so it said' }
  const { asked, post } = await start({ ok: false, failure })
  expect(await (await post('/v1/messages', { ...anthropic, model: 'other' }, key)).json()).toMatchObject({
    type: 'error',
    error: { type: 'not_found_error' },
  })
  expect((await post('/v1/messages', anthropic, { 'x-api-key': 'another' })).status).toBe(401)
  expect(asked).toEqual([])
  expect(await (await post('/v1/messages', anthropic, key)).json()).toMatchObject({ error: { type: 'api_error' } })
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
  const gemini = await post('/v1/models/org/tested:generateContent', { contents }, { 'x-goog-api-key': 'the-token' })
  expect(await gemini.json()).toMatchObject({ error: { code: 502, status: 'INTERNAL' } })
  const responses = await post('/v1/responses', { model: 'org/tested', input: [{ type: 'image' }] }, { authorization: 'Bearer the-token' })
  expect([responses.status, await responses.json()]).toEqual([400, { error: expect.objectContaining({ code: 'invalid_request_error' }) }])
})
