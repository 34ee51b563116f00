import { expect, test } from 'vitest'
import { exampleTrial } from '#db/example-run.ts'
import type { RunItemDetail } from '#shared/contract/api.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { itemText } from './item-text.ts'

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
