import { type Cursor, expect, NotReadable, nested, peek, readAll, take } from './cursor.ts'
import {
  absolute,
  add,
  binomial,
  ceiling,
  decimalValue,
  divide,
  factorial,
  floor,
  modulo,
  multiply,
  negate,
  other,
  power,
  real,
  type Value,
} from './value.ts'

const token =
  /\s*(?:((?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d+)?)|([a-zA-Z_\x80-\u{10ffff}][\w\x80-\u{10ffff}]*)|(\*\*|\/\/|<<|>>|<=|>=|==|!=|!|[-+*/%@&|~<>()[\],.:])|('[^']*'|"[^"]*"))/uy
const keywords = [
  'False',
  'None',
  'True',
  'and',
  'as',
  'assert',
  'async',
  'await',
  'break',
  'class',
  'continue',
  'def',
  'del',
  'elif',
  'else',
  'except',
  'finally',
  'for',
  'from',
  'global',
  'if',
  'import',
  'in',
  'is',
  'lambda',
  'nonlocal',
  'not',
  'or',
  'pass',
  'raise',
  'return',
  'try',
  'while',
  'with',
  'yield',
] // prettier-ignore
const constants: Record<string, Value> = { pi: real(Math.PI), E: real(Math.E), e: real(Math.E) }
const calls: Record<string, (...values: Value[]) => Value> = {
  binomial: (n = other, k = other) => binomial(n, k),
  factorial: (n = other) => factorial(n),
  floor: (a = other) => floor(a),
  ceiling: (a = other) => ceiling(a),
  Abs: (a = other) => absolute(a),
  abs: (a = other) => absolute(a),
}

/** The tokens of a line of Python; given up at a sign or a number that Python does not take. */
function tokensOf(text: string): string[] {
  const found: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    if (/^\s*(?:#|$)/.test(text.slice(at))) break // a comment
    const match = token.exec(text)
    if (!match) throw new NotReadable()
    if (match[1] !== undefined && /^0+[1-9]\d*$/.test(match[1].replaceAll('_', ''))) throw new NotReadable() // octal of old
    found.push(match[0].trim())
  }
  return found
}

/**
 * The value of a line of Python as SymPy's `sympify` evaluates it: names are symbols, `!` is the factorial. Null where Python or SymPy raises.
 * Names beyond a few functions and constants are no numbers. Source: sympy 1.13, `parse_expr`.
 */
export function pythonValue(text: string): Value | null {
  return readAll(
    () => tokensOf(text.replaceAll('\n', '')),
    (c) => {
      const value = either(c)
      if (take(c, ',')) return rest(c)
      if (peek(c) !== '') throw new NotReadable()
      return value
    },
  )
}

/** The other parts of a tuple without parentheses. */
function rest(c: Cursor): Value {
  while (peek(c) !== '') {
    either(c)
    if (peek(c) !== '') expect(c, ',')
  }
  return other
}

const isZero = (value: Value): boolean => value.kind === 'exact' && value.top === 0n

/** Python's `or`: the first that counts as true. */
function either(c: Cursor): Value {
  let value = both(c)
  while (take(c, 'or')) {
    const next = both(c)
    if (isZero(value)) value = next
  }
  return value
}

function both(c: Cursor): Value {
  let value = inverted(c)
  while (take(c, 'and')) {
    const next = inverted(c)
    if (!isZero(value)) value = next
  }
  return value
}

function inverted(c: Cursor): Value {
  if (!take(c, 'not')) return compared(c)
  nested(c, inverted)
  return other
}

const comparisons = ['<', '>', '<=', '>=', '==', '!=', 'in', 'is']
/** Operators of whole numbers that no answer needs: what they give is left open. */
const bitwise = ['|', '&', '<<', '>>']

function compared(c: Cursor): Value {
  const value = bits(c)
  if (!comparisons.includes(peek(c))) return value
  while (take(c, ...comparisons)) bits(c)
  return other
}

function bits(c: Cursor): Value {
  const value = sum(c)
  if (!bitwise.includes(peek(c))) return value
  while (take(c, ...bitwise)) sum(c)
  return other
}

function sum(c: Cursor): Value {
  let value = product(c)
  for (let sign = take(c, '+', '-'); sign; sign = take(c, '+', '-')) {
    const next = product(c)
    value = add(value, sign === '+' ? next : negate(next))
  }
  return value
}

const operations: Record<string, (a: Value, b: Value) => Value> = {
  '*': multiply,
  '/': divide,
  '//': (a, b) => floor(divide(a, b)),
  '%': modulo,
  '@': () => {
    throw new NotReadable()
  },
}

function product(c: Cursor): Value {
  let value = signed(c)
  for (let sign = take(c, ...Object.keys(operations)); sign; sign = take(c, ...Object.keys(operations)))
    value = operations[sign]!(value, signed(c))
  return value
}

function signed(c: Cursor): Value {
  const sign = take(c, '+', '-', '~')
  if (!sign) return raised(c)
  const value = nested(c, signed)
  if (sign === '+') return value
  return sign === '-' ? negate(value) : add(negate(value), negate(decimalValue('1')))
}

function raised(c: Cursor): Value {
  let value = primary(c)
  while (take(c, '!')) value = factorial(value)
  return take(c, '**') ? power(value, nested(c, signed)) : value
}

function primary(c: Cursor): Value {
  const next = peek(c)
  c.at++
  if (/^[\d.]/.test(next) && next !== '.') return decimalValue(next.replaceAll('_', ''))
  if (next === '(') return enclosed(c, ')').value
  if (next === '[') {
    enclosed(c, ']')
    return other
  }
  if (/^['"]/.test(next)) return other
  if (!/^[a-zA-Z_\x80-\u{10ffff}]/u.test(next) || keywords.includes(next)) throw new NotReadable()
  if (peek(c) !== '(') return constants[next] ?? other
  c.at++
  const { values } = enclosed(c, ')')
  return Object.hasOwn(calls, next) ? calls[next]!(...values) : other
}

/** What stands between brackets: one value, or several that make a tuple, a list or arguments. */
function enclosed(c: Cursor, closer: string): { value: Value; values: Value[] } {
  const values: Value[] = []
  let commas = 0
  while (peek(c) !== closer) {
    values.push(nested(c, either))
    if (peek(c) === closer) break
    expect(c, ',')
    commas++
  }
  expect(c, closer)
  return { value: commas === 0 && values.length === 1 ? values[0]! : other, values }
}
