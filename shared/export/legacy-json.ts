import { maxDepth, NotCanonical } from './canonical-json.ts'

/**
 * The predecessor's JSON, as Python's `json.dumps(sort_keys=True, separators=(',', ':'))` prints it: ASCII only, every other UTF-16
 * unit as a lower-case `\uXXXX`, keys by code point. Numbers: integers up to 2^53 − 1 in size as integers, all others as Python's
 * `repr` of a float. Lone surrogates are kept as escapes, so that evidence survives as it was received.
 */
export function legacyJson(value: unknown): string {
  return write(value, 0)
}

/** A moment as the predecessor writes it: whole seconds, `Z`. Null stays null. */
export function legacyTime<T extends string | null>(moment: T): T
export function legacyTime(moment: string | null): string | null {
  return moment === null ? null : `${new Date(moment).toISOString().slice(0, 19)}Z`
}

export function legacyNumber(value: number): string {
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : pythonFloat(value)
}

/** Python's `repr(float)`: shortest digits that round-trip, `1e-05` and `1e+16` where positional notation ends. */
export function pythonFloat(value: number): string {
  if (!Number.isFinite(value)) throw new NotCanonical('not a finite number')
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const [mantissa = '0', exponentText = '0'] = Math.abs(value).toExponential().split('e')
  const exponent = Number(exponentText)
  const digits = mantissa.replace('.', '')
  if (exponent < -4 || exponent >= 16) {
    const size = String(Math.abs(exponent)).padStart(2, '0')
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${size}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`
}

/** Order of Python's `sorted` over strings: by code point, which differs from UTF-16 order beyond U+FFFF. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0
  const left = [...a]
  const right = [...b]
  const shared = Math.min(left.length, right.length)
  for (let index = 0; index < shared; index++) {
    const difference = left[index]!.codePointAt(0)! - right[index]!.codePointAt(0)!
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

const sortKeys = (keys: string[]): string[] =>
  keys.some((key) => /[\ud800-\udfff]/.test(key)) ? keys.sort(compareCodePoints) : keys.sort()

function write(value: unknown, depth: number): string {
  if (depth > maxDepth) throw new NotCanonical(`nested deeper than ${maxDepth}`)
  if (value === null || value === true || value === false) return String(value)
  if (typeof value === 'string') return writeString(value)
  if (typeof value === 'number') return legacyNumber(value)
  if (Array.isArray(value)) return `[${value.map((entry) => write(entry, depth + 1)).join(',')}]`
  if (typeof value === 'object') {
    const record = value as Record<string, unknown>
    const keys = sortKeys(Object.keys(record))
    return `{${keys.map((key) => `${writeString(key)}:${write(record[key], depth + 1)}`).join(',')}}`
  }
  throw new NotCanonical(`${typeof value} is not JSON`)
}

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

function writeString(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, escapeUnit)
}
