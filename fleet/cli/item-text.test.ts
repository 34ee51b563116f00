import { expect, test } from 'vitest'
import { exampleTrial } from '#db/example-run.ts'
import { BenchmarkPage, type RunItemDetail } from '#shared/contract/api.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { exampleRun } from './fixture-api.ts'
import { itemText, pageText } from './item-text.ts'

const shown = (changes: Partial<TrialRecord>): string[] => {
  const { record } = exampleTrial(0, changes)
  const item = { ...record, benchmark: record.benchmark, input_tokens: 1, output_tokens: 2 }
  return itemText({ item, record } as unknown as RunItemDetail, false) // only these fields are read
}
const completion = { text: 'Beta.', reasoning: null, finish_reason: 'stop', scoring_input: null, truncated_reasoning: false }

test('[CLI68] an item on the terminal shows every check with its verdicts, and what the judge said last', () => {
  const checks = [
    { name: 'keywords:existence', verdicts: { strict: false, loose: true } },
    { name: 'punctuation:no_comma', verdicts: { strict: true, loose: true } },
  ]
  expect(shown({ detail: { checks } }).slice(-3)).toEqual([
    '── checks',
    'keywords:existence  strict not met, loose met',
    'punctuation:no_comma  strict met, loose met',
  ])
  const judge = { model: 'strict-judge', replies: ['Hm.', 'CORRECT\u001b[2J'] }
  expect(shown({ evidence: { kind: 'judged', ...completion, judge } }).slice(-2)).toEqual(['── Judge strict-judge', 'CORRECT'])
  expect(shown({ evidence: { kind: 'judged', ...completion, judge: null } }).at(-1)).toBe('Beta.')
})

test('[CLI119] a page of a search that counted no further says how many there are at least, and where the next begins', () => {
  const none = {
    correct: 0,
    incorrect: 0,
    errors: 0,
    input_tokens: 0,
    output_tokens: 0,
    total_tokens: 0,
    total_items: 0,
    error_breakdown: [],
  }
  const unknown = { avg_latency_ms: null, avg_ttft_ms: null, input_cost_usd: null, output_cost_usd: null, total_cost_usd: null }
  const prices = { pricing_input_per_million_usd: null, pricing_output_per_million_usd: null }
  const last = (items: object) => {
    const page = { items: [], limit: 20, offset: 0, next_offset: 20, ...items }
    return pageText(
      BenchmarkPage.parse({ benchmark: exampleRun().benchmarks[0], items: page, summary: { ...none, ...unknown, ...prices } }),
      80,
    ).at(-1)
  }
  expect(last({ total: 1001, total_is: 'at-least' })).toBe('0 of more than 1,000 items; more: --offset 20')
  expect(last({ total: 1001, total_is: 'exact' })).toBe('0 of 1,001 items; more: --offset 20')
  // A service of an earlier version counts all.
  expect(last({ total: 11_111, next_offset: null })).toBe('0 of 11,111 items')
})
