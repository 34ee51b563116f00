import { expect, test } from 'vitest'
import { boxedInteger } from '../boxed-integer.ts'
import { pythonValue } from './python-value.ts'
import { wholeNumber } from './value.ts'

/** Formulas at which SymPy 1.13.3 raises: an operator on what does not have it. Upstream reads them as LaTeX then. */
const raising = [
  ...['x|9', '9|x', '(x+1)|y', 'pi|x', '2.5|1', '7/2|1', 'x&3', '3<<x', 'x>>3', '3>>-1', '2.5<<1', '~2.5', '~(x+1)', '~pi', '~None'],
  ...['3@x', '3@4', 'sin+1', 'S*2', '-sin', '(x<3)+1', '(1<2)*2', '-(x<3)', '(x<3)**2', 'None+1', '-None', '2.5+True', 'True/3', '2**True'],
  ...['I<3', '3<I', 'x<I', '(5/0)<3', '3<True', 'x<None', '1<x<3', '(x<3) and 5', 'not (x<3)', '5 if x<3 else 2', '"a"+1', '"a"<1', '-"a"'],
  ...[
    '3(4)',
    '(2)(35)',
    'pi(3)',
    'x[0]',
    '3[0]',
    '(1, 2)[5]',
    '"a"[9]',
    '3 .real',
    'x.y',
    '5 in 3',
    '5 in x',
    '(1, 2)+3',
    '(1, 2)*2.5',
    '[1]+(2, 3)',
  ],
  ...[
    '5%0',
    '5//0',
    'x%0',
    'None!',
    '[1]!',
    'sin(x<3)',
    'sin(None)',
    'gcd("a", 6)',
    'foo(None)',
    'foo([1])',
    'max(I, 6)',
    'foo(x)!',
    '5!!!',
    '!5',
    '2.5!!',
  ],
  ...['5 and', 'x y', '70 70', '5+!', 'lambda', '*5', "x'", '70;5', '5 is', '(5', '07', '1__0', '5 not 6', 'x|9 or 5'],
]

/** Formulas with a number, by the rules that Python and SymPy have for the same operators. */
const numbers: readonly (readonly [string, number])[] = [
  ...([['6|1', 7], ['7&5', 5], ['3<<4', 48], ['70>>1', 35], ['~70', -71], ['1|2<<3', 17], ['2+1|4', 7], ['True+69', 70], ['True|6', 7]] as const),
  ...([['70 or x|9', 70], ['0 and x|9', 0], ['x and 70', 70], ['0 or 70', 70], ['70 if x else 3', 70], ['3 if 0 else 70', 70], ['None or 70', 70]] as const),
  ...([['70%71', 70], ['-1%71', 70], ['141//2', 70], ['5!!', 15], ['5! !', 15], ['5!-50', 70], ['I**2', -1], ['I*I*2', -2], ['x-x+70', 70]] as const),
  ...([['x/x*70', 70], ['x%x', 0], ['x//x', 1], ['gcd(140, 210)', 70], ['lcm(7, 10)', 70], ['max(3, 70)', 70], ['abs(-70)', 70], ['sqrt(4900)', 70]] as const),
  ...([['(3, 70)[1]', 70], ['[70][0]', 70], ['Mod(141, 71)', 70], ['x!%x!', 0], ['3/(5/0)', 0], ['pow(2, 3)', 8], ['0*x', 0], ['1**x', 1]] as const),
] // biome-ignore format: a table

/** Formulas that SymPy takes and that are no integers. */
const others = [
  ...[
    'x|y',
    'x&y',
    '~x',
    '~(x<3)',
    'x<<y',
    '(x<3)|(y<4)',
    'True|x',
    'x|x',
    'x<3',
    '1<2<3',
    '1<2',
    'True',
    'not x',
    'x is 3',
    '3 in (3, 4)',
    '5/0',
  ],
  ...[
    'sin',
    'S',
    '"a"',
    '"a"*2',
    '2*(1, 2)',
    '(1, 2)+(3, 4)',
    '"a"+"b"',
    '...',
    'foo(3)',
    'x!',
    'sin(x)',
    'max(x, 3)',
    'not (5)!',
    'x if 1 else 3',
    'x<x',
  ],
]

test.each(raising)('[SCORE5] %j raises in Python or SymPy, so that it is read as LaTeX', (formula) => {
  expect(pythonValue(formula)).toBeUndefined()
})

test('[SCORE5] what comes to None is no answer, and is not read again as LaTeX', () => {
  for (const formula of ['None', 'None and 5', 'print(5)', '5 and None']) expect(pythonValue(formula)).toBeNull()
})

test.each(numbers)('[SCORE5] %j is %i', (formula, value) => {
  const found = pythonValue(formula)
  expect(found && wholeNumber(found)).toBe(BigInt(value))
})

test.each(others)('[SCORE5] %j is read, and is no integer', (formula) => {
  const found = pythonValue(formula)
  expect(found).toBeTruthy()
  expect(found && wholeNumber(found)).toBeNull()
})

/** Boxes with what MathArena's parser at e9276603 reads in them: an integer, something else (null), or nothing (undefined). */
const boxes: readonly (readonly [string, number | null | undefined])[] = [
  ['-(-and9|9)', undefined],
  ['{5+65}', 70],
  ['{x,70}', 70],
  ['\\pi, 70', 70],
  ['I, 70', 70],
  ['2\\pi, 70', null],
  ['{70}, 3', null],
  ['None and 5', undefined],
  ['....', null],
  ['{x, {y}}', undefined],
  ['{7:{x}}', null],
  ['4\u00b2', null],
  ['187.x', 8],
  ['2+34.y', 5],
  ['5.x', undefined],
  ['3+5.x', undefined],
  ['12.\\cos 0', 1],
  ['3^24.x', 9],
  ['\\sin 12.x', undefined],
  ['460\\sin^2 0\\cdot+ 460\\cos(0)', 0],
  ['\\sin^2 0 \\cdot 3+ 70', 70],
  ['6>>x', undefined],
  ['(10)>sin>1', undefined],
  ['5+i<3', undefined],
  ['sin 4<4', null],
  ['(2.5)<I//8', null],
]

test.each(boxes)('[SCORE5] in a box %j stands %s', (content, value) => {
  const { value: found, from } = boxedInteger(`\\boxed{${content}}`)
  if (value === undefined) expect(from).toBe('unread-box')
  else expect([from, found]).toEqual(value === null ? ['unparsed-box', null] : ['box', String(value)])
})
