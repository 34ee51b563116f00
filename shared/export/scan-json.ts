import { maxDepth, NotCanonical } from './canonical-json.ts'
import { compareCodePoints, legacyNumber, pythonFloat } from './legacy-json.ts'

/** Where one element of a collected array stands in the scanned bytes; `parent` is the path of its array. */
export type Span = { parent: readonly (string | number)[]; start: number; end: number }
export type ScanOptions = {
  /** Python tells 1.0 from 1; our writer never prints the former. Bundles of the predecessor are scanned with `true`. */
  python: boolean
  /** Arrays whose elements are reported one by one and left out of the skeleton. */
  collect?: (path: readonly (string | number)[]) => boolean
}

type Cursor = {
  readonly bytes: Uint8Array
  readonly options: ScanOptions
  readonly path: (string | number)[]
  readonly spans: Span[]
  /** Stretches of the document outside collected elements, and where the open one starts. */
  readonly kept: [start: number, end: number][]
  keptFrom: number
  at: number
}

/**
 * Checks in one pass that bytes are exactly what `legacyJson` prints (`legacyJson(JSON.parse(text)) === text`, duplicate keys
 * included), without building the value. Returns the spans of collected elements and the document with their arrays emptied.
 * Throws `NotCanonical` with the position of the first deviation.
 */
export function scanLegacyJson(bytes: Uint8Array, options: ScanOptions): { spans: Span[]; skeleton: string } {
  const cursor: Cursor = { bytes, options, path: [], spans: [], kept: [], keptFrom: 0, at: 0 }
  scanValue(cursor, 0)
  if (cursor.at !== bytes.length) fail(cursor, 'something follows the document')
  const kept = [...cursor.kept, [cursor.keptFrom, cursor.at] as const]
  return { spans: cursor.spans, skeleton: kept.map(([start, end]) => ascii(bytes, start, end)).join('') }
}

function fail(cursor: Cursor, why: string): never {
  throw new NotCanonical(`${why} at byte ${cursor.at}`)
}

function expect(cursor: Cursor, code: number, what: string): void {
  if (cursor.bytes[cursor.at] !== code) fail(cursor, `expected ${what}`)
  cursor.at++
}

function scanValue(cursor: Cursor, depth: number): void {
  if (depth > maxDepth) fail(cursor, `nested deeper than ${maxDepth}`)
  const code = cursor.bytes[cursor.at]
  if (code === 0x22) scanString(cursor)
  else if (code === 0x7b) scanObject(cursor, depth)
  else if (code === 0x5b) scanArray(cursor, depth)
  else scanScalar(cursor)
}

function scanObject(cursor: Cursor, depth: number): void {
  const { bytes, path } = cursor
  cursor.at++
  let previous: string | null = null
  while (bytes[cursor.at] !== 0x7d) {
    if (previous !== null) expect(cursor, 0x2c, 'a comma or the end of the object')
    const start = cursor.at
    if (bytes[start] !== 0x22) fail(cursor, 'expected a key')
    scanString(cursor)
    const key = decodeKey(bytes, start, cursor.at)
    if (previous !== null && compareKeys(previous, key) >= 0) fail(cursor, 'keys are not in order, or repeated,')
    previous = key
    expect(cursor, 0x3a, 'a colon')
    path.push(key)
    scanValue(cursor, depth + 1)
    path.pop()
  }
  cursor.at++
}

function scanArray(cursor: Cursor, depth: number): void {
  const { bytes, path, spans } = cursor
  const collected = cursor.options.collect?.(path) ? [...path] : null
  cursor.at++
  if (collected) cursor.kept.push([cursor.keptFrom, cursor.at])
  for (let index = 0; bytes[cursor.at] !== 0x5d; index++) {
    if (index > 0) expect(cursor, 0x2c, 'a comma or the end of the array')
    const start = cursor.at
    path.push(index)
    scanValue(cursor, depth + 1)
    path.pop()
    if (collected) spans.push({ parent: collected, start, end: cursor.at })
  }
  if (collected) cursor.keptFrom = cursor.at
  cursor.at++
}

function scanScalar(cursor: Cursor): void {
  const start = cursor.at
  while (isScalarByte(cursor.bytes[cursor.at])) cursor.at++
  const token = ascii(cursor.bytes, start, cursor.at)
  if (token === 'null' || token === 'true' || token === 'false' || isNumberToken(token, cursor.options.python)) return
  cursor.at = start
  fail(cursor, 'a value that is not in canonical form')
}

function scanString(cursor: Cursor): void {
  const { bytes } = cursor
  cursor.at++
  for (;;) {
    const code = bytes[cursor.at]
    if (code === 0x22) {
      cursor.at++
      return
    }
    if (code === undefined || code < 0x20 || code > 0x7e) fail(cursor, 'a string with a raw character')
    if (code !== 0x5c) cursor.at++
    else if (shortEscapes.has(bytes[cursor.at + 1]!)) cursor.at += 2
    else if (isLongEscape(bytes, cursor.at)) cursor.at += 6
    else fail(cursor, 'an escape that is not in canonical form')
  }
}

const isScalarByte = (code: number | undefined): boolean => {
  if (code === undefined) return false
  return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a) || code === 0x2d || code === 0x2b || code === 0x2e
}

function isNumberToken(token: string, python: boolean): boolean {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]\d+)?$/.test(token)) return false
  const number = Number(token)
  if (!Number.isFinite(number)) return false
  if (legacyNumber(number) === token) return true
  return python && (/^-?\d+$/.test(token) ? token !== '-0' : pythonFloat(number) === token)
}

const shortEscapes = new Set([0x22, 0x5c, 0x62, 0x66, 0x6e, 0x72, 0x74])
const shortForms = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d])

function isLongEscape(bytes: Uint8Array, at: number): boolean {
  const text = ascii(bytes, at, at + 6)
  if (!/^\\u[0-9a-f]{4}$/.test(text)) return false
  const unit = Number.parseInt(text.slice(2), 16)
  return unit >= 0x7f || (unit < 0x20 && !shortForms.has(unit))
}

function decodeKey(bytes: Uint8Array, start: number, end: number): string {
  const raw = ascii(bytes, start, end)
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
}

function compareKeys(a: string, b: string): number {
  if (/[\ud800-\udfff]/.test(a) || /[\ud800-\udfff]/.test(b)) return compareCodePoints(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  const part = bytes.subarray(start, end)
  return part.length <= 64 ? String.fromCharCode(...part) : new TextDecoder().decode(part)
}
