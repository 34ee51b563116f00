import { expect, test } from 'vitest'
import type { Step } from '../contract/transcript.ts'
import { noUsage } from '../contract/usage.ts'
import { stepText } from './step-text.ts'

const call = { id: 'c', name: 'look', arguments: '{"at":"sky"}' }
const asked: Extract<Step, { type: 'model_call' }> = {
  ...{ type: 'model_call', role: 'judge', at_ms: 0, took_ms: 1500, ttft_ms: 200, known: 2 },
  ...{ usage: { ...noUsage, input_tokens: 1200, output_tokens: 3 }, messages: [{ role: 'user', content: 'Is it?' }], tools: ['look'] },
  reply: { text: 'YES', reasoning: 'hm', finish_reason: 'stop', tool_calls: [call] },
  failure: null,
}

test('[KIT10] a step in words: what happened, how long it took, what it came to, and the texts behind it', () => {
  expect(stepText(asked)).toEqual({
    line: 'Judge asked · 1.5 s · first token after 200 ms · 1,200 tokens in, 3 out · 1 tool offered · stop',
    parts: [
      { title: 'The 2 messages it had before, and', text: '' },
      { title: 'user', text: 'Is it?' },
      { title: 'Reasoning', text: 'hm' },
      { title: 'Reply', text: 'YES\n→ look({"at":"sky"})' },
    ],
    bad: false,
  })
  const failure = { at: 'judge', reason: 'overloaded', retryable: true, status: 503, detail: 'busy' } as const
  expect(stepText({ ...asked, known: 0, reply: null, failure })).toMatchObject({
    line: expect.stringMatching(/failed: judge\/overloaded$/),
    bad: true,
  })
  expect(stepText({ ...asked, reply: null })).toMatchObject({ line: expect.stringMatching(/stopped$/), bad: true })
  expect(
    stepText({ type: 'tool_call', at_ms: 0, took_ms: 0, call_id: 'c', name: 'look', arguments: '{}', result: 'no', is_error: true }),
  ).toMatchObject({
    line: 'Tool look · failed',
    bad: true,
  })
  const exec = {
    type: 'exec',
    at_ms: 0,
    took_ms: 40,
    command: 'ls\nx',
    end: 'exited',
    exit_code: 0,
    output: 'a',
    output_bytes: 9000,
    artifact: 'out.log',
  } as const
  expect(stepText(exec)).toMatchObject({ line: 'Ran ls · 40 ms · exit 0', bad: false })
  expect(stepText(exec).parts[1]).toEqual({ title: 'Output, 9,000 bytes, whole in out.log', text: 'a' })
  expect(stepText({ ...exec, end: 'timeout', exit_code: null })).toMatchObject({ line: 'Ran ls · 40 ms · timeout', bad: true })
  expect(stepText({ type: 'note', at_ms: 0, text: 'begun' })).toEqual({ line: 'begun', parts: [], bad: false })
  const limits = [
    { limit: 'tokens', most: 5000 },
    { limit: 'usd', most: 0.5 },
  ] as const
  expect(limits.map((hit) => stepText({ type: 'limit', at_ms: 0, hit }).line)).toEqual(['Limit met: 5,000 tokens', 'Limit met: $0.5'])
})

test('[PROV26] a step in words tells what the provider told beside its answer', () => {
  const aside = {
    ...{ request_ids: { 'x-request-id': 'r-3' }, cost_usd: 0.02, sandbox_seconds: 3.5, events: { tool_start: 2 } },
    artifacts: [{ display_name: 'plot.png', mime_type: 'image/png', url: '/artifacts/plot.png' }, { id: 'a2' }],
  }
  expect(stepText({ ...asked, aside }).parts.at(-1)).toEqual({
    title: 'Told beside it',
    text: [
      ...['x-request-id: r-3', 'cost, as it reckons: $0.02', 'seconds of sandboxes: 3.5', 'tool_start: 2 ×'],
      ...['left behind: plot.png, image/png, /artifacts/plot.png', 'left behind: a2'],
    ].join('\n'),
  })
})
