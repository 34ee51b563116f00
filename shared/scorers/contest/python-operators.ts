import {
  asInteger,
  bool,
  computed,
  counts,
  expression,
  isZero,
  number,
  type PythonNumber,
  type PythonObject,
  raised,
  sequence,
  truth,
} from './python-object.ts'
import { add, divide, floor, fraction, modulo, multiply, negate, power, toDouble, type Value } from './value.ts'

export type Operation = (a: PythonObject, b: PythonObject) => PythonObject
type Expression = Extract<PythonObject, { is: 'number' | 'expression' }>

const isExpression = (a: PythonObject): a is Expression => a.is === 'number' || a.is === 'expression'
const isInfinite = (a: PythonObject): boolean => a.is === 'expression' && a.type === 'infinite'
const isExactly = (a: Expression, whole: bigint): boolean =>
  a.is === 'number' && a.value.kind === 'exact' && a.value.top === whole && a.value.bottom === 1n

const zero = number({ kind: 'exact', top: 0n, bottom: 1n })
const one = number({ kind: 'exact', top: 1n, bottom: 1n })
const infinite = expression('infinite', false)
/** The imaginary unit. */
export const imaginary = expression('complex', false)

function powerOfImaginary(b: Expression): PythonObject | null {
  if (b.is !== 'number' || b.type !== 'integer') return null
  const quarter = ((toDouble(b.value) % 4) + 4) % 4
  return quarter === 1 ? imaginary : quarter === 3 ? expression('complex', false) : quarter === 0 ? one : negative(one)
}

/** Both sides as expressions, Python's booleans beside integers as integers; null where one of them is none. */
function expressions(a: PythonObject, b: PythonObject): readonly [Expression, Expression] | null {
  if (a.is === 'bool' || b.is === 'bool') {
    const [left, right] = [asInteger(a), asInteger(b)]
    return left && right ? [left, right] : null
  }
  return isExpression(a) && isExpression(b) ? [a, b] : null
}

/** What an operation gives where a side is no number. */
function mixed(a: Expression, b: Expression): PythonObject {
  const types = [a, b].map((each) => (each.is === 'expression' ? each.type : 'number'))
  const digits = a.digits || b.digits || a === b
  if (types.includes('symbol') || types.includes('plain')) return expression('plain', digits)
  return expression(types.includes('infinite') ? 'infinite' : 'complex', digits)
}

const isFloat = (a: PythonNumber, b: PythonNumber): boolean => a.type === 'float' || b.type === 'float'

/** An operation of numbers, where it gives a number; `instead` where it gives none. */
const ofNumbers =
  (f: (a: Value, b: Value) => Value, instead: (a: PythonNumber, b: PythonNumber) => PythonObject) =>
  (a: PythonNumber, b: PythonNumber): PythonObject =>
    computed(f(a.value, b.value), isFloat(a, b), instead(a, b))

/** Of Python's booleans this operator takes only two at once. */
const apartFromBools =
  (operation: Operation): Operation =>
  (a, b) =>
    (a.is === 'bool') === (b.is === 'bool') ? operation(a, b) : raised()

/** An operator: `kept` are the cases in which SymPy simplifies, `others` what Python's own objects do. */
function operator(
  numbers: (a: PythonNumber, b: PythonNumber) => PythonObject,
  kept: (a: Expression, b: Expression) => PythonObject | null,
  others: Operation = raised,
): Operation {
  return (a, b) => {
    const pair = expressions(a, b)
    if (!pair) return others(a, b)
    const [left, right] = pair
    const simple = kept(left, right)
    if (simple) return simple
    return left.is === 'number' && right.is === 'number' ? numbers(left, right) : mixed(left, right)
  }
}

const tooLarge = () => expression('plain')

function joined(a: PythonObject, b: PythonObject): PythonObject {
  if (a.is === 'text' && b.is === 'text') return { is: 'text', length: a.length + b.length }
  if (a.is === 'sequence' && b.is === 'sequence' && a.type === b.type) return sequence(a.type, [...a.items, ...b.items])
  return raised()
}

