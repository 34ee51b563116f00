import { expect, test } from 'vitest'
import { scoringInput } from './reasoning.ts'

test.each([
  ['plain  text \n', 'plain  text \n', false],
  ['<think>a</think>\n\n b ', 'b ', false],
  ['<THINKING>a</THINKING>b', 'b', false],
  ['<mm:think>a</mm:think>b', 'b', false],
  ['x</think> y <think>z</think> w', 'w', false],
  ['a</think>\u00a0\ufeffb', '\ufeffb', false],
  ['<think>never closed', '', true],
])('[SCORE2] %j is scored as %j', (text, scored, truncated) => {
  expect(scoringInput(text)).toEqual({ text: scored, truncated_reasoning: truncated })
})
