import { expect, test } from 'vitest'
import { createCompletionReader, mostBytes, type ReadResult } from './completion-reader.ts'

const asIs = (text: string): string => text

function read(...parts: (string | Uint8Array)[]): ReadResult {
  const reader = createCompletionReader(0, asIs)
  for (const part of parts) {
    const result = reader.push(typeof part === 'string' ? Buffer.from(part) : part, 1)
    if (result) return result
  }
  return reader.end(2)
}

const data = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`
const delta = (fields: object, finish_reason: string | null = null): string =>
  data({ choices: [{ index: 0, delta: fields, finish_reason }] })
const stop = delta({}, 'stop')
const done = 'data: [DONE]\n\n'

function answer(...parts: string[]) {
  const result = read(...parts)
  if (!result.ok) throw new Error(result.failure.reason)
  return result.value
}
function reason(...parts: (string | Uint8Array)[]): string {
  const result = read(...parts)
  return result.ok ? 'answer' : result.failure.reason
}

test('[MODEL4] content and reasoning are kept apart, whatever the reasoning field is called', () => {
  const first = answer(
    delta({ role: 'assistant', reasoning_content: 'think ' }),
    delta({ reasoning: 'more' }),
    delta({ content: 'A' }),
    stop,
    done,
  )
  expect(first).toMatchObject({ text: 'A', reasoning: 'think more', finish_reason: 'stop' })
  expect(answer(delta({ content: 'B', reasoning_content: null }), stop, done).reasoning).toBeNull()
  expect(answer(delta({ reasoning_content: '', reasoning: 'r' }), delta({ content: 'B' }), stop).reasoning).toBe('r')
})

test('[MODEL4] tool call fragments are merged by index and kept beside the text', () => {
  const call = (index: number, fields: object): string => delta({ tool_calls: [{ index, ...fields }] })
  const value = answer(
    delta({ content: 'text' }),
    call(1, { id: 'b', function: { name: 'two', arguments: '{"x"' } }),
    call(0, { id: 'a', function: { name: 'one', arguments: '' } }),
    call(1, { function: { arguments: ':1' } }),
    stop,
  )
  expect(value.text).toBe('text')
  expect(value.tool_calls).toEqual([
    { id: 'a', name: 'one', arguments: '' },
    { id: 'b', name: 'two', arguments: '{"x":1' },
  ])
})

test('[MODEL4] model and system fingerprint are recorded as reported', () => {
  const value = answer(data({ model: 'other/model', system_fingerprint: 'fp_1', choices: [] }), delta({ content: 'A' }), stop)
  expect(value).toMatchObject({ model_reported: 'other/model', system_fingerprint: 'fp_1' })
})

test('[MODEL6] content may come as text or as a list of parts; null is nothing', () => {
  const parts = [{ type: 'text', text: 'A' }, 'B', { type: 'thinking' }]
  expect(answer(delta({ content: null }), delta({ content: parts }), stop).text).toBe('AB')
})

const malformed: [string, string][] = [
  ['content number', delta({ content: 5 })],
  ['content boolean', delta({ content: true })],
  ['content object', delta({ content: { text: 'A' } })],
  ['content list of numbers', delta({ content: [1, 2] })],
  ['reasoning number', delta({ reasoning: 5 })],
  ['choices object', data({ choices: { 0: {} } })],
  ['choices text', data({ choices: 'A' })],
  ['choice null', data({ choices: [null] })],
  ['choice text', data({ choices: ['A'] })],
  ['tool calls text', delta({ tool_calls: 'x' })],
  ['tool call null', delta({ tool_calls: [null] })],
  ['tool call index huge', delta({ tool_calls: [{ index: 1e9 }] })],
  ['tool call index negative', delta({ tool_calls: [{ index: -1 }] })],
  ['chunk number', data('7')],
  ['chunk null', data('null')],
  ['chunk list', data('[]')],
  ['chunk text', data('"A"')],
  ['chunk no JSON', data('{"choices":[{"delta":{"content":"A')],
  ['chunk JavaScript', data("{'choices': []}")],
  ['one good, one bad line', 'data: {"choices":[]}\ndata: {oops\n\n'],
]

test.each(malformed)('[MODEL6] a malformed chunk is a bad response, wherever it stands: %s', (_, chunk) => {
  expect(reason(chunk, stop, done)).toBe('bad-response')
  expect(reason(delta({ content: 'A' }), chunk, stop, done)).toBe('bad-response')
})

const broken: [string, string[]][] = [
  ['no choices at all', [data({ choices: [] }), done]],
  ['choices null', [data({ choices: null }), done]],
  ['choices absent', [data({ id: 'x' }), done]],
  ['only [DONE]', [done]],
  ['nothing in the choice and no end of it', [delta({ role: 'assistant', content: '' }), done]],
  ['a whole body without choices', ['{"choices":[]}']],
]

test.each(broken)('[MODEL7] a reply without a choice, or with nothing in it and no finish reason, is an empty response: %s', (_, parts) => {
  expect(reason(...parts)).toMatch(/^(empty-response|cut-stream)$/)
  expect(reason(...parts)).not.toBe('answer')
})

const calls = Array.from({ length: 300 }, (_, index) => ({ index, function: { arguments: '{bad' } }))
const silent: [string, string[], string][] = [
  ['content null', [delta({ content: null }), stop, done], 'stop'],
  ['content empty', [delta({ content: '' }), stop, done], 'stop'],
  ['empty list of parts', [delta({ content: [] }), stop, done], 'stop'],
  ['no delta', [data({ choices: [{ index: 0, finish_reason: 'stop' }] }), done], 'stop'],
  ['finished without [DONE]', [delta({ content: '' }), stop], 'stop'],
  ['a whole body', [JSON.stringify({ choices: [{ message: { content: '' }, finish_reason: 'stop' }] })], 'stop'],
  ['tool calls only', [delta({ tool_calls: calls }), delta({}, 'tool_calls'), done], 'tool_calls'],
  ['length used up unseen', [delta({ content: '' }), delta({}, 'length'), done], 'length'],
]

test.each(silent)('[MODEL7] a finished reply without text is an answer, which is empty: %s', (_, parts, finish_reason) => {
  expect(answer(...parts)).toMatchObject({ text: '', reasoning: null, finish_reason })
})

test('[MODEL7] reasoning without text is an answer', () => {
  expect(answer(delta({ reasoning: 'so far' }), delta({}, 'length'), done).reasoning).toBe('so far')
})

test('[MODEL8] an error object under status 200 fails the call, framed or not, by its code and never by its words', () => {
  const text = delta({ content: 'A' })
  expect(reason(text, data({ error: { message: 'rate limit' } }))).toBe('server-error')
  expect(reason(text, '{"error": "rate limit exceeded"}')).toBe('server-error')
  expect(reason(text, '{"error": "x"}\n\n', done)).toBe('server-error')
  expect(reason(text, data({ error: { code: 429 } }), stop, done)).toBe('rate-limited')
  expect(reason(data({ error: { code: '402' } }))).toBe('payment-required')
  expect(reason(data({ error: { code: 'context_length_exceeded' } }))).toBe('context-length')
  expect(reason(data({ choices: [{ error: { code: 'content_filter' }, finish_reason: 'error' }] }))).toBe('content-filter')
  expect(reason('{"error":{"message":"down","code":503}}')).toBe('overloaded')
  expect(answer(data({ error: null, choices: [{ delta: { content: 'A' } }] }), stop).text).toBe('A')
})

test('[MODEL8] finish reasons that are no end of an answer fail the call', () => {
  expect(reason(delta({ content: 'A' }), delta({}, 'content_filter'), done)).toBe('content-filter')
  expect(reason(delta({ content: 'A' }), delta({}, 'error'), done)).toBe('server-error')
  expect(reason(delta({ content: 'A' }), delta({}, 'abort'), done)).toBe('cut-stream')
})

test('[MODEL9] a stream cut after any byte is a cut stream until the finish reason has come, and never a short answer', () => {
  const words = Array.from({ length: 48 }, (_, index) => delta({ content: `wörd "${index}" \\n🦜 ` }))
  const stream = Buffer.from([...words, stop, data({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 9 } }), done].join(''))
  const whole = answer(stream.toString()).text
  const finishEnd = stream.indexOf('"stop"') + '"stop"}]}'.length
  for (let bytes = 0; bytes < stream.length; bytes += 1) {
    const result = read(stream.subarray(0, bytes))
    if (bytes < finishEnd) expect(result).toMatchObject({ ok: false, failure: { reason: 'cut-stream', retryable: true } })
    else expect(result).toMatchObject({ ok: true, value: { text: whole } })
  }
  expect(stream.length).toBeGreaterThan(4096)
})

test('[MODEL9] a finish reason without [DONE] ends an answer, and so does [DONE] without a finish reason', () => {
  expect(answer(delta({ content: 'A' }), stop).text).toBe('A')
  expect(answer(delta({ content: 'A' }, 'stop').trimEnd()).text).toBe('A')
  expect(answer(delta({ content: 'A' }), done)).toMatchObject({ text: 'A', finish_reason: null })
  expect(answer(delta({ content: 'A' }), stop, 'data: [DONE]').text).toBe('A')
  expect(answer('data: {"choices":[{"delta":{"content":"A"}}]}\ndata: [DONE]\n\n').text).toBe('A')
})

test('[MODEL9] a body that is no completion is a bad response', () => {
  expect(reason('<!DOCTYPE html><html><body>502</body></html>\n')).toBe('bad-response')
  expect(reason(new Uint8Array([0xff, 0xfe, 0x00, 0x80, 0x0a, 0xc3, 0x28]))).toBe('bad-response')
  expect(reason('[1,2]')).toBe('bad-response')
  expect(reason('null')).toBe('bad-response')
  expect(reason('')).toBe('cut-stream')
  expect(reason('{"choices":[{"message":{"content":"A')).toBe('cut-stream')
})

test('[MODEL10] a whole JSON body in answer to a stream request is read as the answer', () => {
  const body = {
    model: 'm',
    choices: [{ message: { role: 'assistant', content: 'A', reasoning: 'R' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 2 },
  }
  for (const text of [JSON.stringify(body), JSON.stringify(body, null, 2), `${JSON.stringify(body)}\n`]) {
    expect(answer(text)).toMatchObject({ text: 'A', reasoning: 'R', finish_reason: 'stop', usage_known: true, model_reported: 'm' })
  }
})

test('[MODEL11] more than 32 MiB are too large, in one line or in many', () => {
  const block = Buffer.alloc(4 * 1024 * 1024, 0x61)
  const blocks = mostBytes / block.length
  expect(reason(...Array.from({ length: blocks + 1 }, () => block))).toBe('too-large')
  const comment = Buffer.from(`: ${'x'.repeat(1022)}\n`.repeat(4096))
  expect(reason(...Array.from({ length: blocks + 1 }, () => comment))).toBe('too-large')
  expect(answer(delta({ content: 'x'.repeat(10_000_000) }), stop).text.length).toBe(10_000_000)
})

test('[MODEL12] times run from the send: first token, largest gap between lines with the send as first, end', () => {
  const reader = createCompletionReader(1000, asIs)
  const push = (text: string, at: number): ReadResult | null => reader.push(Buffer.from(text), at)
  push(': ping\n\n', 1040)
  push(delta({ role: 'assistant', content: '' }), 1100)
  expect(reader.started()).toBe(false)
  push('data: {"choices":[{"de', 1150)
  push('lta":{"reasoning":"r"}}]}\n\n', 1220)
  expect(reader.started()).toBe(true)
  push(delta({ content: 'A' }, 'stop'), 1250)
  expect(push(done, 1260)).toMatchObject({ ok: true, value: { latency_ms: 260, ttft_ms: 220, max_gap_ms: 120 } })
})

test('[MODEL12] without a token there is no first-token time, and a failed answer still tells its usage', () => {
  const reader = createCompletionReader(0, asIs)
  reader.push(Buffer.from(data({ choices: [], usage: { prompt_tokens: 4, completion_tokens: 1 } })), 5)
  expect(reader.end(9)).toMatchObject({ ok: false, failure: { reason: 'cut-stream' }, usage: { input_tokens: 4, output_tokens: 1 } })
  expect(answer(delta({}, 'length')).ttft_ms).toBeNull()
})
