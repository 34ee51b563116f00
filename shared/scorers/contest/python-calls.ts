import { functions } from './latex-functions.ts'
import {
  addressed,
  computed,
  expression,
  isZero,
  none,
  number,
  opaque,
  type PythonNumber,
  type PythonObject,
  raised,
  sequence,
  symbol,
  truth,
} from './python-object.ts'
import { imaginary, operators, positive } from './python-operators.ts'
import { absolute, apply, binomial, ceiling, factorial, floor, fraction, modulo, power, real, toDouble, type Value } from './value.ts'

const half = fraction(1n, 2n)

/** Functions of numbers that SymPy knows by these names, and how many numbers they take. */
const ofNumbers: Readonly<Record<string, { takes: readonly number[]; value: (...values: Value[]) => Value }>> = {
  binomial: { takes: [2], value: (n, k) => binomial(n!, k!) },
  floor: { takes: [1], value: (a) => floor(a!) },
  ceiling: { takes: [1], value: (a) => ceiling(a!) },
  Abs: { takes: [1], value: (a) => absolute(a!) },
  sqrt: { takes: [1], value: (a) => power(a!, half) },
  cbrt: { takes: [1], value: (a) => power(a!, fraction(1n, 3n)) },
  Mod: { takes: [2], value: (a, b) => modulo(a!, b!) },
  Integer: { takes: [1], value: (a) => (a!.kind === 'other' ? a! : toDouble(a!) < 0 ? ceiling(a!) : floor(a!)) },
  gcd: { takes: [2], value: (a, b) => divisor(a!, b!) },
  lcm: { takes: [2], value: (a, b) => multiple(a!, b!) },
  ...Object.fromEntries(
    ['exp', 'log', 'ln', 'sin', 'cos', 'tan', 'csc', 'sec', 'cot', 'sinh', 'cosh', 'tanh'].map((name) => [
      name,
      { takes: [1], value: (a: Value | undefined) => apply(functions[name]!, a!) },
    ]),
  ),
}

const isWhole = (value: Value) => value.kind === 'exact' && value.bottom === 1n
const absoluteOf = (value: bigint) => (value < 0n ? -value : value)

function divisor(a: Value, b: Value): Value {
  if (a.kind !== 'exact' || b.kind !== 'exact' || !isWhole(a) || !isWhole(b)) return real(Number.NaN)
  let [p, q] = [a.top, b.top]
  while (q !== 0n) [p, q] = [q, p % q]
  return fraction(absoluteOf(p))
}

function multiple(a: Value, b: Value): Value {
  const shared = divisor(a, b)
  if (a.kind !== 'exact' || b.kind !== 'exact' || shared.kind !== 'exact') return shared
  return shared.top === 0n ? fraction(0n) : fraction(absoluteOf(a.top * b.top), shared.top)
}

/** Functions that SymPy or Python have under these names and that are not evaluated: their bare names are no symbols. */
const opaqueNames: ReadonlySet<string> = new Set(
  (
    'S N O Q Eq Ne Lt Le Gt Ge Or And Not Id re im li Li Si Ci Ei rf ff abs acos acosh acot all any apart arg asin asinh ask atan atan2 atanh beta bin ' +
    'chr comp cosh coth deg degree denom det diag diff dir div divisors exec expand factor factorint fibonacci field gamma hash hex id input integrate ' +
    'isprime iter len lex limit line max min next numer oct ones open ord per plot pow prime print prod product rad radius rem repr ring root roots round ' +
    'series sets sign simplify solve solveset sorted subfactorial sum summation symbols take test time totient trace trunc use var vars zeros zeta Max Min ' +
    'Sum Product Integral Symbol Function Rational Float Number Point Line Circle Triangle Polygon Matrix Set FiniteSet Interval Tuple Range Pow Mul Add'
  ).split(' '),
)

/** Those of the functions above whose text, as of everything that Python writes with its address, holds digits. */
const addresses: ReadonlySet<string> = new Set(
  (
    'N Q apart ask atan2 comp deg degree denom det diag diff div divisors expand factor factorint field integrate isprime limit numer ones per plot prime ' +
    'prod product rad rem ring root roots series simplify solve solveset summation symbols take test trace trunc use var zeros sqrt cbrt gcd lcm factorial2'
  ).split(' '),
)

const constants: Readonly<Record<string, PythonObject>> = {
  pi: number(real(Math.PI) as PythonNumber['value'], false, false),
  E: number(real(Math.E) as PythonNumber['value'], false, false),
  e: number(real(Math.E) as PythonNumber['value'], false, false),
  I: imaginary,
  oo: expression('plain', false),
  zoo: expression('infinite', false),
  nan: expression('infinite', false),
  true: truth(true),
  false: truth(false),
}

/** Whether SymPy or Python have a function of this name. */
export const isFunction = (name: string): boolean => Object.hasOwn(ofNumbers, name) || opaqueNames.has(name) || /^factorial2?$/.test(name)