function repeated(a: PythonObject, b: PythonObject): PythonObject {
  const [times, thing] = asInteger(a) ? [asInteger(a)!, b] : [asInteger(b) ?? raised(), a]
  const count = Math.min(Math.max(toDouble(times.value), 0), 1000)
  if (thing.is === 'text') return { is: 'text', length: thing.length * count }
  if (thing.is !== 'sequence') return raised()
  return sequence(thing.type, Array.from({ length: count }, () => thing.items).flat())
}

const plus = operator(ofNumbers(add, tooLarge), (a, b) => (isExactly(a, 0n) ? b : isExactly(b, 0n) ? a : null), joined)

export function negative(a: PythonObject): PythonObject {
  const whole = asInteger(a) ?? a
  if (!isExpression(whole)) return raised()
  if (whole.is === 'number') return { ...whole, value: negate(whole.value) as PythonNumber['value'] } // a number's opposite is one
  return whole.type === 'symbol' ? expression('plain', whole.digits) : whole
}

const minus = operator(
  ofNumbers((a, b) => add(a, negate(b)), tooLarge),
  (a, b) => (isExactly(b, 0n) ? a : a === b ? (isInfinite(a) ? a : zero) : null),
)

export const positive = (a: PythonObject): PythonObject => asInteger(a) ?? (isExpression(a) ? a : raised())

const times = operator(
  ofNumbers(multiply, tooLarge),
  (a, b) => {
    if (isExactly(a, 0n) || isExactly(b, 0n)) return isInfinite(a) || isInfinite(b) ? infinite : zero
    if (a === imaginary && b === imaginary) return negative(one)
    return isExactly(a, 1n) ? b : isExactly(b, 1n) ? a : null
  },
  repeated,
)

const over = apartFromBools(
  operator(
    ofNumbers(divide, (_, b) => (isZero(b) ? infinite : tooLarge())),
    (a, b) => {
      if (isInfinite(b)) return isInfinite(a) ? infinite : zero
      if (isExactly(a, 0n)) return isZero(b) ? infinite : zero
      if (a === b && !isInfinite(a) && !isZero(a)) return one
      return isExactly(b, 1n) ? a : null
    },
  ),
)

const wholeQuotient = operator(
  ofNumbers(
    (a, b) => floor(divide(a, b)),
    (a, b) => (!isZero(b) ? tooLarge() : a.value.kind === 'exact' && a.type !== 'float' ? raised() : infinite),
  ),
  (a, b) => {
    if (isInfinite(b)) return isInfinite(a) ? infinite : zero
    if (a === b && !isInfinite(a) && !isZero(a)) return one
    if (a === imaginary && b.is === 'number' && toDouble(b.value) > 1) return zero // floor(i / b)
    return isExactly(a, 0n) && !isZero(b) ? zero : null
  },
)

const remainder = operator(
  ofNumbers(modulo, tooLarge),
  (a, b) => {
    if (isZero(b)) return raised()
    if (isInfinite(a) || isInfinite(b)) return infinite
    return isExactly(a, 0n) || a === b ? zero : null
  },
  (a, b) => (a.is === 'text' && b.is === 'sequence' && b.type === 'list' ? a : raised()),
)

const raisedTo = apartFromBools(
  operator(
    (a, b) => {
      if (isZero(a)) return toDouble(b.value) < 0 ? infinite : isZero(b) ? one : zero
      return computed(power(a.value, b.value), isFloat(a, b), toDouble(a.value) < 0 ? expression('complex') : tooLarge())
    },
    (a, b) => {
      if (isExactly(b, 0n)) return one
      if (isInfinite(b)) return infinite
      if (isExactly(a, 1n)) return one
      return isExactly(b, 1n) ? a : a === imaginary ? powerOfImaginary(b) : null
    },
  ),
)

/** Symbols, SymPy's booleans, and Python's beside one of these. */
const isLogical = (a: PythonObject): boolean => a.is === 'truth' || a.is === 'bool' || (a.is === 'expression' && a.type === 'symbol')
const known = (a: PythonObject): boolean | null => (a.is === 'truth' ? a.known : a.is === 'bool' ? a.value : null)

