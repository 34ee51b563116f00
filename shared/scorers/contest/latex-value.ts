import { attempt, type Cursor, expect, NotReadable, nested, peek, readAll, take, Unreadable } from './cursor.ts'
import { callFunction, functionNames } from './latex-functions.ts'
import { latexTokens } from './latex-tokens.ts'
import {
  absolute,
  add,
  binomial,
  ceiling,
  decimalValue,
  divide,
  factorial,
  floor,
  fraction,
  multiply,
  negate,
  other,
  power,
  real,
  type Value,
} from './value.ts'

const times = ['*', '\\times', '\\cdot']
const over = ['/', '\\div', ':']
const fractions = ['\\frac', '\\dfrac', '\\tfrac']
const binomials = ['\\binom', '\\dbinom', '\\tbinom']
const closers: Record<string, string> = { '(': ')', '[': ']', '{': '}', '\\{': '\\}' }
const relations = ['=', '<', '>', '\\leq', '\\le', '\\leqq', '\\leqslant', '\\geq', '\\ge', '\\geqq', '\\geqslant', '\\neq']
/** Commands that are no symbols: signs of the grammar, and forms that are not read here. */
const reserved = [
  ...times,
  ...over,
  ...relations,
  ...'int sum prod lim langle rangle to rightarrow Rightarrow longrightarrow Longrightarrow lfloor rfloor lceil rceil mathit sqrt overline'
    .split(' ')
    .map((name) => `\\${name}`),
]
const constants: Record<string, Value> = { '\\pi': real(Math.PI), e: real(Math.E), '\\e': real(Math.E) }

/**
 * The value of a LaTeX formula as SymPy's `parse_latex` reads it: the longest beginning that is a formula, in which spaces have no meaning. Null where
 * there is none. Not evaluated, and so no number: sums, products, limits, integrals, functions with names of their own. Source: sympy 1.13, LaTeX.g4.
 */
export function latexValue(text: string): Value | null {
  const marked = text.replace(/_([0-9]+)/g, '_{$1}') // upstream's own: TeX takes one digit
  return readAll(
    () => latexTokens(marked),
    (c) => {
      const value = sum(c)
      return take(c, ...relations) ? compared(c) : value
    },
  )
}

/**
 * The other side of a relation, which must be there. SymPy raises for a relation of a relation, and where a side is a number that is not real: upstream
 * takes every i for the imaginary unit.
 */
function compared(c: Cursor): Value {
  const middle = c.at
  sum(c)
  const sides = [c.tokens.slice(0, middle - 1), c.tokens.slice(middle, c.at)]
  if (relations.includes(peek(c)) || sides.some(isImaginary)) throw new Unreadable()
  return other
}

function isImaginary(side: readonly string[]): boolean {
  const names = side.filter(
    (token) => /^(?:[a-zA-Z]|\\[a-zA-Z]+)$/.test(token) && !reserved.includes(token) && !Object.hasOwn(constants, token),
  )
  return names.length > 0 && names.every((token) => /^[iI]$/.test(token))
}

/** Operands joined by signs, from the left; a sign without an operand behind it is not read. */
function joined(
  c: Cursor,
  signs: readonly string[],
  operand: (c: Cursor) => Value,
  join: (sign: string, a: Value, b: Value) => Value,
): Value {
  const next = (value: Value) =>
    attempt(c, () => {
      const sign = take(c, ...signs)
      if (!sign) throw new NotReadable()
      return join(sign, value, operand(c))
    })
  let value = operand(c)
  for (let more = next(value); more; more = next(value)) value = more
  return value
}

function sum(c: Cursor): Value {
  return joined(
    c,
    ['+', '-'],
    (each) => product(each, true),
    (sign, a, b) => add(a, sign === '+' ? b : negate(b)),
  )
}

/** `functions`: whether factors after the first may be functions; in the bare argument of one they may not. */
function product(c: Cursor, functions: boolean): Value {
  return joined(
    c,
    [...times, ...over],
    (each) => signed(each, functions),
    (sign, a, b) => (times.includes(sign) ? multiply(a, b) : divide(a, b)),
  )
}

function signed(c: Cursor, functions: boolean): Value {
  const sign = take(c, '+', '-')
  if (sign) return nested(c, () => (sign === '-' ? negate(signed(c, functions)) : signed(c, functions)))
  const factors: Factor[] = [factor(c)]
  const next = () => (functions || !isFunction(peek(c)) ? attempt(c, factor) : null)
  for (let more = next(); more; more = next()) factors.push(more)
  return factors.filter((_, at) => !isCross(factors, at)).reduce((value, each) => multiply(value, each.value), fraction(1n))
}

const isFunction = (token: string): boolean => token.startsWith('\\') && functionNames.has(token.slice(1))

/** A factor of a product that is written without a sign; `name` where it is one letter. */
type Factor = { value: Value; name: string | null }

