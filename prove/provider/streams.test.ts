import { afterEach, expect, test, vi } from 'vitest'
import { createAdaptiveLimiter } from '#fleet/model/adaptive-limiter.ts'
import { createGenerate, type ModelCall } from '#fleet/model/generate.ts'
import { StreamFacts } from '#shared/contract/stream.ts'
import { createBench } from './client-bench.ts'

const { ask, clientOf, closeAll, provider, withFault } = createBench()
afterEach(async () => {
  vi.useRealTimers()
  await closeAll()
})

/** A clock that stands still but for what an answer takes, in milliseconds: the server turns it on before each. */
function tellingTime(took: number) {
  vi.useFakeTimers({ toFake: ['performance'] })
  return () => {
    vi.advanceTimersByTime(took)
    return { text: 'A' }
  }
}

const params = { temperature: null, top_p: null, max_tokens: null, stop: null, seed: null, reasoning_effort: null }

test('[STREAM5] the first answer over a connection tells how long that took to make, the next ones that it was open', async () => {
  const { url } = await provider({ mode: 'drip', chunk_chars: 3 })
  const client = clientOf(url, {}, 1)
  const [first, second] = [await ask(client), await ask(client)].map((result) => StreamFacts.parse(result.ok && result.value.stream))
  expect(first!.connect_ms).toBeGreaterThan(0)
  expect(second!.connect_ms).toBeNull()
  for (const { first_byte_ms, first_token_ms, last_token_ms, duration_ms } of [first!, second!]) {
    const marks = [first_byte_ms, first_token_ms, last_token_ms, duration_ms]
    expect(marks.toSorted((a, b) => a! - b!)).toEqual(marks)
  }
})

test('[STREAM5] each of several connections is told by the request that it was made for', async () => {
  const { url } = await provider({ latency_ms: 20 })
  const client = clientOf(url, {}, 3)
  const asked = async () =>
    (await Promise.all([ask(client), ask(client), ask(client)])).map((result) => result.ok && result.value.stream!.connect_ms !== null)
  expect(await asked()).toEqual([true, true, true])
  expect(await asked()).toEqual([false, false, false])
})

test('[STREAM5] a request that waits for a connection is in line', async () => {
  const { url } = await provider({ answer: tellingTime(40) })
  const client = clientOf(url, {}, 1)
  const results = await Promise.all([ask(client), ask(client), ask(client)])
  const streams = results.map((result) => StreamFacts.parse(result.ok && result.value.stream))
  expect(streams.map(({ queue_ms, connect_ms, duration_ms }) => [queue_ms, connect_ms, duration_ms])).toEqual([
    [0, 0, 40],
    [40, null, 40],
    [80, null, 40],
  ])
})

test('[STREAM5] waiting at the limits of the agent is in line too', async () => {
  const { url } = await provider({ answer: tellingTime(30) })
  const limiter = createAdaptiveLimiter({ max: 1 })
  const calls: ModelCall[] = []
  const generate = createGenerate({ client: clientOf(url), limiter, signal: null, onCall: (call) => calls.push(call) })
  const answers = await Promise.all([0, 1].map(() => generate({ messages: [{ role: 'user', content: 'x' }], params })))
  expect(answers.map((answer) => answer.ok)).toEqual([true, true])
  expect(calls.map(({ stream }) => [stream!.queue_ms, stream!.duration_ms])).toEqual([
    [0, 30],
    [30, 30],
  ])
})

test('[STREAM6] of an answer that is cut or falls silent there is what was measured until then', async () => {
  const cut = await withFault({ kind: 'cut', after_bytes: 700, how: 'destroy' }, {}, { chunk_chars: 2 })
  expect(cut.result).toMatchObject({ ok: false, failure: { reason: 'cut-stream' }, stream: { end: 'cut' } })
  expect(!cut.result.ok && cut.result.stream!.content_chunks).toBeGreaterThan(0)
  const stalled = await withFault({ kind: 'hang', when: 'middle' }, { idleMs: 50 }, { chunk_chars: 2 })
  expect(stalled.result).toMatchObject({ ok: false, failure: { reason: 'idle-timeout' }, stream: { end: 'stalled' } })
  const mute = await withFault({ kind: 'hang', when: 'headers' }, { firstTokenMs: 50 })
  expect(mute.result).toMatchObject({
    ok: false,
    failure: { reason: 'first-token-timeout' },
    stream: { end: 'stalled', first_byte_ms: null, chunks: 0 },
  })
  const long = await withFault({ kind: 'slow', bytes: 1, every_ms: 5 }, { totalMs: 100 })
  expect(long.result).toMatchObject({ ok: false, failure: { reason: 'total-timeout' }, stream: { end: 'cut' } })
})

test('[STREAM6] where no answer was begun nothing was measured', async () => {
  const { result } = await withFault({ kind: 'status', status: 503 })
  expect(result.ok || result.stream).toBeUndefined()
})
