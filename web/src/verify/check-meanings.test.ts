import { expect, test } from 'vitest'
import type { Check } from '#shared/export/verify-report.ts'
import { inPart, partSentence, verdictOf } from './check-meanings.ts'

const held = (name: Check['name'], more: Partial<Check> = {}): Check => ({ name, ok: true, detail: 'all of it', ...more })

test('[UI72] a result that could be checked only in part is not called valid without saying so', () => {
  const whole = [held('signature'), held('scores'), held('metrics')]
  expect(verdictOf({ valid: true, checks: whole })).toBe('Valid')
  const partly = [held('signature'), held('scores', { partial: true, detail: '776 of 786 scores computed anew; 10 are withheld' })]
  expect(verdictOf({ valid: true, checks: partly })).toBe('Valid, checked in part')
  expect(inPart({ checks: partly }).map(partSentence)).toEqual([
    'Scores were checked in part: 776 of 786 scores computed anew; 10 are withheld.',
  ])
  const none = [held('scores', { ok: null, detail: 'no scorers were given to compute with' })]
  expect(verdictOf({ valid: true, checks: none })).toBe('Valid, checked in part')
  expect(inPart({ checks: none }).map(partSentence)).toEqual(['Scores were not checked: no scorers were given to compute with.'])
  expect(verdictOf({ valid: false, checks: partly })).toBe('Not valid')
  expect(inPart({ checks: [held('completeness', { ok: null })] })).toEqual([])
})