/** What a bare name stands for: a constant, a function, or else a symbol, the same object for the same name. */
export function named(name: string, symbols: Map<string, PythonObject>): PythonObject {
  if (Object.hasOwn(constants, name)) return constants[name]!
  if (isFunction(name)) return addresses.has(name) ? addressed : opaque
  const found = symbols.get(name) ?? symbol(name)
  symbols.set(name, found)
  return found
}

/** SymPy's factorial, or, for two marks, its double factorial. It takes all but None, lists and functions. */
export function factorialOf(a: PythonObject, marks: number): PythonObject {
  if (a.is !== 'expression' || marks > 2) return newFactorial(a, marks)
  const known = factorials[marks]?.get(a) ?? newFactorial(a, marks)
  factorials[marks]?.set(a, known)
  return known
}

/** The same object for the same expression, by which SymPy's simplifications know it again. */
const factorials: Readonly<Record<number, WeakMap<PythonObject, PythonObject>>> = { 1: new WeakMap(), 2: new WeakMap() }

function newFactorial(a: PythonObject, marks: number): PythonObject {
  if (marks > 2 || a.is === 'none' || a.is === 'opaque' || (a.is === 'sequence' && a.type === 'list')) return raised()
  if (a.is !== 'number') return expression(a.is === 'expression' && a.type !== 'symbol' ? a.type : 'plain')
  if (marks === 1) {
    if (a.type === 'float') return expression('plain')
    return computed(factorial(a.value), false, expression(a.type === 'integer' ? 'infinite' : 'plain'))
  }
  if (a.type !== 'integer' || a.value.kind !== 'exact') return a.type === 'real' ? expression('plain') : raised()
  if (a.value.top < 0n || a.value.top > 1000n) return a.value.top < 0n && a.value.top % 2n === 0n ? raised() : expression('plain')
  let result = 1n
  for (let factor = a.value.top; factor > 1n; factor -= 2n) result *= factor
  return number({ kind: 'exact', top: result, bottom: 1n })
}

const isExpression = (a: PythonObject): boolean => a.is === 'number' || a.is === 'expression'

function extreme(name: string, values: readonly PythonObject[]): PythonObject {
  const comparable = values.every((a) => a.is === 'text' || a.is === 'number' || (a.is === 'expression' && /symbol|plain/.test(a.type)))
  if (!comparable) return raised()
  const numbers = values.filter((a) => a.is === 'number')
  if (numbers.length < values.length || values.length === 0) return expression('plain')
  const isFurther = (a: PythonNumber, b: PythonNumber) =>
    /ax/.test(name) ? toDouble(a.value) > toDouble(b.value) : toDouble(a.value) < toDouble(b.value)
  return numbers.reduce((best, each) => (isFurther(each, best) ? each : best))
}

/** What calling a name gives. An unknown function of anything that SymPy takes is an expression of which nothing is known. */
export function called(name: string, values: readonly PythonObject[]): PythonObject {
  if (Object.hasOwn(constants, name)) return raised()
  if (/^factorial2?$/.test(name)) return values.length === 1 ? factorialOf(values[0]!, name === 'factorial' ? 1 : 2) : raised()
  if (/^(?:max|min|Max|Min)$/.test(name)) return extreme(name, values)
  if (name === 'pow' && values.length === 2) return operators['**']!(values[0]!, values[1]!)
  if (name === 'print') return none
  if (name === 'abs') return values.length === 1 ? called('Abs', [positive(values[0]!)]) : raised()
  if (Object.hasOwn(ofNumbers, name)) return evaluated(ofNumbers[name]!, values, !/^(?:sqrt|cbrt|gcd|lcm)$/.test(name))
  if (opaqueNames.has(name)) return expression('plain')
  const isTaken = (a: PythonObject) => a.is !== 'none' && a.is !== 'opaque' && !(a.is === 'sequence' && a.type === 'list')
  return values.every(isTaken) ? expression('plain') : raised()
}

function evaluated({ takes, value }: (typeof ofNumbers)[string], values: readonly PythonObject[], takesText: boolean): PythonObject {
  if (!takes.includes(values.length)) return values.length === 0 || values.length > 2 ? raised() : expression('plain')
  if (!values.every((a) => isExpression(a) || (takesText && a.is === 'text'))) return raised()
  const numbers = values.filter((a) => a.is === 'number')
  if (numbers.length < values.length) return expression('plain')
  const isFloat = numbers.some((a) => a.type === 'float')
  const instead = numbers.some(isZero) ? expression('infinite') : expression('plain')
  return computed(value(...numbers.map((a) => a.value)), isFloat, instead)
}

/** What stands in a pair of brackets behind an object: an index of a text or a sequence. */
export function indexed(a: PythonObject, index: PythonObject): PythonObject {
  if (index.is !== 'number' || index.type !== 'integer') return raised()
  const place = toDouble(index.value)
  if (a.is === 'sequence') return a.items.at(place) ?? raised()
  return a.is === 'text' && place < a.length && place >= -a.length ? { is: 'text', length: 1 } : raised()
}

export const tuple = (items: readonly PythonObject[]): PythonObject => sequence('tuple', items)
