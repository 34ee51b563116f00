import { expect, test } from 'vitest'
import { exampleTrial } from '#db/example-run.ts'
import { fitRecord } from './fit-record.ts'

const { record } = exampleTrial(0)
const answered = (text: string, reasoning: string) => ({
  ...record,
  evidence: { kind: 'completion' as const, text, reasoning, finish_reason: 'stop', scoring_input: null, truncated_reasoning: false },
})

test('[AGENT1] a record the edge cannot store loses reasoning first, with a flag, and its answer never', () => {
  expect(fitRecord(record)).toBe(record)
  const cut = fitRecord(answered('The answer is (A).', 'r"'.repeat(3000)), 4000)
  expect(JSON.stringify(cut).length).toBeLessThanOrEqual(4000)
  expect(cut).toMatchObject({ outcome: record.outcome, evidence: { text: 'The answer is (A).' } })
  expect(cut.flags).toContain('reasoning_cut')
})

test('[AGENT2] an answer too large to keep is a failure, not a score on a part of it', () => {
  const fitted = fitRecord(answered('x'.repeat(5000), ''), 4000)
  expect(fitted).toMatchObject({ outcome: 'failed', score: null, evidence: null, failure: { at: 'provider', reason: 'too-large' } })
  expect(JSON.stringify(fitted).length).toBeLessThanOrEqual(4000)
  const size = JSON.stringify(answered('x'.repeat(5000), '')).length
  expect(fitted.failure?.detail).toBe(`The trial's record has ${size} bytes, 4000 can be stored.`)
})

test('[AGENT1] a record without evidence is kept as it is, and reasoning goes as a whole where half of it would not do', () => {
  expect(fitRecord({ ...record, evidence: null }).evidence).toBeNull()
  const empty = JSON.stringify(answered('The answer is (A).', '')).length
  const cut = fitRecord(answered('The answer is (A).', 'r'.repeat(100)), empty + 40)
  expect(cut).toMatchObject({ outcome: record.outcome, evidence: { reasoning: '' } })
})
