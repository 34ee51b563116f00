import { type Cursor, take, Unreadable } from './cursor.ts'
import { apply, decimalValue, divide, power, type Value } from './value.ts'

const inverse = (f: (x: number) => number) => (x: number) => f(1 / x)
const reciprocal = (f: (x: number) => number) => (x: number) => 1 / f(x)

/** Functions of one real number by their LaTeX names. */
export const functions: Readonly<Record<string, (x: number) => number>> = {
  exp: Math.exp,
  log: Math.log,
  lg: Math.log10,
  ln: Math.log,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  csc: reciprocal(Math.sin),
  sec: reciprocal(Math.cos),
  cot: reciprocal(Math.tan),
  arcsin: Math.asin,
  arccos: Math.acos,
  arctan: Math.atan,
  arccsc: inverse(Math.asin),
  arcsec: inverse(Math.acos),
  arccot: inverse(Math.atan),
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  arsinh: Math.asinh,
  arcosh: Math.acosh,
  artanh: Math.atanh,
}

/** Functions by their LaTeX names, without the backslash. */
export const functionNames: ReadonlySet<string> = new Set(Object.keys(functions))

/** What a function needs of the grammar around it. */
type Grammar = { argument(c: Cursor): Value; atom(c: Cursor): Value; closed(c: Cursor, closer: string): Value }

/**
 * Digits that are a function's base or power: spaces have no meaning, so that digits of the argument follow directly. All are taken, but for the last
 * where nothing else is left for the argument; null where there is but one.
 */
function scriptDigits(c: Cursor): Value | null {
  let end = c.at
  while (/^[0-9]$/.test(c.tokens[end] ?? '')) end++
  const next = c.tokens[end] ?? ''
  const isArgument =
    /^(?:[-+([{|.,_^a-zA-Z]|\\\{|\\[a-zA-Z]+)$/.test(next) && !/^\\(?:times|cdot|div|leq?|geq?|neq|r(?:floor|ceil))$/.test(next)
  if (isArgument || end - c.at < 2) return null
  const value = decimalValue(c.tokens.slice(c.at, end - 1).join(''))
  c.at = end - 1
  return value
}

/** A function with its base, its power and its argument, to double precision. */
export function callFunction(c: Cursor, grammar: Grammar): Value {
  const name = c.tokens[c.at++]!.slice(1)
  const script = () => (take(c, '{') ? grammar.closed(c, '}') : (scriptDigits(c) ?? grammar.atom(c)))
  let base: Value | null = null
  let raised: Value | null = null
  for (let mark = take(c, '_', '^'); mark; mark = take(c, '_', '^')) {
    if (mark === '_') base = script()
    else raised = script()
  }
  const argument = take(c, '(') ? grammar.closed(c, ')') : grammar.argument(c)
  if (c.stopped) throw new Unreadable()
  const value = base && /^l/.test(name) ? divide(apply(Math.log, argument), apply(Math.log, base)) : apply(functions[name]!, argument)
  return raised ? power(value, raised) : value
}
