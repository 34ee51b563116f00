import { expect, test } from 'vitest'
import { defaultLimits } from '#shared/contract/limits.ts'
import { noUsage } from '#shared/contract/usage.ts'
import { said } from '#shared/solvers/testing/said.ts'
import { createLanes, plainCall } from '../lanes/lanes.ts'
import { createAdaptiveLimiter } from './adaptive-limiter.ts'
import type { CallResult } from './call-result.ts'
import { createGenerate, type ModelCall } from './generate.ts'
import { providerFailure } from './provider-failure.ts'

const never = new AbortController().signal
const params = { temperature: null, top_p: null, max_tokens: null, stop: null, seed: null, reasoning_effort: null }
const request = { messages: [{ role: 'user' as const, content: 'x' }], params }
const settled = () => new Promise((resolve) => setImmediate(resolve))
const busy: CallResult = {
  ok: false,
  failure: providerFailure('overloaded', '', 503),
  retry_after_ms: null,
  reset_at: null,
  usage: null,
}
const answered: CallResult = { ok: true, value: { ...said('A'), tool_calls: [], streamed: true } }

/** A model behind one call's place, asked through a limiter; answers come when the test gives them, and waits between attempts end when it says so. */
function start() {
  const lanes = createLanes({ calls: 1, sandbox: {} })
  const limiter = createAdaptiveLimiter({ max: 4 })
  const sent: ((result: CallResult) => void)[] = []
  const pauses: (() => void)[] = []
  const calls: ModelCall[] = []
  let nowMs = 0
  const ask = (signal: AbortSignal = never) =>
    createGenerate({
      client: { call: () => new Promise((resolve) => sent.push(resolve)), close: async () => undefined },
      limiter,
      signal,
      onCall: (call) => calls.push(call),
      clock: { now: () => nowMs, random: () => 0, wait: () => new Promise((resolve) => pauses.push(resolve)) },
      place: () => lanes.of('mine').call('here', plainCall, signal),
    })(request)
  return { lanes, limiter, sent, pauses, calls, ask, pass: (ms: number) => (nowMs += ms) }
}

test('[LANE16] a request takes a place only while it is under way: none while it waits to be sent again', async () => {
  const { lanes, sent, pauses, ask } = start()
  const answer = ask()
  await settled()
  expect(lanes.load().model.used).toEqual({ calls: 1 })
  sent[0]!(busy)
  await settled()
  expect([pauses.length, lanes.load().model.used]).toEqual([1, { calls: 0 }])
  const other = await lanes.of('other').call('there', plainCall, never)
  pauses[0]!()
  await settled()
  expect([sent.length, lanes.load().model.waiting]).toEqual([1, 1])
  other()
  await settled()
  sent[1]!(answered)
  expect(await answer).toMatchObject({ ok: true })
  expect(lanes.load().model).toEqual({ used: { calls: 0 }, waiting: 0 })
})

test('[LANE16] waiting for a place is in no measured time, and who gives up while it waits has sent nothing and holds nothing', async () => {
  const abort = new AbortController()
  const { lanes, limiter, sent, calls, ask, pass } = start()
  const other = await lanes.of('other').call('there', plainCall, never)
  const dropped = ask(abort.signal)
  const answer = ask()
  await settled()
  abort.abort(new Error('dropped'))
  await expect(dropped).rejects.toThrow('dropped')
  pass(60_000)
  other()
  await settled()
  pass(40)
  expect(sent).toHaveLength(1)
  sent[0]!(answered)
  await answer
  expect(calls).toMatchObject([{ result: 'answer', latency_ms: 40 }])
  expect([lanes.load().model, limiter.snapshot().limiter.in_flight]).toEqual([{ used: { calls: 0 }, waiting: 0 }, 0])
})

test('[RUN335] a call whose tokens were not told is not repeated beyond its limit; one that was refused took nothing and is', async () => {
  const refused: CallResult = { ...busy, usage: noUsage }
  const limits = { ...defaultLimits, untold_attempts: 1 }
  const results = [refused, busy, answered]
  const client = { call: async () => results.shift()!, close: async () => undefined }
  const clock = { now: () => 0, random: () => 0, wait: async () => undefined }
  const limiter = createAdaptiveLimiter({ max: 4 })
  const ask = createGenerate({ client, limiter, signal: never, onCall: () => undefined, clock, limits })
  expect(await ask(request)).toEqual({ ok: false, failure: busy.failure })
  expect(results).toEqual([answered])
})
