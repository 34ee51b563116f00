import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Answered, AskRequest, Completion } from '#shared/solvers/kit.ts'
import { said } from '#shared/solvers/testing/said.ts'
import { unsetParams } from '#shared/solvers/testing/scripted-kit.ts'
import { createBodyBudget } from './body-budget.ts'
import { type ChatPort, createChatServer } from './serve-chat.ts'

const failed = (reason: 'overloaded' | 'context-length' | 'bad-request' | 'content-filter', status: number | null = 503): Answered => ({
  ok: false,
  failure: { at: 'provider', reason, retryable: true, status, detail: 'so it said' },
})
const full: Completion = {
  ...said('Hm.', 'I think'),
  finish_reason: 'tool_calls',
  usage: { input_tokens: 7, output_tokens: 3, cached_tokens: 2, reasoning_tokens: 1 },
  tool_calls: [
    { id: 'call_a', name: 'run', arguments: '{"command": "ls  -l"}' },
    { id: null, name: 'look', arguments: 'no json' },
  ],
}

/** A server at loopback whose model says these things in turn. */
async function start(answers: readonly (Answered | Completion)[] = [], planned = unsetParams, budget = createBodyBudget()) {
  const asked: AskRequest[] = []
  const notes: string[] = []
  const port: ChatPort = {
    ...{ model: 'org/tested', token: 'the-token', params: planned },
    note: (text) => void notes.push(text),
    async ask(request) {
      asked.push(request)
      const answer = answers[asked.length - 1] ?? said('ok')
      return 'ok' in answer ? answer : { ok: true, value: answer }
    },
  }
  const { server, told } = createChatServer(port, budget)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = (path: string, init: RequestInit = {}, token = 'the-token') =>
    fetch(`${url}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...(init.headers ?? {}) } })
  const chat = (body: object, more: object = {}) =>
    send('/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({ model: 'org/tested', messages: [{ role: 'user', content: 'hi' }], ...body }),
      ...more,
    })
  return { asked, notes, told, send, chat, port: Number(new URL(url).port) }
}
const errorOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: { code: string; type: string; param: string | null; message: string } }
  return { status: response.status, ...error }
}

test('[EPI34] an answer has OpenAI’s shape, whole and as events; calls of tools come as the model wrote them, and usage', async () => {
  const { chat } = await start([full, full])
  const whole = (await (await chat({})).json()) as { id: string; choices: { message: { tool_calls: { id: string }[] } }[] }
  const [call, unnamed] = whole.choices[0]!.message.tool_calls
  expect(whole).toMatchObject({
    object: 'chat.completion',
    model: 'org/tested',
    choices: [{ index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', content: 'Hm.', reasoning_content: 'I think' } }],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10, prompt_tokens_details: { cached_tokens: 2 } },
  })
  expect(call).toEqual({ id: 'call_a', type: 'function', function: { name: 'run', arguments: '{"command": "ls  -l"}' } })
  expect(unnamed).toMatchObject({ id: expect.stringMatching(/^call_./), function: { name: 'look', arguments: 'no json' } })
  const streamed = await chat({ stream: true, stream_options: { include_usage: true } })
  expect(streamed.headers.get('content-type')).toBe('text/event-stream')
  const lines = (await streamed.text()).split('\n\n').filter(Boolean)
  expect(lines.at(-1)).toBe('data: [DONE]')
  const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.slice('data: '.length)))
  expect(chunks.map(({ choices }) => choices[0]?.delta)).toMatchObject(
    [
      { role: 'assistant', content: '' },
      { reasoning_content: 'I think' },
      { content: 'Hm.' },
      { tool_calls: [{ index: 0, id: 'call_a', function: { arguments: '{"command": "ls  -l"}' } }] },
      { tool_calls: [{ index: 1, function: { name: 'look' } }] },
      {},
      undefined,
    ].map((one) => one as object),
  )
  expect([chunks.at(-2).choices[0].finish_reason, chunks.at(-1).usage.total_tokens]).toEqual(['tool_calls', 10])
})

test('[EPI34] what a program sends of a conversation, its tools and how they are to be called goes on unchanged', async () => {
  const { chat, asked } = await start()
  const tool = { name: 'run', description: 'Runs.', parameters: { type: 'object', properties: { command: { type: 'string' } } } }
  const schema = { name: 'reply', schema: { type: 'object' } }
  await chat({
    messages: [
      { role: 'developer', content: 'Be good.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'one ' },
          { type: 'text', text: 'two' },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [{ id: 'x', type: 'function', function: { name: 'run', arguments: '{ "a":1}' } }] },
      { role: 'tool', tool_call_id: 'x', content: 'out\n' },
    ],
    tools: [{ type: 'function', function: tool }],
    tool_choice: { type: 'function', function: { name: 'run' } },
    response_format: { type: 'json_schema', json_schema: schema },
  })
  expect(asked[0]).toEqual({
    messages: [
      { role: 'system', content: 'Be good.' },
      { role: 'user', content: 'one two' },
      { role: 'assistant', content: '', tool_calls: [{ id: 'x', name: 'run', arguments: '{ "a":1}' }] },
      { role: 'tool', content: 'out\n', tool_call_id: 'x' },
    ],
    ...{ tools: [tool], tool_choice: { name: 'run' }, schema, params: unsetParams },
  })
})

test('[EPI35] the plan’s parameters hold, which is told once; a program’s stop sequences hold where the plan has none', async () => {
  const { chat, asked, notes } = await start()
  for (const _ of [1, 2]) await chat({ temperature: 0.9, max_tokens: 5, seed: 1, user: 'me', stop: 'END' })
  expect(asked.map(({ params }) => params)).toEqual([1, 2].map(() => ({ ...unsetParams, stop: ['END'] })))
  expect(notes).toEqual([
    'The command asked with max_tokens, seed, temperature of its own; the plan’s parameters hold in their place.',
    'The command’s own stop sequences hold: ["END"].',
  ])
  const strict = await start([], { ...unsetParams, stop: ['X'] })
  await strict.chat({ stop: ['END'] })
  expect([strict.asked[0]!.params?.stop, strict.notes[0]]).toEqual([['X'], expect.stringContaining('with stop of its own')])
})

test('[EPI36] only the token is heard, only the tested model is there, and what cannot be done is refused by name', async () => {
  const { send, chat, asked } = await start()
  expect(await errorOf(await send('/v1/models', {}, 'the-tokem'))).toMatchObject({ status: 401, code: 'invalid_api_key' })
  expect((await send('/v1/models', { headers: { authorization: '' } })).status).toBe(401)
  expect(await (await send('/v1/models')).json()).toMatchObject({ data: [{ id: 'org/tested', object: 'model' }] })
  expect((await send('/v1/models/org%2Ftested')).status).toBe(200)
  expect(await errorOf(await send('/v1/models/other'))).toMatchObject({ status: 404, code: 'model_not_found' })
  expect(await errorOf(await chat({ model: 'gpt-4o' }))).toMatchObject({ status: 404, message: expect.stringContaining('"org/tested"') })
  expect((await send('/v1/embeddings', { method: 'POST', body: '{}' })).status).toBe(404)
  const picture = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:' } }] }]
  const refused: [object, RegExp][] = [
    [{ messages: picture }, /^messages\.0\.content: only text/],
    [{ n: 2 }, /^n: one answer/],
    [{ functions: [{}] }, /^functions: .*offer tools/],
    [{ messages: [] }, /^messages: /],
    [{ response_format: { type: 'json_object' } }, /^response_format\.type: /],
  ]
  for (const [body, message] of refused)
    expect(await errorOf(await chat(body))).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      message: expect.stringMatching(message),
    })
  expect((await chat({}, { body: 'no json' })).status).toBe(400)
  const large = await chat({}, { body: Buffer.alloc(32 * 2 ** 20 + 1, ' ') }).catch(() => null)
  expect([413, undefined]).toContain(large?.status)
  expect(asked).toEqual([])
})

test('[EPI37] a limit tells the program to stop; a provider’s failure is the attempt’s unless an answer follows, and one of the request only where nothing was answered', async () => {
  const limit = { ok: false, limit: { limit: 'turns', most: 3 } } as const
  const { chat, told } = await start([limit, failed('overloaded'), said('yes'), failed('context-length', 400), failed('bad-request', 400)])
  const stopped = await chat({})
  expect([stopped.headers.get('x-should-retry'), told()]).toEqual(['false', { answers: 0, last: null, failure: null }])
  expect(await errorOf(stopped)).toMatchObject({
    status: 429,
    code: 'insufficient_quota',
    message: expect.stringMatching(/limit of 3 turns.*Stop/),
  })
  expect(await errorOf(await chat({}))).toMatchObject({ status: 502, type: 'server_error', code: 'overloaded' })
  expect(told().failure).toMatchObject({ reason: 'overloaded' })
  expect((await chat({})).status).toBe(200)
  expect(told()).toMatchObject({ answers: 1, last: { text: 'yes' }, failure: null })
  expect(await errorOf(await chat({}))).toMatchObject({ status: 400, code: 'context_length_exceeded' })
  expect((await chat({})).status).toBe(400)
  expect(told().failure).toBe(null)
  const never = await start([failed('bad-request', 400)])
  await never.chat({})
  expect(never.told().failure).toMatchObject({ reason: 'bad-request' })
})

test('[EPI391] requests of an attempt share a budget from their first byte to the end of their answers', () => {
  const budget = createBodyBudget(10)
  const [one, other] = [budget.enter(), budget.enter()]
  expect([one.take(6), other.take(4), other.take(1), one.take(1)]).toEqual([true, true, false, false])
  one.leave()
  one.leave()
  expect([budget.held(), other.take(6), other.take(1)]).toEqual([4, true, false])
})

test('[EPI391] a body beyond the budget is refused as one to be sent again, and may be once another request has ended', async () => {
  const { chat, port } = await start([], unsetParams, createBodyBudget(1000))
  const holding = connect(port, '127.0.0.1')
  holding.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer the-token\r\nContent-Length: 2000\r\n\r\n${'x'.repeat(950)}`,
  )
  await expect.poll(async () => (await chat({})).status).toBe(429)
  const refused = await chat({})
  expect([refused.headers.get('x-should-retry'), (await errorOf(refused)).type]).toEqual(['true', 'requests'])
  holding.destroy()
  await expect.poll(async () => (await chat({})).status).toBe(200)
})

test('[EPI391] a body with more parts of JSON than are read is refused before it is', async () => {
  const { send, asked } = await start()
  const body = `[${'[],'.repeat(2_100_000)}[]]`
  const refused = await errorOf(await send('/v1/chat/completions', { method: 'POST', body }))
  expect([refused.status, refused.code, asked]).toEqual([413, 'request_too_large', []])
})
