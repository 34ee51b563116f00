/**
 * What an expression came to: an exact fraction in lowest terms, a real number known to double precision, or anything that is no real number (a symbol,
 * a list, a complex number). `digits` says whether its text holds a digit, by which MathArena tells remarks from answers in a list; `only` is the one
 * number of a list, or a number whose name holds no digit, which counts where it stands alone.
 */
export type Value = { kind: 'exact'; top: bigint; bottom: bigint } | { kind: 'real'; value: number } | OtherValue
export type NumberValue = Exclude<Value, OtherValue>
type OtherValue = {
  kind: 'other'
  digits: boolean
  only?: { kind: 'exact'; top: bigint; bottom: bigint } | { kind: 'real'; value: number }
}

export const other: OtherValue = { kind: 'other', digits: true }

/** Bits that the parts of a fraction may have; larger ones are no answer of a contest, and computing them takes time. */
const mostBits = 20_000

const bits = (value: bigint): number => value.toString(16).length * 4

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b]
  return a < 0n ? -a : a
}

/** A fraction in lowest terms; division by zero and parts beyond all measure are no number. */
export function fraction(top: bigint, bottom = 1n): Value {
  if (bottom === 0n || bits(top) > mostBits || bits(bottom) > mostBits) return other
  const sign = bottom < 0n ? -1n : 1n
  const shared = gcd(top, bottom) * sign
  return { kind: 'exact', top: top / shared, bottom: bottom / shared }
}

export function real(value: number): Value {
  return Number.isFinite(value) ? { kind: 'real', value } : other
}

export function toDouble(value: NumberValue): number {
  return value.kind === 'real' ? value.value : Number(value.top) / Number(value.bottom)
}

const isExactly = (value: Value, whole: bigint): boolean => value.kind === 'exact' && value.top === whole && value.bottom === 1n

/** A decimal such as `70`, `70.5`, `.5` or `1e3`, exactly. */
export function decimalValue(text: string): Value {
  const parts = /^(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text)
  if (!parts || text.length > 5000) return other
  const exponent = Number(parts[3] ?? 0) - parts[2]!.length
  if (Math.abs(exponent) > 5000) return other
  const digits = BigInt(`${parts[1]}${parts[2]}` || '0')
  return exponent < 0 ? fraction(digits, 10n ** BigInt(-exponent)) : fraction(digits * 10n ** BigInt(exponent))
}

/** Applies an operation to two numbers, exactly where both are exact; anything with a part that is no number is none. */
function combine(
  a: Value,
  b: Value,
  exact: (a: [bigint, bigint], b: [bigint, bigint]) => Value,
  rough: (a: number, b: number) => number,
): Value {
  if (a.kind === 'other' || b.kind === 'other') return other
  if (a.kind === 'exact' && b.kind === 'exact') return exact([a.top, a.bottom], [b.top, b.bottom])
  return real(rough(toDouble(a), toDouble(b)))
}

export const add = (a: Value, b: Value): Value =>
  combine(
    a,
    b,
    ([p, q], [r, s]) => fraction(p * s + r * q, q * s),
    (x, y) => x + y,
  )
export const negate = (a: Value): Value => multiply(fraction(-1n), a)
/** Zero times anything is zero, as SymPy simplifies it. */
export const multiply = (a: Value, b: Value): Value =>
  isExactly(a, 0n) || isExactly(b, 0n)
    ? fraction(0n)
    : combine(
        a,
        b,
        ([p, q], [r, s]) => fraction(p * r, q * s),
        (x, y) => x * y,
      )
export const divide = (a: Value, b: Value): Value =>
  combine(
    a,
    b,
    ([p, q], [r, s]) => fraction(p * s, q * r),
    (x, y) => (y === 0 ? Number.NaN : x / y),
  )

