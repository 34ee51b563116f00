import { expect, test } from 'vitest'
import { noUsage } from '#shared/contract/usage.ts'
import { createCompletionReader, type ReadResult } from './completion-reader.ts'

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

const withUsage = (usage: unknown) => answer(delta({ content: 'A' }), stop, data({ choices: [], usage }), done)

test('[MODEL5] the last usage wins, a null one changes nothing', () => {
  const usage = (completion_tokens: number): object => ({ prompt_tokens: 10, completion_tokens })
  const value = answer(
    data({ choices: [{ delta: { content: 'A' } }], usage: usage(1) }),
    data({ choices: [{ delta: { content: 'B' } }], usage: usage(2) }),
    data({ choices: [{ delta: {}, finish_reason: 'stop' }], usage: null }),
    done,
  )
  expect(value.usage).toEqual({ ...noUsage, input_tokens: 10, output_tokens: 2 })
  expect(value.usage_known).toBe(true)
})

test('[MODEL5] cached and reasoning tokens are parts of their whole', () => {
  const details = { prompt_tokens_details: { cached_tokens: 99 }, completion_tokens_details: { reasoning_tokens: 3 } }
  expect(withUsage({ prompt_tokens: 10, completion_tokens: 5, ...details }).usage).toEqual({
    input_tokens: 10,
    output_tokens: 5,
    cached_tokens: 10,
    reasoning_tokens: 3,
  })
})

test('[MODEL5] absent, negative, fractional, huge, zero and malformed usage is unknown, never a number', () => {
  const cases = [
    undefined,
    null,
    7,
    'x',
    [],
    {},
    { prompt_tokens: 1 },
    ...[-1, 1.5, 1e12, '1.5', '-1', '', 'five', 0, null].map((n) => ({ prompt_tokens: n, completion_tokens: 1 })),
    { prompt_tokens: 9, completion_tokens: 0 },
  ]
  for (const usage of cases) expect(withUsage(usage)).toMatchObject({ usage: noUsage, usage_known: false })
  const silent = answer(delta({ content: '' }), stop, data({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 0 } }), done)
  expect(silent).toMatchObject({ usage_known: true, usage: { input_tokens: 9, output_tokens: 0 } })
})

test('[MODEL5] each count that is told last stands; a zero or an unreadable one takes the place of none', () => {
  const later = (usage: object) =>
    answer(
      data({ choices: [{ delta: { content: 'A' } }], usage: { prompt_tokens: 10, completion_tokens: 4 } }),
      stop,
      data({ choices: [], usage }),
    ).usage
  const counts = (input_tokens: number, output_tokens: number) => ({ ...noUsage, input_tokens, output_tokens })
  expect(later({ prompt_tokens: -5, completion_tokens: 6 })).toEqual(counts(10, 6))
  expect(later({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 })).toEqual(counts(10, 4))
  expect(later({ prompt_tokens: 12, completion_tokens: 5 })).toEqual(counts(12, 5))
})

test('[MODEL5] a cache is counted within the input or beside it, as the total or the names of the counts say', () => {
  const cache = { cache_read_input_tokens: 100, cache_creation_input_tokens: 5 }
  const read = (usage: object) => {
    const { input_tokens, cached_tokens } = withUsage(usage).usage
    return [input_tokens, cached_tokens]
  }
  expect(read({ input_tokens: 15, output_tokens: 30, ...cache })).toEqual([120, 100])
  expect(read({ input_tokens: 120, output_tokens: 30, total_tokens: 150, ...cache })).toEqual([120, 100])
  expect(read({ prompt_tokens: 120, completion_tokens: 30, ...cache })).toEqual([120, 100])
  expect(read({ prompt_tokens: 15, completion_tokens: 30, ...cache })).toEqual([120, 100])
  expect(read({ prompt_tokens: 200, completion_tokens: 30, total_tokens: 335, ...cache })).toEqual([305, 100])
})

test('[MODEL316] cached and reasoning tokens that were not told are marked as unknown', () => {
  const told = (usage: object) => withUsage({ prompt_tokens: 10, completion_tokens: 5, ...usage }).usage_told
  expect(told({})).toEqual({ cached_tokens: false, reasoning_tokens: false })
  expect(told({ prompt_tokens_details: { cached_tokens: 0 }, completion_tokens_details: { reasoning_tokens: 0 } })).toEqual({
    cached_tokens: true,
    reasoning_tokens: true,
  })
  expect(told({ prompt_tokens_details: null, completion_tokens_details: { reasoning_tokens: null } })).toEqual({
    cached_tokens: false,
    reasoning_tokens: false,
  })
})

const nameless = (index: unknown, name: string, written: string) =>
  delta({ tool_calls: [{ index, function: { name, arguments: written } }] })
const piece = (index: unknown, written: string) => delta({ tool_calls: [{ index, function: { arguments: written } }] })

