import { floatText } from '../python/number.ts'
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

/** Python's `repr(float)` of a finite number, as JSON wants it. */
export function pythonFloat(value: number): string {
  if (!Number.isFinite(value)) throw new NotCanonical('not a finite number')
  return floatText(value)
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
