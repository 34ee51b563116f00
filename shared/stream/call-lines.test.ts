import { expect, test } from 'vitest'
import type { Failure } from '../contract/failure.ts'
import type { Step } from '../contract/transcript.ts'
import { noUsage } from '../contract/usage.ts'
import { callLinesOf } from './call-lines.ts'
import { exampleStream } from './testing/example-stream.ts'

const call = (at_ms: number, more: Partial<Extract<Step, { type: 'model_call' }>> = {}): Step => ({
  ...{ type: 'model_call', at_ms, took_ms: 400, role: 'model', known: 0, messages: [] },
  ...{ reply: null, ttft_ms: null, usage: noUsage, failure: null },
  ...more,
})
const failure: Failure = { at: 'user', reason: 'cut-stream', retryable: true, status: 200, detail: '' }

test('[STREAM14] every call is told with whom it asked and how its answer came in, on the scale of the longest', () => {
  const [quick, slow] = [
    exampleStream({ queue_ms: 0, duration_ms: 300 }),
    exampleStream({ queue_ms: 100, connect_ms: 50, duration_ms: 900 }),
  ]
  const steps: Step[] = [
    call(0, { stream: quick }),
    { type: 'tool_call', at_ms: 400, took_ms: 1, call_id: null, name: 'look', arguments: '{}', result: '', is_error: false },
    call(410, { role: 'user', stream: slow, failure }),
    { type: 'note', at_ms: 900, text: 'begun anew' },
    call(910),
  ]
  const { calls, longest_ms } = callLinesOf(steps)
  expect(calls.map(({ number, role, at_ms, failed, stream }) => [number, role, at_ms, failed, stream])).toEqual([
    [1, 'model', 0, false, quick],
    [2, 'user', 410, true, slow],
    [3, 'model', 910, false, null],
  ])
  expect(longest_ms).toBe(1050)
})

test('[STREAM14] where nothing was asked or measured there is no scale', () => {
  expect([callLinesOf([]), callLinesOf([call(0)]).longest_ms]).toEqual([{ calls: [], longest_ms: 0 }, 0])
})
