import { expect, test } from 'vitest'
import { boxedInteger, lastBox, matharenaInteger } from './boxed-integer.ts'
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

/** Boxes that MathArena's parser at e9276603 reads as 70, with SymPy 1.13.3. */
const seventy = [
  '\\boxed{70\\ \\text{units}}',
  '\\boxed{{70}}',
  '\\boxed{((70))}',
  '\\boxed{|70|}',
  '\\boxed{\\frac{140}2}',
  '\\boxed{\\text{(A)}\\ 70}',
  '\\boxed{\\begin{aligned}x&=70\\end{aligned}}',
  '\\boxed{70_{10}}',
  '\\boxed{70}',
  '\\boxed{2^6+6}',
  '\\boxed{70,}',
  '\\boxed{70\\text{ cm}}',
  '\\boxed{\\binom{8}{4}}',
  '\\boxed{7 \\times 10}',
  '\\boxed{7\\cdot10}',
  '\\boxed{7*10}',
  '\\boxed{\\sqrt{4900}}',
  '\\boxed{\\sqrt 4900}',
  '\\boxed{70.0}',
  '\\boxed{70.}',
  '\\boxed{7e1}',
  '\\boxed{x=70}',
  '\\boxed{x=y=70}',
  '\\boxed{70\\approx 70.2}',
  '\\boxed{\uff17\uff10}',
  '\\boxed{-(-70)}',
  '\\boxed{--70}',
  '\\boxed{+70}',
  '\\boxed{70/1}',
  '\\boxed{\\lfloor 70.5 \\rfloor}',
  '\\boxed{70 or 71}',
  '\\boxed{\\left(70\\right)}',
  '\\boxed{[70]}',
  '\\boxed{\\{70\\}}',
  '\\boxed{m+n=70}',
  '\\boxed{\n70\n}',
  '\\boxed{70\\;}',
  '\\boxed{\\mathrm{70}}',
  '\\boxed{\\boxed{70}}',
  '\\boxed{70^\\circ}',
  '\\boxed{70^{\\circ}}',
  '\\boxed{\\frac{700}{10}}',
  '\\boxed{\\dfrac{140}{2}}',
  '\\boxed{\\frac{1}{2}\\cdot 140}',
  '\\boxed{\\tfrac{140}{2}}',
  '\\boxed{140/2}',
  'boxed{70}',
  '\\fbox{70}',
  '\\boxed{2(35)}',
  '\\boxed{\\cos(0)\\cdot 70}',
  '\\boxed{70 \\text{(mod 1000)}}',
]

/** Boxes in which it reads something else than 70. */
const notSeventy = [
  '\\boxed{1 000}',
  '\\boxed{0}',
  '\\boxed{x+1} 70',
  '\\boxed{hello world} then 70',
  '\\boxed{}, 70',
  '\\boxed{ } 70',
  '\\boxed{70, 71}',
  '\\boxed{(70,71)}',
  '\\boxed{70 71}',
  '\\boxed{70\\,\\mathrm{cm}}',
  '\\boxed{70 cm}',
  '\\boxed{70!}',
  '\\boxed{C(8,4)}',
  '\\boxed{70=x}',
  '\\boxed{\\approx 70}',
  '\\boxed{70\\pmod{1000}}',
  '\\boxed{70 \\bmod 1000}',
  '\\boxed{\\infty} 70',
  '\\boxed{None} 70',
  '\\boxed{nan} 70',
  '\\boxed{1_0}',
  '\\boxed{\\textbf{70}}',
  '\\boxed{\\mathbf{70}}',
  '\\boxed{\\log_2 8} 3',
  '\\boxed{\\text{the answer is 70}} 70',
  '\\boxed{The answer is 70}',
  '\\boxed{answer: 70}',
  '\\boxed{"70"}',
  "\\boxed{'70'}",
  '\\boxed{~70}',
  '\\boxed{70\\phantom{0}}',
  '\\boxed{\\color{red}70}',
  '\\boxed{70\\degree}',
  '\\boxed{0x46}',
  '\\boxed{0b1000110}',
  '\\boxed{1,000}',
  '\\boxed{1{,}000}',
  '\\boxed{1\\,000}',
  '\\boxed{lambda} 70',
  '\\boxed{import} 70',
  '\\boxed{S} 70',
  '\\boxed{N} 70',
  '\\boxed{E}',
  '\\boxed{pi}',
  '\\boxed{I}',
  '\\boxed{70 I}',
  '\\boxed{(2)(35)}',
  '\\boxed{2x} 70',
  '\\boxed{abc} 70',
  '\\boxed{a b c} 70',
  '\\boxed{f(x)} 70',
  '\\boxed{\\sin 0}',
  '\\boxed{70 (mod 1000)}',
  '\\boxed{70\\ (\\text{mod }1000)}',
]

/** Texts in whose box, if any, it reads nothing, and whether the last integer of the text is then 70. */
const unread = [
  ['It is 70. \\boxed{???}', true],
  ['\\boxed{70°} and 5', false],
  ['\\boxed{70\u0301} ', false],
  ['\\boxed{\\$70}', true],
  ['\\boxed{70\\%}', true],
  ['\\boxed{70 ; 71}', false],
  ['\\boxed{#70}', true],
  ['\\boxed{70@} 3', false],
  ['\\boxed{70\\\\}', true],
  ['\\boxed{70~}', true],
  ['\\boxed {70}', true],
  ['\\boxed{70', true],
  ['\\boxed 70', true],
  ['The answer is 070', true],
  ['no number', false],
  ['', false],
  ['70.5 is it', false],
  ['a70b', false],
  ['-70', true],
] as const

test.each(seventy)('[SCORE5] %j is 70', (text) => {
  expect(matharenaInteger(text)).toEqual({ value: '70', from: 'box' })
})

test.each(notSeventy)('[SCORE5] %j is read, and is not 70', (text) => {
  const { value, from } = matharenaInteger(text)
  expect(['box', 'unparsed-box']).toContain(from)
  expect(value).not.toBe('70')
})

test.each(unread)('[SCORE5] in %j nothing is read, and the last integer counts', (text, right) => {
  const { value, from } = matharenaInteger(text)
  expect(['nothing', 'last-integer', 'unread-box']).toContain(from)
  expect(value === '70').toBe(right)
})

test('[SCORE5] a gold answer of 0 can be met, which upstream never grants', () => {
  expect(matharenaInteger('\\boxed{0}')).toEqual({ value: '0', from: 'box' })
  expect(matharenaInteger('\\boxed{3-3}').value).toBe('0')
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
  expect(matharenaInteger('\\boxed{x+3} or 35').from).toBe('unparsed-box')
  expect(matharenaInteger('\\boxed{???} or 35')).toEqual({ value: '35', from: 'unread-box' })
  expect(matharenaInteger('it is 35').from).toBe('last-integer')
  expect(boxedInteger('it is 35')).toEqual({ value: null, from: 'nothing' })
})
