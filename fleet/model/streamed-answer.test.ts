import { expect, test } from 'vitest'
import { StreamFacts } from '#shared/contract/stream.ts'
import { createCompletionReader, type ReadResult } from './completion-reader.ts'

const asIs = (text: string): string => text
const data = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`
const delta = (fields: object, more: object = {}): string => data({ choices: [{ index: 0, delta: fields, finish_reason: null }], ...more })
const stop = data({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
const done = 'data: [DONE]\n\n'

/** What was measured of parts that come 10 ms apart after a request that was sent at 500; the body ends 10 ms after the last. */
function observe(...parts: string[]): { facts: StreamFacts; result: ReadResult } {
  const reader = createCompletionReader(500, asIs)
  let at = 500
  for (const part of parts) {
    at += 10
    const result = reader.push(Buffer.from(part), at)
    if (result) return told(result)
  }
  return told(reader.end(at + 10))
}

function told(result: ReadResult): { facts: StreamFacts; result: ReadResult } {
  return { facts: StreamFacts.parse(result.ok ? result.value.stream : result.stream), result }
}

test('[STREAM4] split frames and CRLF: an event counts when it is whole, once', () => {
  const { facts } = observe(
    ...delta({ content: 'AB' }).match(/[\s\S]{1,30}/g)!,
    delta({ content: 'C' }).replaceAll('\n', '\r\n'),
    stop,
    done,
  )
  const parts = Math.ceil(delta({ content: 'AB' }).length / 30)
  expect(facts).toMatchObject({ chunks: 3, content_chunks: 2, first_token_ms: parts * 10, max_gap_ms: parts * 10, end: 'done' })
})

test('[STREAM4] comments are keep-alives: no chunks, no tokens, but lines', () => {
  const { facts } = observe(': warming\n\n', ': ping\n\n', delta({ content: 'A' }), ': ping\n\n', stop, done)
  expect(facts).toMatchObject({ keep_alives: 3, chunks: 2, content_chunks: 1, first_token_ms: 30, max_gap_ms: 10, max_data_gap_ms: 30 })
})

test('[STREAM4] usage null, absent or on every chunk: the last that was told is of this answer', () => {
  const usage = (completion_tokens: number) => ({ usage: { prompt_tokens: 5, completion_tokens } })
  expect(
    observe(delta({ content: 'A' }, usage(1)), delta({ content: 'B' }, usage(2)), delta({}, { usage: null }), stop, done).facts
      .output_tokens,
  ).toBe(2)
  expect(observe(delta({ content: 'A' }), stop, done).facts.output_tokens).toBeNull()
})

test('[STREAM4] reasoning first is a token and no content; pieces of a tool call are tokens too', () => {
  const reasoned = observe(
    delta({ role: 'assistant', content: '' }),
    delta({ reasoning: 'hm' }),
    delta({ reasoning_content: 'so' }),
    delta({ content: 'A' }),
    stop,
    done,
  )
  expect(reasoned.facts).toMatchObject({ first_token_ms: 20, first_content_ms: 40, token_chunks: 3, content_chunks: 1, chunks: 5 })
  const call = (fields: object) => delta({ tool_calls: [{ index: 0, ...fields }] })
  const called = observe(
    call({ id: 'a', function: { name: 'f', arguments: '' } }),
    call({ function: { arguments: '{' } }),
    call({ function: { arguments: '}' } }),
    stop,
    done,
  )
  expect(called.facts).toMatchObject({
    first_token_ms: 10,
    last_token_ms: 30,
    token_chunks: 3,
    content_chunks: 0,
    content: null,
    max_token_gap_ms: 10,
  })
})

test('[STREAM4] what breaks an answer off leaves what was measured until then', () => {
  const broken: [string, string[], string, number][] = [
    ['bad JSON', [data('{oops')], 'bad-response', 30],
    ['an error inside 200', [data({ error: { code: 503 } })], 'overloaded', 30],
    ['an unframed error line', ['{"error":{"code":503}}\n'], 'overloaded', 30],
    ['no terminator', [], 'cut-stream', 30],
  ]
  for (const [name, parts, reason, duration_ms] of broken) {
    const { facts, result } = observe(delta({ content: 'A' }), delta({ content: 'B' }), ...parts)
    expect([name, result.ok || result.failure.reason]).toEqual([name, reason])
    expect(facts, name).toMatchObject({
      ...{ end: 'cut', content_chunks: 2, first_token_ms: 10, last_token_ms: 20, duration_ms },
    })
  }
})

test('[STREAM4] an end is told by how it came: [DONE] or a whole message, finished without it, refused by the model', () => {
  expect(observe(delta({ content: 'A' }), stop, done).facts.end).toBe('done')
  expect(observe(delta({ content: 'A' }), stop)).toMatchObject({ facts: { end: 'closed', duration_ms: 30 }, result: { ok: true } })
  const whole = observe(
    JSON.stringify({ choices: [{ message: { content: 'A' }, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1 } }),
  )
  expect(whole.facts).toMatchObject({
    end: 'done',
    chunks: 1,
    content_chunks: 1,
    first_token_ms: 10,
    max_gap_ms: 10,
    max_data_gap_ms: 10,
    max_token_gap_ms: null,
  })
  expect(observe(delta({ content: 'A' }), data({ choices: [{ delta: {}, finish_reason: 'content_filter' }] }), done)).toMatchObject({
    facts: { end: 'done' },
    result: { ok: false },
  })
})

test('[STREAM4] the times of an answer are those of its facts', () => {
  const { facts, result } = observe(': ping\n\n', delta({ content: 'A' }), stop, done)
  expect(result).toMatchObject({
    ok: true,
    value: { latency_ms: facts.duration_ms, ttft_ms: facts.first_token_ms, max_gap_ms: facts.max_gap_ms },
  })
})
