import { expect, test } from 'vitest'
import { artificialAnalysisLetter, baselineLetter, simpleEvalsLetter } from './gpqa-letter.ts'

/** Reference 2.7: text, simple-evals, baselines of the paper, Artificial Analysis. */
const table = [
  ['**Answer: B**', 'B', null, 'B'],
  ['Answer: **B**', null, null, 'B'],
  ['answer: c', 'c', null, 'C'],
  ['Answer: Diffusion dominates, so (A)', 'D', 'A', 'A'],
  ['Answer: A\nWait, recheck.\nAnswer: C', 'A', null, 'C'],
  ['The correct answer is (C) because (A) is wrong', null, 'C', 'C'],
  ['Final answer (x) then (C)', null, null, 'C'],
  ['\\boxed{\\text{B}}', null, null, 'B'],
] as const

test.each(table)('[SCORE4] %j is read as the three conventions read it', (text, simple, baseline, aa) => {
  expect(simpleEvalsLetter(text)).toBe(simple)
  expect(baselineLetter(text)).toBe(baseline)
  expect(artificialAnalysisLetter(text)).toBe(aa)
})

/** One text per pattern of the chain, each matched by no earlier pattern. */
const chain = [
  ['__Answer__ : _D', 'D'],
  ['so \\boxed{AxC} it is', 'C'],
  ['the answer is b', 'B'],
  ['the answer is (d', null],
  ['we take B) as before', 'B'],
  ['C is the correct answer', 'C'],
  ['i take D \n', 'D'],
  ['choice A. is best', 'A'],
  ['choice B, i think', 'B'],
  ['no letter here', null],
] as const

test.each(chain)('[SCORE4] the chain of nine patterns reads %j', (text, letter) => {
  expect(artificialAnalysisLetter(text)).toBe(letter)
})

/** Texts and what CPython 3.12 finds with the pattern under IGNORECASE. */
const folded = [
  ['Answer: \u0131', 'I'],
  ['Answer: \u0130', '\u0130'],
  ['Answer: \u017f', 'S'],
  ['Answer: \u212a', '\u212a'],
  ['An\u017fwer: B', 'B'],
  ['Answer: B\u0131', null],
  ['Answer: B\u0130', null],
  ['Answer: B\u017f', null],
  ['Answer: B\u212a', null],
] as const

test.each(folded)('[SCORE4] letters that Python folds to Latin ones are read as Python reads them: %j', (text, letter) => {
  expect(artificialAnalysisLetter(text)).toBe(letter)
})
