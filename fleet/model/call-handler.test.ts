import type { Dispatcher } from 'undici'
import { afterEach, expect, test, vi } from 'vitest'
import { providerDefs } from '#shared/providers/providers.ts'
import { createGrowingRedactor } from '#shared/secrets/growing-redactor.ts'
import { openReading, type Reading } from './answer-reading.ts'
import { createCallDeadlines } from './call-deadlines.ts'
import { createCallHandler } from './call-handler.ts'
import type { CallAborted, CallResult } from './call-result.ts'
import type { CompletionReader } from './completion-reader.ts'
import { defaultTimeouts } from './model-client.ts'

/** A handler with a wire in the test's hands. */
function handled(signal: AbortSignal | null = null, onAnswer?: (soFar: CompletionReader['soFar']) => void, timeouts = defaultTimeouts) {
  const settled: (CallResult | CallAborted)[] = []
  const aborted: Error[] = []
  const keep = (outcome: CallResult | CallAborted): void => {
    settled.push(outcome)
  }
  const handler = createCallHandler({
    timeouts,
    deadlines: createCallDeadlines(),
    redact: (text) => text,
    refusals: providerDefs.openai,
    signal,
    resolve: keep,
    reject: keep,
    onAnswer,
  })
  const controller: Dispatcher.DispatchController = {
    aborted: false,
    paused: false,
    reason: null,
    rawHeaders: null,
    rawTrailers: null,
    abort: (reason) => aborted.push(reason),
    resume: () => undefined,
    pause: () => undefined,
  }
  return {
    settled,
    aborted,
    start: () => handler.onRequestStart?.(controller, null),
    headers: (status: number, headers = {}) => handler.onResponseStart?.(controller, status, headers),
    data: (text: string) => handler.onResponseData?.(controller, Buffer.from(text)),
    end: () => handler.onResponseEnd?.(controller, {}),
    error: (error: Error) => handler.onResponseError?.(controller, error),
  }
}

const half = 'data: {"choices":[{"delta":{"content":"A"}}],"usage":{"prompt_tokens":7,"completion_tokens":1}}\n\n'

test('[MODEL19] a call given up half-way rejects with the usage told so far, once, and hangs up', () => {
  const abort = new AbortController()
  const call = handled(abort.signal)
  call.start()
  call.headers(200)
  call.data(half)
  abort.abort(new Error('lease lost'))
  call.error(new Error('aborted'))
  expect(call.settled).toMatchObject([{ cause: { message: 'lease lost' }, usage: { input_tokens: 7, output_tokens: 1 } }])
  expect(call.aborted).toHaveLength(1)
})

test('[MODEL19] a call given up before its connection stands never sends its request', () => {
  const abort = new AbortController()
  const call = handled(abort.signal)
  abort.abort(new Error('lease lost'))
  call.start()
  expect(call.settled).toHaveLength(1)
  expect(call.aborted).toHaveLength(1)
})

test('[MODEL20] a call settles once: nothing after [DONE] and no broken connection changes its answer', () => {
  const call = handled()
  call.start()
  call.headers(200)
  call.data(`${half}data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`)
  call.data('data: {"error":"late"}\n\n')
  call.error(new Error('reset'))
  expect(call.settled).toMatchObject([{ ok: true, value: { text: 'A' } }])
  expect(call.aborted).toHaveLength(0)
})

test('[MODEL9] a connection that breaks in the stream is a cut stream with the usage told so far, or the whole answer behind its finish reason', () => {
  const cut = handled()
  cut.start()
  cut.headers(200)
  cut.data(half)
  cut.error(new Error('other side closed'))
  expect(cut.settled).toMatchObject([{ ok: false, failure: { reason: 'cut-stream' }, usage: { output_tokens: 1 } }])
  const whole = handled()
  whole.start()
  whole.headers(200)
  whole.data(`${half}data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n`)
  whole.error(new Error('other side closed'))
  expect(whole.settled).toMatchObject([{ ok: true, value: { text: 'A' } }])
})

