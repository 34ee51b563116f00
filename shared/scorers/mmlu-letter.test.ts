import { expect, test } from 'vitest'
import { apiLetter, apiXLetter, lmEvalLetter } from './mmlu-letter.ts'
import { scoringInput } from './reasoning.ts'

/** Reference 1.9: text, API script, apiX script, lm-evaluation-harness, API script after reasoning was removed. */
const table = [
  ['The answer is **(C)**.', 'C', 'C', null, 'C'],
  ['At first I thought the answer is (A), but rechecking, the answer is (D).', 'A', 'D', 'A', 'A'],
  ['The Answer is (B).', 'B', 'B', null, 'B'],
  ['I am not able to determine this.', 'I', 'I', null, 'I'],
  ['<think>Maybe the answer is (B).</think>The answer is (F).', 'B', 'F', 'B', 'F'],
  ['The answer is Boron, option (E)', 'B', 'B', 'B', 'B'],
  ['Neither option fits; no choice.', null, null, null, null],
  ['Therefore \\(\\boxed{H}\\).', 'H', 'H', null, 'H'],
] as const

test.each(table)('[SCORE3] %j is read as the official scripts read it', (text, api, apiX, lmEval, afterThink) => {
  expect(apiLetter(text)?.letter ?? null).toBe(api)
  expect(apiXLetter(text)?.letter ?? null).toBe(apiX)
  expect(lmEvalLetter(text)).toBe(lmEval)
  expect(apiLetter(scoringInput(text).text)?.letter ?? null).toBe(afterThink)
})

test('[SCORE3] the level names the pattern that hit', () => {
  expect(apiLetter('the answer is (C)')).toEqual({ letter: 'C', level: 1 })
  expect(apiLetter('Answer: C')).toEqual({ letter: 'C', level: 2 })
  expect(apiLetter('Surely C.')).toEqual({ letter: 'C', level: 3 })
  expect(apiXLetter('The answer is **(C)**.')).toEqual({ letter: 'C', level: 3 })
})

test('[SCORE3] a marked letter may stand on a later line; within a line the last marker counts', () => {
  expect(apiLetter('answer:\n\n  D')?.letter).toBe('D')
  expect(apiLetter('answer: A or Answer: B\nanswer: C')?.letter).toBe('B')
  expect(apiXLetter('answer: A or Answer: B\nanswer: C')?.letter).toBe('C')
  expect(apiXLetter('answer:\nAnswer: B')?.letter).toBe('A')
  expect(apiLetter('Answer: Answer: B')?.letter).toBe('B')
  expect(apiXLetter('Answer: Answer: B')?.letter).toBe('A')
  expect(apiXLetter('answer: D. Answer: C answer: none')?.letter).toBe('C')
})

test('[SCORE3] letters inside words, also of other scripts, do not stand alone', () => {
  expect(apiLetter('BéA Ж')?.letter).toBeUndefined()
  expect(apiLetter('_A A_ Aé')?.letter).toBeUndefined()
})
