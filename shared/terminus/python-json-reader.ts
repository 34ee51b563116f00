import { codePoints } from '../python/text.ts'

/** What Python's `json.loads` gives; an object keeps the last of several equal keys at the place of the first. */
export type Json = null | boolean | number | string | Json[] | Map<string, Json>

/** Python's `JSONDecodeError`; the message is Python's own, with line, column and character. */
export class JsonDecodeError extends Error {}

/** Deeper nesting is refused; Python ends there with an error that no harness catches. */
const deepest = 1000
const spaces = /[ \t\n\r]*/y
const numeral = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y
const plainText = /[^"\\\x00-\x1f]*/y
const hex = /[0-9a-fA-F]{4}/y
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}
const constants: readonly [string, null | boolean | number][] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]

/**
 * Python 3.12's `json.loads(text)` with its messages: JSON, also NaN and infinities, whole numbers as the nearest double, lone surrogates kept.
 * Throws `JsonDecodeError`.
 */
export function readJson(text: string): Json {
  const reader = { text, at: 0, depth: 0 }
  skip(reader)
  const value = readValue(reader)
  skip(reader)
  if (reader.at < text.length) refuse(text, 'Extra data', reader.at)
  return value
}

type Reader = { text: string; at: number; depth: number }

function refuse(text: string, message: string, at: number): never {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  const column = codePoints(before.slice(before.lastIndexOf('\n') + 1)).length + 1
  throw new JsonDecodeError(`${message}: line ${line} column ${column} (char ${codePoints(before).length})`)
}

function skip(reader: Reader): void {
  spaces.lastIndex = reader.at
  spaces.exec(reader.text)
  reader.at = spaces.lastIndex
}

function readValue(reader: Reader): Json {
  const { text, at } = reader
  const sign = text[at]
  if (sign === '"') return readString(reader)
  if (sign === '{' || sign === '[') {
    if (++reader.depth > deepest) refuse(text, 'Nested too deeply', at)
    const value = sign === '{' ? readObject(reader) : readArray(reader)
    reader.depth--
    return value
  }
  const constant = constants.find(([name]) => text.startsWith(name, at))
  if (constant) {
    reader.at += constant[0].length
    return constant[1]
  }
  numeral.lastIndex = at
  const number = numeral.exec(text)
  if (!number) refuse(text, 'Expecting value', at)
  reader.at += number[0].length
  return Number(number[0])
}

function readArray(reader: Reader): Json[] {
  const { text } = reader
  const items: Json[] = []
  reader.at++
  skip(reader)
  if (text[reader.at] === ']') {
    reader.at++
    return items
  }
  for (;;) {
    items.push(readValue(reader))
    skip(reader)
    const sign = text[reader.at]
    if (sign !== ']' && sign !== ',') refuse(text, "Expecting ',' delimiter", reader.at)
    reader.at++
    if (sign === ']') return items
    skip(reader)
  }
}

function readObject(reader: Reader): Map<string, Json> {
  const { text } = reader
  const entries = new Map<string, Json>()
  reader.at++
  skip(reader)
  if (text[reader.at] === '}') {
    reader.at++
    return entries
  }
  for (;;) {
    if (text[reader.at] !== '"') refuse(text, 'Expecting property name enclosed in double quotes', reader.at)
    const key = readString(reader)
    skip(reader)
    if (text[reader.at] !== ':') refuse(text, "Expecting ':' delimiter", reader.at)
    reader.at++
    skip(reader)
    entries.set(key, readValue(reader))
    skip(reader)
    const sign = text[reader.at]
    if (sign !== '}' && sign !== ',') refuse(text, "Expecting ',' delimiter", reader.at)
    reader.at++
    if (sign === '}') return entries
    skip(reader)
  }
}

function readString(reader: Reader): string {
  const { text, at: begin } = reader
  let value = ''
  reader.at++
  for (;;) {
    plainText.lastIndex = reader.at
    value += plainText.exec(text)![0] // it matches the empty text too
    reader.at = plainText.lastIndex
    const sign = text[reader.at]
    if (sign === undefined) refuse(text, 'Unterminated string starting at', begin)
    if (sign === '"') {
      reader.at++
      return value
    }
    if (sign !== '\\') refuse(text, 'Invalid control character at', reader.at)
    value += readEscape(reader, begin)
  }
}

function readEscape(reader: Reader, begin: number): string {
  const { text, at } = reader
  const sign = text[at + 1]
  if (sign === undefined) refuse(text, 'Unterminated string starting at', begin)
  if (sign === 'u') {
    hex.lastIndex = at + 2
    const digits = hex.exec(text)
    // Python wants at least one more character behind the digits.
    if (!digits || at + 6 >= text.length) refuse(text, 'Invalid \\uXXXX escape', at + 1)
    reader.at = at + 6
    return String.fromCharCode(Number.parseInt(digits[0], 16))
  }
  const value = escapes[sign]
  if (value === undefined) refuse(text, 'Invalid \\escape', at)
  reader.at = at + 2
  return value
}
