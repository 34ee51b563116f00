import { expect, test } from 'vitest'
import { noTables, TableMissing } from '../tables.ts'
import type { Checks } from './check.ts'
import { compare } from './compare.ts'
import { instructionsOf, scoreInstructions, verdictsOf } from './score-instructions.ts'
import { looseVariants } from './variants.ts'

const checks: Checks = {
  equals: (text, { to }) => text === to,
  anything: () => true,
  table: () => {
    throw new TableMissing('punkt_english')
  },
}
const loose = (text: string, to: string) => verdictsOf(text, [{ id: 'equals', kwargs: { to } }], checks, noTables)[0]!.verdicts
const evidence = (text: string, more: Partial<Parameters<typeof scoreInstructions>[0]> = {}) => ({
  kind: 'completion' as const,
  text,
  reasoning: null,
  finish_reason: 'stop',
  scoring_input: null,
  truncated_reasoning: false,
  ...more,
})

test('[SCORE34] the loose verdict is taken without the first line, the last, both, and without asterisks', () => {
  const text = ' *a*\n b*\r\nc '
  expect(looseVariants(text)).toEqual([text, 'b*\r\nc', '*a*\n b*', 'b*', ' a\n b\r\nc ', 'b\r\nc', 'a\n b', 'b'])
  for (const variant of looseVariants(text)) expect(loose(text, variant).loose).toBe(true)
  expect(loose(text, text)).toEqual({ strict: true, loose: true })
  expect(loose(text, 'b')).toEqual({ strict: false, loose: true })
  expect(loose(text, 'c')).toEqual({ strict: false, loose: false })
})

test('[SCORE34] a text that is blank follows nothing, whatever the check says', () => {
  const verdicts = (text: string) => verdictsOf(text, [{ id: 'anything', kwargs: {} }], checks, noTables)[0]!.verdicts
  for (const text of ['', ' \n\t', '\u3000\x1c\x85']) {
    expect(verdicts(text)).toEqual({ strict: false, loose: false })
    expect(looseVariants(text)).toEqual([])
  }
  expect(verdicts('*\n*')).toEqual({ strict: true, loose: true })
  expect(looseVariants('*\n*')).toEqual(['*\n*', '*'])
})

test('[SCORE34] an id without a check and a table that is not here are errors, not verdicts', () => {
  const verdicts = (id: string) => () => verdictsOf('text', [{ id, kwargs: {} }], checks, noTables)
  expect(verdicts('unknown')).toThrow('there is no check "unknown"')
  expect(verdicts('toString')).toThrow('there is no check')
  expect(verdicts('table')).toThrow(TableMissing)
})

test('[SCORE35] an item is right when every constraint was followed in the sense of the headline', () => {
  const instructions = [
    { id: 'equals', kwargs: { to: 'yes' } },
    { id: 'anything', kwargs: {} },
    { id: 'equals', kwargs: { to: 'no' } },
  ]
  const score = (text: string, headline: 'strict' | 'loose', count = 2) =>
    scoreInstructions(evidence(text), { instructions: instructions.slice(0, count), checks, headline, tables: noTables })
  expect(score('yes', 'strict')).toMatchObject({ outcome: 'right', value: 1, answer: 'all constraints', flags: [] })
  expect(score('*yes*', 'loose')).toMatchObject({ outcome: 'right', explanation: 'Followed 2 of 2 constraints (loose).' })
  expect(score('*yes*', 'strict', 3)).toEqual({
    value: 0,
    outcome: 'wrong',
    answer: '1 of 3 constraints',
    explanation: 'Followed 1 of 3 constraints (strict); not equals, equals.',
    flags: [],
    detail: {
      checks: [
        { name: 'equals', verdicts: { strict: false, loose: true } },
        { name: 'anything', verdicts: { strict: true, loose: true } },
        { name: 'equals', verdicts: { strict: false, loose: false } },
      ],
    },
  })
})

test('[SCORE35] what is scored is the answer without reasoning, and flags say what became of it', () => {
  const instructions = [{ id: 'equals', kwargs: { to: 'yes' } }]
  const score = (of: ReturnType<typeof evidence>) => scoreInstructions(of, { instructions, checks, headline: 'strict', tables: noTables })
  expect(score(evidence('<think>hm</think> yes', { scoring_input: 'yes' })).outcome).toBe('right')
  expect(score(evidence('<think>', { scoring_input: '', truncated_reasoning: true, finish_reason: 'length' }))).toMatchObject({
    outcome: 'wrong',
    flags: ['empty', 'truncated', 'truncated_reasoning'],
  })
})

test('[SCORE35] facts without instructions have no score', () => {
  for (const metadata of [{}, { instruction_id_list: [], kwargs: [] }, { instruction_id_list: ['equals'], kwargs: [] }])
    expect(() => instructionsOf(metadata)).toThrow('no list of instructions')
})

test('[SCORE33] less than is strict, at least includes its bound', () => {
  expect([1, 2, 3].map((count) => compare(count, 'less than', 2))).toEqual([true, false, false])
  expect([1, 2, 3].map((count) => compare(count, 'at least', 2))).toEqual([false, true, true])
})