/** An x between two numbers is their sign of multiplication. */
function isCross(factors: readonly Factor[], at: number): boolean {
  const isNumber = (factor: Factor | undefined) => factor !== undefined && factor.value.kind !== 'other'
  return factors[at]!.name === 'x' && isNumber(factors[at - 1]) && isNumber(factors[at + 1])
}

function factor(c: Cursor): Factor {
  const start = c.at
  let value = component(c)
  const name = c.at === start + 1 ? c.tokens[start]! : null
  const exponent = () =>
    attempt(c, () => {
      expect(c, '^')
      return take(c, '{') ? closed(c, '}') : atom(c)
    })
  for (let raised = exponent(); raised; raised = exponent()) value = power(value, raised)
  while (take(c, '!')) value = factorial(value)
  return { value, name }
}

/** What stands up to a closing token, which is taken too. */
function closed(c: Cursor, closer: string): Value {
  const value = nested(c, sum)
  expect(c, closer)
  return value
}

function component(c: Cursor): Value {
  const open = take(c, ...Object.keys(closers))
  if (open) return closed(c, closers[open]!)
  if (take(c, '|')) return absolute(closed(c, '|'))
  if (take(c, '\\lfloor')) return floor(closed(c, '\\rfloor'))
  if (take(c, '\\lceil')) return ceiling(closed(c, '\\rceil'))
  if (take(c, '\\sqrt')) {
    const root = take(c, '[') ? closed(c, ']') : fraction(2n)
    expect(c, '{')
    return power(closed(c, '}'), divide(fraction(1n), root))
  }
  if (take(c, '\\overline')) {
    expect(c, '{')
    return closed(c, '}')
  }
  if (isFunction(peek(c))) return callFunction(c, { argument: (each) => product(each, false), atom, closed })
  return atom(c)
}

/** One digit, or what stands in braces. */
function digitOrGroup(c: Cursor): Value {
  const next = peek(c)
  if (/^[0-9]$/.test(next)) {
    c.at++
    return fraction(BigInt(next))
  }
  expect(c, '{')
  return closed(c, '}')
}

function atom(c: Cursor): Value {
  const next = peek(c)
  if (/^[0-9]$/.test(next)) return number(c)
  if (take(c, ...fractions)) return divide(digitOrGroup(c), digitOrGroup(c))
  if (take(c, ...binomials)) {
    expect(c, '{')
    const top = closed(c, '}')
    expect(c, '{')
    return binomial(top, closed(c, '}'))
  }
  if (!/^(?:[a-zA-Z]|\\[a-zA-Z]+)$/.test(next) || reserved.includes(next) || isFunction(next)) throw new NotReadable()
  c.at++
  return symbol(c, next)
}

function digits(c: Cursor): string {
  let text = ''
  while (/^[0-9]$/.test(peek(c))) text += c.tokens[c.at++]
  return text
}

/** Digits, groups of three behind commas, and a fraction; spaces between them are gone already. */
function number(c: Cursor): Value {
  let text = digits(c)
  while (peek(c) === ',' && [1, 2, 3].every((ahead) => /^[0-9]$/.test(c.tokens[c.at + ahead] ?? ''))) {
    text += c.tokens.slice(c.at + 1, c.at + 4).join('')
    c.at += 4
  }
  if (take(c, '.')) {
    const after = digits(c)
    if (after === '') return stopped(c, text)
    text += `.${after}`
  }
  if (/^0+[1-9]\d*$/.test(text)) throw new Unreadable() // SymPy has Python read the number, which refuses octals of old
  return decimalValue(text)
}

/**
 * Behind a point without digits SymPy's parser mends the formula: the digits before it become factors, the last one and all that follows is dropped. With
 * a single digit there is nothing to keep.
 */
function stopped(c: Cursor, text: string): Value {
  const before = c.tokens[c.at - text.length - 2] ?? ''
  if (text.length < 2) throw /^[-+^]$/.test(before) || [...times, ...over].includes(before) ? new Unreadable() : new NotReadable()
  c.at = c.tokens.length
  c.stopped = true
  return [...text.slice(0, -1)].reduce<Value>((value, digit) => multiply(value, fraction(BigInt(digit))), fraction(1n))
}

/** A name with what may hang on it; some stand for numbers, and one before a parenthesis is a function of which nothing is known. */
function symbol(c: Cursor, name: string): Value {
  const plain = c.at
  const quotes = () => /^'+$/.test(peek(c)) && c.at++
  quotes()
  const subscript = take(c, '_')
  if (subscript) take(c, '{') ? closed(c, '}') : atom(c)
  if (subscript) quotes()
  return attempt(c, argumentsOf) ?? (c.at === plain ? (constants[name] ?? other) : other)
}

function argumentsOf(c: Cursor): Value {
  expect(c, '(')
  nested(c, sum)
  while (take(c, ',')) nested(c, sum)
  expect(c, ')')
  return other
}
