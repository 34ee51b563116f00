import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../testing/draws.ts'
import { boxedInteger, matharenaInteger } from './boxed-integer.ts'
import { artificialAnalysisLetter, baselineLetter, simpleEvalsLetter } from './gpqa-letter.ts'
import { apiLetter, apiXLetter, lmEvalLetter } from './mmlu-letter.ts'
import { scoringInput } from './reasoning.ts'
import { anyTextOf } from './testing/any-text.ts'

const readers = {
  apiLetter,
  apiXLetter,
  lmEvalLetter,
  simpleEvalsLetter,
  baselineLetter,
  artificialAnalysisLetter,
  matharenaInteger,
  boxedInteger,
  scoringInput,
}

const pieces = [
  'answer',
  'Answer:',
  'answer is ',
  '(',
  ')',
  'A',
  'J',
  'b',
  ' ',
  '\n',
  '**',
  '\\boxed{',
  'fbox{',
  '{',
  '}',
  '7',
  ',',
  '$',
  '.',
  '<think>',
  '</think>',
  '│',
  'é',
  '\ud800',
  '😀',
  '_',
  '=',
  '\\text{',
]
const anyText = anyTextOf(pieces)

test.each(Object.entries(readers))('[SCORE6] %s is total and deterministic', (_name, read) => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(read(text)).toEqual(read(text))
    }),
    draws(300),
  )
})

/** Texts on which a backtracking pattern would take quadratic time or worse; 100 kB each. */
const long = [
  'a',
  ' ',
  '\n',
  '\\boxed{',
  '\\boxed{A',
  '{',
  '}',
  '{}',
  'boxed{1}',
  'answer:',
  'answer: ',
  'answer ',
  'A ',
  '(A',
  '(x)',
  '7',
  '7,',
  '**',
  '<think>',
  '</think>',
  'A is the ',
  '│',
  '\\text{',
  'answer is (',
].map((piece) => piece.repeat(Math.ceil(100_000 / piece.length)))

test.each(Object.entries(readers))('[SCORE6] %s ends on long texts made to hurt', (_name, read) => {
  for (const text of long) {
    for (const variant of [text, `${text}}`, `\\boxed{${text}}`, `${text}x`]) expect(read(variant)).toBeDefined()
  }
})