export function floor(a: Value): Value {
  if (a.kind === 'other') return a
  if (a.kind === 'real') return Number.isFinite(a.value) ? fraction(BigInt(Math.floor(a.value))) : other
  const whole = a.top / a.bottom
  return fraction(a.top % a.bottom < 0n ? whole - 1n : whole)
}
export const ceiling = (a: Value): Value => negate(floor(negate(a)))
/** Remainder with the sign of the divisor, as in Python. */
export const modulo = (a: Value, b: Value): Value => add(a, negate(multiply(b, floor(divide(a, b)))))

export function absolute(a: Value): Value {
  if (a.kind === 'other') return a
  return toDouble(a) < 0 ? negate(a) : a
}

/** The whole `n`-th root of a number that is not negative, or null where there is none. */
function wholeRoot(value: bigint, n: number): bigint | null {
  const guess = BigInt(Math.round(Number(value) ** (1 / n)))
  for (const near of [guess - 1n, guess, guess + 1n]) if (near >= 0n && near ** BigInt(n) === value) return near
  return null
}

function wholePower(base: Extract<Value, { kind: 'exact' }>, exponent: bigint): Value {
  const times = exponent < 0n ? -exponent : exponent
  const size = Math.max(bits(base.top), bits(base.bottom))
  if (times > 20_000n || (size > 4 && size * Number(times) > 4 * mostBits)) return other
  const [top, bottom] = [base.top ** times, base.bottom ** times]
  return exponent < 0n ? fraction(bottom, top) : fraction(top, bottom)
}

/** `base` to the power `exponent`; roots are exact where they come out whole, and there are none of negative numbers. One to the power of a symbol is one. */
export function power(base: Value, exponent: Value): Value {
  if (isExactly(base, 1n) || isExactly(exponent, 0n)) return fraction(1n)
  if (base.kind === 'other' || exponent.kind === 'other') return other
  if (base.kind === 'exact' && exponent.kind === 'exact') {
    if (exponent.bottom === 1n) return wholePower(base, exponent.top)
    if (base.top < 0n) return other
    const n = Number(exponent.bottom)
    const [top, bottom] =
      n <= 64 && bits(base.top) < 1000 && bits(base.bottom) < 1000 ? [wholeRoot(base.top, n), wholeRoot(base.bottom, n)] : []
    if (top != null && bottom != null) return wholePower({ kind: 'exact', top, bottom }, exponent.top)
  }
  return real(toDouble(base) ** toDouble(exponent))
}

const asWhole = (value: Value, most: bigint): bigint | null =>
  value.kind === 'exact' && value.bottom === 1n && value.top >= 0n && value.top <= most ? value.top : null

export function factorial(a: Value): Value {
  const n = asWhole(a, 1000n)
  if (n === null) return other
  let product = 1n
  for (let factor = 2n; factor <= n; factor++) product *= factor
  return fraction(product)
}

/** Binomial coefficient of whole numbers. */
export function binomial(a: Value, b: Value): Value {
  const n = asWhole(a, 10_000n)
  const k = asWhole(b, 10_000n)
  if (n === null || k === null) return other
  if (k > n) return fraction(0n)
  let result = 1n
  for (let i = 1n; i <= k; i++) result = (result * (n - k + i)) / i
  return fraction(result)
}

/** A function of one real number, to double precision. */
export function apply(f: (x: number) => number, a: Value): Value {
  return a.kind === 'other' ? other : real(f(toDouble(a)))
}

/** The integer that a number is within 1e-10, as MathArena compares, exact fractions too. Null for anything else, and for a fraction beside 0. */
export function wholeNumber(value: Value): bigint | null {
  if (value.kind === 'exact') return nearestWhole(value.top, value.bottom)
  if (value.kind === 'other' || Math.abs(value.value) > 1e15) return null
  const near = Math.round(value.value)
  return Math.abs(value.value - near) < 1e-10 ? BigInt(near) : null
}

function nearestWhole(top: bigint, bottom: bigint): bigint | null {
  if (bottom === 1n) return top
  const half = top < 0n ? -bottom : bottom
  const near = (2n * top + half) / (2n * bottom)
  const error = top - near * bottom
  return near !== 0n && (error < 0n ? -error : error) * 10_000_000_000n < bottom ? near : null
}
