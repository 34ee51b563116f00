import { decimalDigits } from '../python/text.ts'

/** A value of Python's `Decimal`: finite ones as `digits × 10^exponent` without zeros at either end of the digits; zero has none. */
export type PythonDecimal =
  | { kind: 'finite'; negative: boolean; digits: string; exponent: bigint }
  | { kind: 'infinite'; negative: boolean }
  | { kind: 'nan'; signals: boolean }

/** The largest exponent of a first digit, and the smallest of a last one, that `Decimal` holds where it must be exact (`MAX_EMAX`, `MIN_ETINY`). */
const largest = 999_999_999_999_999_999n
const smallest = -1_999_999_999_999_999_997n

const number = /^([-+]?)(?:(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?|(inf|infinity)|(s?nan)\d*)$/i
const zero: PythonDecimal = { kind: 'finite', negative: false, digits: '', exponent: 0n }

/**
 * What `Decimal(word)` of CPython makes of a word without white space, or null where it raises: underscores count for nothing wherever they stand,
 * decimal digits of any script are digits, and exponents have their bounds.
 */
export function readDecimal(word: string): PythonDecimal | null {
  const found = number.exec(decimalDigits(word.replaceAll('_', '')))
  if (!found) return null
  const [, sign, whole = '', part = '', exponent = '0', infinite, nan] = found
  const negative = sign === '-'
  if (infinite) return { kind: 'infinite', negative }
  if (nan) return { kind: 'nan', signals: nan.length === 4 }
  const written = whole + part
  if (written === '') return null
  const last = exponentOf(exponent) - BigInt(part.length)
  const significant = withoutLeading(written)
  if (significant === '') return last > largest || last < smallest ? null : zero
  if (last + BigInt(significant.length) - 1n > largest || last < smallest) return null
  const digits = withoutTrailing(significant)
  return { kind: 'finite', negative, digits, exponent: last + BigInt(significant.length - digits.length) }
}

/** `a == b` of two decimals; null where Python raises, as a signalling NaN makes it. */
export function sameDecimal(a: PythonDecimal, b: PythonDecimal): boolean | null {
  if (a.kind === 'nan' || b.kind === 'nan') return (a.kind === 'nan' && a.signals) || (b.kind === 'nan' && b.signals) ? null : false
  if (a.kind === 'infinite' || b.kind === 'infinite') return a.kind === b.kind && a.negative === b.negative
  return a.negative === b.negative && a.digits === b.digits && a.exponent === b.exponent
}

/** Exponents of more digits are out of bounds whatever they are, and huge ones would take a while to read. */
function exponentOf(text: string): bigint {
  const digits = withoutLeading(text.replace(/^[-+]/, ''))
  const size = digits.length > 30 ? 10n ** 30n : BigInt(digits || 0)
  return text.startsWith('-') ? -size : size
}

function withoutLeading(digits: string): string {
  let at = 0
  while (digits[at] === '0') at++
  return digits.slice(at)
}

function withoutTrailing(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}