test('[MODEL14] an error status stands, even when its body breaks off or never stops', () => {
  const broken = handled()
  broken.start()
  broken.headers(503, { 'retry-after': '2' })
  broken.data('{"detail":')
  broken.error(new Error('other side closed'))
  expect(broken.settled).toMatchObject([{ ok: false, failure: { reason: 'overloaded', status: 503 }, retry_after_ms: 2000 }])
  const endless = handled()
  endless.start()
  endless.headers(401)
  for (let block = 0; block < 3; block += 1) endless.data('x'.repeat(40_000))
  expect(endless.settled).toMatchObject([{ ok: false, failure: { reason: 'unauthorized', status: 401 } }])
  expect(endless.aborted).toHaveLength(1)
  endless.error(new Error('aborted'))
})

test('[LIVE6] an answer can be read while it comes, each part once, and a key that comes in two parts is not read', () => {
  const key = 'cpk_7f3a.9b1c4d5e'
  const growing = createGrowingRedactor([key])
  const readings: Reading[] = []
  const call = handled(null, (soFar) => readings.push(openReading(soFar, growing)))
  const say = (content: string) => call.data(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
  call.start()
  expect(readings).toEqual([])
  call.headers(200)
  const read = readings[0]!
  expect(read()).toEqual({ text: '', reasoning: '' })
  call.data('data: {"choices":[{"delta":{"reasoning_content":"hm"}}]}\n\n')
  say(`You sent ${key.slice(0, 8)}`)
  expect(read()).toEqual({ text: 'You sent ', reasoning: 'hm' })
  say(key.slice(8))
  say(' to me.')
  expect(read()).toEqual({ text: '[redacted] to me.', reasoning: '' })
  const refused = handled(null, (soFar) => readings.push(openReading(soFar, growing)))
  refused.start()
  refused.headers(503)
  expect(readings.length).toBe(1)
})

afterEach(() => void vi.useRealTimers())

const told = 'data: {"choices":[{"delta":{"content":"A"}}]}\n\ndata: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n'
const toldUsage = 'data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":1}}\n\n'

/** A call whose answer has begun, in a time that moves only when the test says so. */
function inOwnTime(...parts: string[]) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const call = handled()
  call.start()
  call.headers(200)
  for (const part of parts) call.data(part)
  return call
}

test('[MODEL313] a finished answer is taken after a grace with the usage that comes in it, although its connection hangs or pings', () => {
  const call = inOwnTime(told)
  vi.advanceTimersByTime(1000)
  call.data(toldUsage)
  call.data(': ping\n\n')
  expect(call.settled).toEqual([])
  vi.advanceTimersByTime(1001)
  expect(call.settled).toMatchObject([{ ok: true, value: { text: 'A', usage_known: true, latency_ms: 2000 } }])
  expect(call.aborted).toHaveLength(1)
  call.error(new Error('aborted'))
  expect(call.settled).toHaveLength(1)
})

test('[MODEL313] a finished answer goes before every time limit', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const call = handled(null, undefined, { ...defaultTimeouts, idleMs: 300 })
  call.start()
  call.headers(200)
  call.data(told)
  vi.advanceTimersByTime(301)
  expect(call.settled).toMatchObject([{ ok: true, value: { text: 'A' } }])
})

test('[MODEL10] a whole body is taken as soon as it parses, and a connection that goes on behind an answer is closed', () => {
  const body = JSON.stringify({
    choices: [{ message: { content: 'A {b}' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 7, completion_tokens: 1 },
  })
  const at = body.indexOf('}') + 1
  const call = inOwnTime(body.slice(0, at), body.slice(at))
  vi.advanceTimersByTime(2001)
  expect(call.settled).toMatchObject([{ ok: true, value: { text: 'A {b}', streamed: false, usage_known: true } }])
  expect(call.aborted).toHaveLength(1)
  const done = inOwnTime(told, 'data: [DONE]\n\n')
  expect(done.settled).toHaveLength(1)
  expect(done.aborted).toEqual([])
  vi.advanceTimersByTime(2001)
  expect(done.aborted).toHaveLength(1)
})