test.each([
  [
    'a name in pieces',
    [
      delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'get_' } }] }),
      delta({ tool_calls: [{ index: 0, function: { name: 'weather' } }] }),
      piece(0, '{}'),
    ],
    [['get_weather', '{}']],
  ],
  [
    'two calls to one function without ids',
    [nameless(0, 'f', '{"a":1}'), nameless(0, 'f', ''), piece(0, '{"a":'), piece(0, '2}')],
    [
      ['f', '{"a":1}'],
      ['f', '{"a":2}'],
    ],
  ],
  [
    'a name behind a finished call',
    [nameless(0, 'f', '{"a":1}'), nameless(0, 'g', ''), piece(0, '{"b":2}')],
    [
      ['f', '{"a":1}'],
      ['g', '{"b":2}'],
    ],
  ],
  ['a name again behind a finished call', [nameless(0, 'f', '{"a":1}'), nameless(0, 'f', '')], [['f', '{"a":1}']]],
  [
    'one id for all calls',
    ['x', 'y'].map((name, index) => delta({ tool_calls: [{ index, id: 'same', function: { name, arguments: '{}' } }] })),
    [
      ['x', '{}'],
      ['y', '{}'],
    ],
  ],
  ['name and arguments without a function', [delta({ tool_calls: [{ id: 'a', name: 'f', arguments: { a: 1 } }] })], [['f', '{"a":1}']]],
  ['braces in a text', [nameless(0, 'f', '{"a":"}'), piece(0, '{'), piece(0, '}"}')], [['f', '{"a":"}{}"}']]],
  [
    'an index that is a word',
    [nameless('one', 'f', '{'), nameless('two', 'g', '{'), piece('one', '"a":1}'), piece('two', '"b":2}')],
    [
      ['f', '{"a":1}'],
      ['g', '{"b":2}'],
    ],
  ],
  ['no function call in an empty one', [delta({ content: 'A', function_call: { name: '', arguments: '' } })], []],
])('[MODEL310] fragments of tool calls find their call: %s', (_, parts, expected) => {
  const { tool_calls } = answer(...parts, delta({}, 'tool_calls'), done)
  expect(tool_calls.map(({ name, arguments: written }) => [name, written])).toEqual(expected)
})

test('[MODEL8] fields of an answer that look like an error are none', () => {
  const benign = {
    error: '',
    errors: [],
    code: 0,
    success: true,
    detail: '',
    message: '',
    status: 'ok',
    base_resp: { status_code: 0, status_msg: '' },
  }
  expect(
    answer(data({ ...benign, choices: [{ delta: { content: 'A' } }] }), data({ ...benign, code: 200, choices: [] }), stop, done).text,
  ).toBe('A')
  expect(answer(data({ error: {}, code: 'success', message: 'ok', choices: [{ delta: { content: 'A' } }] }), stop).text).toBe('A')
})

test('[MODEL8] errors under status 200 are named by code, status and type, and their words stand in the detail', () => {
  expect(reason(data({ base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }))).toBe('payment-required')
  expect(reason(data({ object: 'error', message: 'no', code: 429 }))).toBe('rate-limited')
  expect(reason(data({ type: 'error', error: { type: 'overloaded_error', message: 'x' } }))).toBe('overloaded')
  expect(reason(data({ error: { type: 'invalid_request_error', message: 'x' } }))).toBe('bad-request')
  const said = read(data({ choices: [] }), data({ state: 'queue full' }), done)
  expect(said).toMatchObject({ ok: false, failure: { reason: 'empty-response', detail: expect.stringContaining('queue full') } })
})

test('[MODEL313] a finish reason on every chunk is no end: such an answer ends with its body, and breaks off with it', () => {
  const every = [delta({ content: 'The answer' }, 'stop'), delta({ content: ' is (A).' }, 'stop')]
  expect(answer(...every).text).toBe('The answer is (A).')
  expect(reason(every[0]!, data({ error: 'gone' }))).toBe('server-error')
  const reader = createCompletionReader(0, asIs)
  for (const part of every) reader.push(Buffer.from(part), 1)
  expect(reader.dueMs()).toBe(Number.POSITIVE_INFINITY)
  expect(reader.end(2, true)).toMatchObject({ ok: false, failure: { reason: 'cut-stream' } })
})

test('[MODEL317] a choice with another index than 0 is read only where that one never comes', () => {
  const other = (content: string, finish_reason: string | null = null) =>
    data({ choices: [{ index: 1, delta: { content }, finish_reason }] })
  expect(answer(other('B'), delta({ content: 'A' }), other('B', 'stop'), stop, done).text).toBe('A')
  expect(answer(other('B'), other('', 'stop'), done)).toMatchObject({ text: 'B', finish_reason: 'stop' })
})
