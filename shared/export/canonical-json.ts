/** How deep a signed document may nest: deeper input is refused before it can exhaust a stack. */
export const maxDepth = 64

/** A value that has no canonical JSON form, or text that is not in it. */
export class NotCanonical extends Error {}

/**
 * Canonical JSON after RFC 8785: keys sorted by UTF-16 code units, no white space, numbers as ECMAScript prints them.
 * Refuses what the form cannot carry without loss: NaN, infinities, lone surrogates, undefined, nesting deeper than 64.
 * Duplicate keys are invisible after `JSON.parse`; a reader finds them by `isCanonical`.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0)
}

/** Whether `text` is the canonical form of what it says: nothing repeated, reordered, re-escaped or padded. */
export function isCanonical(text: string): boolean {
  try {
    return canonicalJson(JSON.parse(text)) === text
  } catch {
    return false
  }
}

function write(value: unknown, depth: number): string {
  if (depth > maxDepth) throw new NotCanonical(`nested deeper than ${maxDepth}`)
  if (value === null || value === true || value === false) return String(value)
  if (typeof value === 'string') return writeString(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new NotCanonical('not a finite number')
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map((entry) => write(entry, depth + 1)).join(',')}]`
  if (typeof value === 'object') {
    const record = value as Record<string, unknown>
    const keys = Object.keys(record).sort()
    return `{${keys.map((key) => `${writeString(key)}:${write(record[key], depth + 1)}`).join(',')}}`
  }
  throw new NotCanonical(`${typeof value} is not JSON`)
}

function writeString(text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new NotCanonical('a lone surrogate')
  return JSON.stringify(text)
}
