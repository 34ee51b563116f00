import { expect, test } from 'vitest'
import { boxedInteger, integerOf, lastBox, matharenaInteger } from './boxed-integer.ts'
import { scoringInput } from './reasoning.ts'

/** Reference 4.7: response and parsed value. */
const table = [
  ['... so \\boxed{070}.', '70'],
  ['First \\boxed{69}. Correction: \\boxed{70}', '70'],
  ['\\boxed{\\text{Answer: }70^\\circ}', '70'],
  ['\\boxed{m+n = 70}', '70'],
  ['Therefore the answer is 70 of 100 cases', '100'],
  ['<think>\\boxed{70}</think>', null],
  ['\\boxed{1,070}', '1070'],
  ['\\boxed{\\frac{140}{2}}', '70'],
] as const

test.each(table)('[SCORE5] %j is read as MathArena reads it', (response, value) => {
  expect(matharenaInteger(scoringInput(response).text).value).toBe(value)
})

test.each([
  ['70', '70'],
  [' -5 ', '-5'],
  ['+70', '70'],
  ['1{,}070', '1070'],
  ['70.00', '70'],
  ['70.5', null],
  ['140/2', '70'],
  ['141/2', null],
  ['-\\dfrac{140}{2}', '-70'],
  ['\\left( 70 \\right)', '70'],
  ['70.', '70'],
  ['$70$', '70'],
  ['70 \\approx 70.2', '70'],
  ['70\\text{ cm}', '70'],
  ['1/0', null],
  ['2^5+3', null],
  ['', null],
  ['None', null],
])('[SCORE5] the box content %j stands for %j', (content, value) => {
  expect(integerOf(content)).toBe(value)
})

test('[SCORE5] boxes are balanced, the last one counts, nested ones are opened', () => {
  expect(lastBox('\\boxed{\\fbox{7}}')).toBe('7')
  expect(lastBox('boxed{1} fbox{\\frac{1}{2}}')).toBe('\\frac{1}{2}')
  expect(lastBox('\\boxed{70')).toBeNull()
  expect(lastBox('\\boxed{1} \\boxed{2')).toBe('1')
  expect(lastBox('\\boxed{ {x \\boxed{3}')).toBe('3')
})

test('[SCORE5] drawn boxes and the minus sign are understood', () => {
  expect(boxedInteger('\n│70│').value).toBe('70')
  expect(boxedInteger('\\boxed{−70}').value).toBe('-70')
})

test('[SCORE5] what was read says where it came from', () => {
  expect(matharenaInteger('\\boxed{2^5+3} or 35').from).toBe('unparsed-box')
  expect(matharenaInteger('it is 35').from).toBe('last-integer')
  expect(boxedInteger('it is 35')).toEqual({ value: null, from: 'nothing' })
})
