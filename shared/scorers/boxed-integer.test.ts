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

/** Boxes that it compares as equal to 70, or not, by the error. */
const near = [
  ['70.0000000000001', true],
  ['69.99999999999', true],
  ['70.00000000009', true],
  ['70.0000000002', false],
  ['70+1/10^12', true],
  ['70+1/10^9', false],
  ['\\frac{70000000000001}{1000000000000}', true],
  ['70.00000000000000000000000001', true],
] as const

/** Signs that its parser does not take with Python 3.11. */
const strange = [...'≈±“”€°№§¶†•‘’≤∼⁄٪\u200b\u200d\u2060\ufeff\ud800\u088f\u0c5c', '😀', '\u0301', '→']

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

test.each(near)('[SCORE410] a box of %s is 70: %s', (content, right) => {
  expect(matharenaInteger(`\\boxed{${content}}`).value === '70').toBe(right)
})

test.each(strange)('[SCORE410] a box with %j cannot be read, and the last integer of the text counts', (sign) => {
  const boxes = [`${sign}70`, `x${sign}`, `(${sign}x+1)`, `\\frac{${sign}70}{1}`]
  const read = boxes.map((box) => matharenaInteger(`\\boxed{${box}}, which is 71.`))
  expect(read.map(({ value, from }) => [value, from])).toEqual(boxes.map(() => ['71', 'unread-box']))
})

test('[SCORE410] integers are those of Python: leading zeros and digits of any script count, more than 4,300 digits are none', () => {
  const zeros = '0'.repeat(88)
  expect(
    [`it is ${zeros}70`, `it is ${'0'.repeat(4298)}70`, `it is ${'0'.repeat(4299)}70`].map((text) => matharenaInteger(text).value),
  ).toEqual([...['70', '70', null]])
  expect(matharenaInteger('\\boxed{70, N}').value).toBeNull()
  expect(matharenaInteger('\\boxed{70፪}').value).toBeNull()
  expect(matharenaInteger('\\boxed{\x1c70}, 71').from).not.toBe('nothing')
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