/** An operator of bits for integers, and of logic for symbols and booleans; it raises for a mixture and for all else. */
const bitwise =
  (bits: (a: bigint, b: bigint) => bigint, logic: Operation): Operation =>
  (a, b) => {
    const [left, right] = [asInteger(a), asInteger(b)]
    if (left?.value.kind === 'exact' && right?.value.kind === 'exact') {
      const value = fraction(bits(left.value.top, right.value.top))
      if (a.is === 'bool' && b.is === 'bool') return bool(value.kind === 'exact' && value.top !== 0n)
      return computed(value, false, tooLarge())
    }
    return isLogical(a) && isLogical(b) ? logic(a, b) : raised()
  }

/** `and` and `or` of SymPy: `decisive` is the truth that decides alone. */
const connective =
  (decisive: boolean): Operation =>
  (a, b) => {
    if (known(a) === decisive || known(b) === decisive) return truth(decisive)
    if (known(a) !== null) return known(b) === null ? b : truth(!decisive)
    return known(b) !== null || a === b ? a : truth(null)
  }

const implies: Operation = (a, b) => {
  if (known(a) === false || known(b) === true || a === b) return truth(true)
  return known(a) === true ? (known(b) === false ? truth(false) : b) : truth(null)
}

const mostShift = 20_000n
function shifted(a: bigint, by: bigint): bigint {
  if (by < 0n || by > mostShift) return raised()
  return a << by
}

/** Python's binary operators but for comparisons; `@` raises always. */
export const operators: Readonly<Record<string, Operation>> = {
  '+': plus,
  '-': minus,
  '*': times,
  '/': over,
  '//': (a, b) => (b.is === 'bool' && a.is !== 'bool' ? raised() : wholeQuotient(a, b)),
  '%': remainder,
  '**': raisedTo,
  '@': raised,
  '&': bitwise((a, b) => a & b, connective(false)),
  '|': bitwise((a, b) => a | b, connective(true)),
  '<<': bitwise(shifted, (a, b) => implies(b, a)),
  '>>': bitwise((a, b) => (b < 0n ? raised() : b > mostShift ? (a < 0n ? -1n : 0n) : a >> b), implies),
}

/** Python's `~`. */
export function inverted(a: PythonObject): PythonObject {
  const whole = asInteger(a)
  if (whole?.value.kind === 'exact') return computed(fraction(-whole.value.top - 1n), false, tooLarge())
  if (a.is === 'truth') return truth(a.known === null ? null : !a.known, a.relation)
  return isLogical(a) ? truth(null) : raised()
}

const isOrdered = (a: Expression): boolean => a.is === 'number' || a.type === 'symbol' || a.type === 'plain'

function less(a: PythonObject, b: PythonObject): PythonObject {
  if (a.is === 'bool' && b.is === 'bool') return bool(!a.value && b.value)
  if (a.is === 'text' && b.is === 'text') return bool(false)
  if (a.is === 'sequence' && b.is === 'sequence' && a.type === b.type) return bool(false)
  if (!isExpression(a) || !isExpression(b) || !isOrdered(a) || !isOrdered(b)) return raised()
  if (a.is === 'number' && b.is === 'number') return truth(toDouble(a.value) < toDouble(b.value))
  return truth(null, true)
}

function isSame(a: PythonObject, b: PythonObject): boolean {
  return a === b || (a.is === 'number' && b.is === 'number' && a.type === b.type && toDouble(a.value) === toDouble(b.value))
}

function contains(a: PythonObject, b: PythonObject): PythonObject {
  if (b.is === 'sequence') return bool(b.items.some((item) => isSame(a, item)))
  return a.is === 'text' && b.is === 'text' ? bool(true) : raised()
}

const not = (a: PythonObject): PythonObject => bool(!counts(a))

/** Python's comparisons; SymPy's of symbols are relations. There is no `=` in a formula here. */
export const comparisons: Readonly<Record<string, Operation>> = {
  '<': less,
  '>': (a, b) => less(b, a),
  in: contains,
  'not in': (a, b) => not(contains(a, b)),
  is: (a, b) => bool(isSame(a, b)),
  'is not': (a, b) => bool(!isSame(a, b)),
}
