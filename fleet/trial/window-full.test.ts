import { expect, test } from 'vitest'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { spentRecord } from './to-record.ts'

const [planned] = testSpec({ max_tokens: 100 }).benchmarks
const lease = { ordinal: 0, attempt: 1, benchmark: 'alpha', item_id: '0', epoch: 0 }
const item = { item_id: '0', source_id: null, item_hash: '', group: null, messages: [], target: '', metadata: {} }
const score = { value: 0, outcome: 'wrong' as const, answer: null, explanation: '', flags: ['truncated'], detail: {} }

type Last = { finish_reason: string; output_tokens: number; usage_known?: boolean; max_tokens?: number | null }

function flagsOf(
  { finish_reason, output_tokens, usage_known = true, max_tokens = 100 }: Last,
  context_length: number | null = 100,
): string[] {
  const usage = { input_tokens: 60, output_tokens, cached_tokens: 0, reasoning_tokens: 0 }
  const spending = {
    of: () => ({ usage, calls: 1, last: { finish_reason, usage, usage_known }, stream: null }),
    redacted: () => false,
    helpers: () => null,
  }
  const of = { ...planned!, params: { ...planned!.params, max_tokens } }
  const opened = { spending, artifacts: () => [] } as never // what a record is made of, and no more
  return spentRecord(lease, of, item, opened, null, { ok: true, value: score }, null, { steps: null, lost: false }, null, context_length)
    .flags
}

test('[STAT350] an answer cut off before max_tokens is flagged, and one at max_tokens, or without usage, is not', () => {
  expect(flagsOf({ finish_reason: 'length', output_tokens: 40 })).toEqual(['truncated', 'window_full'])
  const others: Last[] = [
    { finish_reason: 'length', output_tokens: 100 },
    { finish_reason: 'length', output_tokens: 95 },
    { finish_reason: 'stop', output_tokens: 40 },
    { finish_reason: 'length', output_tokens: 0, usage_known: false },
    { finish_reason: 'length', output_tokens: 40, usage_known: false },
    { finish_reason: 'length', output_tokens: 10, max_tokens: null },
  ]
  for (const last of others) expect([last, flagsOf(last)]).toEqual([last, ['truncated']])
})

test('[STAT520] an answer that the provider ended before max_tokens and the window is flagged as that, also where the window is not known', () => {
  expect(flagsOf({ finish_reason: 'length', output_tokens: 40 }, 1000)).toEqual(['truncated', 'ended_early'])
  expect(flagsOf({ finish_reason: 'length', output_tokens: 40 }, null)).toEqual(['truncated', 'ended_early'])
  expect(flagsOf({ finish_reason: 'length', output_tokens: 40, max_tokens: null }, 100)).toEqual(['truncated', 'window_full'])
})
