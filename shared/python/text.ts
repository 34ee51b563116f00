import { decimalOf, isPrintable, unprintableClass } from './unicode.ts'

/**
 * Character classes of Python's `re` (str patterns), to be put between brackets of a regular expression with the `u` flag. `pyWord` takes letters that
 * are newer than Unicode 15.0 too, where the engine knows them; the functions below do not.
 */
export const pySpace = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
export const pyWord = '\\p{L}\\p{N}_'

/** Python's `string.punctuation`: the 32 signs of ASCII. */
export const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'

const leading = new RegExp(`^[${pySpace}]+`, 'u')
const isSpace = new RegExp(`[${pySpace}]`, 'u')
const spaceless = new RegExp(`[^${pySpace}]+`, 'gu')
const words = new RegExp(`[${pyWord}]+`, 'gu')
const isWord = new RegExp(`^[${pyWord}]$`, 'u')
const alpha = /^\p{L}$/u
const alnum = /^[\p{L}\p{N}]$/u
/** Characters of the engine's Unicode that Unicode 15.0 does not have, and a noncharacter that can stand in for them. */
const newer = new RegExp(`(?=[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}])[${unprintableClass}]`, 'gu')
const standIn = '\ufdd0'
const lineEnd = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/gu
// Decimal digits, and the signs of Numeric_Type=Digit, a property that regular expressions of JavaScript do not know.
const digit =
  /^[\p{Nd}\xb2\xb3\xb9\u1369-\u1371\u19da\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792\u{10a40}-\u{10a43}\u{10e60}-\u{10e68}\u{11052}-\u{1105a}\u{1f100}-\u{1f10a}]$/u
// Six characters whose case differs between the Unicode of Python 3.11 (14) and later ones.
const lowercase = /(?![\u10fc\ua7f2-\ua7f4\uab69])[\p{Lowercase}\u0295]/u
const upper = /\p{Uppercase}/u
const title = /\p{Lt}/u
const beyondAscii = /[^\0-\x7f]/gu
/** Letters that Python takes for another one although their capitals are spelled with several characters. */
const twins = new Map([
  ['\u1fd3', '\u0390'],
  ['\u1fe3', '\u03b0'],
  ['\ufb05', '\ufb06'],
])

/** Python's `str.lstrip()`. */
export function lstrip(text: string): string {
  return text.replace(leading, '')
}

/** Python's `str.rstrip()`; linear, where a regular expression anchored at the end is not. */
export function rstrip(text: string): string {
  let end = text.length
  while (end > 0 && isSpace.test(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** Python's `str.strip()`. */
export function strip(text: string): string {
  return lstrip(rstrip(text))
}

/** Index of the first character at or after `from` that is no Python whitespace. */
export function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace.test(text[at]!)) at++
  return at
}

/** The characters of a text as Python counts them. */
export function codePoints(text: string): string[] {
  return [...text]
}

/** Python's `str.split()`: the maximal runs without whitespace. */
export function splitSpace(text: string): string[] {
  return text.match(spaceless) ?? []
}

/** Python's `str.lstrip(chars)`; `chars` is a set of characters. */
export function lstripChars(text: string, chars: string): string {
  const stripped = new Set(chars)
  let start = 0
  for (const char of text) {
    if (!stripped.has(char)) break
    start += char.length
  }
  return text.slice(start)
}

/** Python's `str.rstrip(chars)`. */
export function rstripChars(text: string, chars: string): string {
  const stripped = new Set(chars)
  let end = text.length
  while (end > 0) {
    const char = charBefore(text, end)
    if (!stripped.has(char)) break
    end -= char.length
  }
  return text.slice(0, end)
}

/** Python's `str.strip(chars)`. */
export function stripChars(text: string, chars: string): string {
  return lstripChars(rstripChars(text, chars), chars)
}

/** Python's `text.translate(str.maketrans('', '', chars))`: the text without these characters. */
export function removeChars(text: string, chars: string): string {
  const removed = new Set(chars)
  let kept = ''
  for (const char of text) if (!removed.has(char)) kept += char
  return kept
}

/** Python's `str.isupper()`: at least one cased character, and none in lower or title case. */
export function isUpper(text: string): boolean {
  const known = text.replace(newer, standIn)
  return upper.test(known) && !lowercase.test(known) && !title.test(known)
}

/** Python's `str.islower()`: at least one cased character, and none in upper or title case. */
export function isLower(text: string): boolean {
  const known = text.replace(newer, standIn)
  return lowercase.test(known) && !upper.test(known) && !title.test(known)
}

/** Python's `str.isalpha()` of one character. */
export function isAlpha(char: string): boolean {
  return alpha.test(char) && isPrintable(char.codePointAt(0)!)
}

/** Python's `str.isalnum()` of one character. */
export function isAlnum(char: string): boolean {
  return alnum.test(char) && isPrintable(char.codePointAt(0)!)
}

/** Python's `str.isdigit()` of one character: decimal digits of any script, and superscript, circled and the like. */
export function isDigit(char: string): boolean {
  return digit.test(char) && isPrintable(char.codePointAt(0)!)
}

/** Python's `re.findall(r'\w+', text)`. */
export function wordRuns(text: string): string[] {
  return text.replace(newer, standIn).match(words) ?? []
}

/** Python's `text.count(part)`: occurrences that do not overlap; an empty part is found around every character. */
export function countOf(text: string, part: string): number {
  if (part === '') return codePoints(text).length + 1
  let count = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++
  return count
}

/** Whether `re.search(r'\b' + re.escape(word) + r'\b', text)` finds something in Python. */
export function hasWord(text: string, word: string, options: { ignoreCase?: boolean } = {}): boolean {
  const within = options.ignoreCase ? foldCase(text) : text
  const part = options.ignoreCase ? foldCase(word) : word
  for (let from = 0; from <= text.length; ) {
    const at = within.indexOf(part, from)
    if (at < 0) return false
    if (isBoundary(text, at) && isBoundary(text, at + part.length)) return true
    from = at + 1
  }
  return false
}

/** Two texts of one length match under Python's `re.IGNORECASE` just when this makes them the same text. Keeps the length. */
export function foldCase(text: string): string {
  return lower(text.replaceAll('\u0130', 'i')).replace(beyondAscii, foldChar)
}

/** Lower-case letters of one capital are one letter to Python (s and long s, i and dotless i, both sigmas). */
function foldChar(char: string): string {
  const twin = twins.get(char)
  if (twin) return twin
  if (!isPrintable(char.codePointAt(0)!)) return char
  const capital = char.toUpperCase()
  const folded = capital.length === char.length ? capital.toLowerCase() : char
  return folded.length === char.length ? folded : char
}

/** Python's `\b` at this index. */
function isBoundary(text: string, at: number): boolean {
  const next = text.codePointAt(at)
  return isWord.test(charBefore(text, at)) !== (next !== undefined && isWord.test(String.fromCodePoint(next)))
}

/** The character that ends at this index; empty at the start. */
function charBefore(text: string, end: number): string {
  const pair = text.slice(Math.max(0, end - 2), end)
  return pair.length === 2 && pair.codePointAt(0)! > 0xffff ? pair : pair.slice(-1)
}

/** Decimal digits of any script as ASCII digits, other characters as they are. */
export function decimalDigits(text: string): string {
  return text.replace(beyondAscii, (char) => String(decimalOf(char.codePointAt(0)!) ?? char))
}

/** Python's `str.splitlines()`; with `ends`, `str.splitlines(keepends=True)`. */
export function splitLines(text: string, { ends = false } = {}): string[] {
  const lines: string[] = []
  let from = 0
  for (const { 0: end, index } of text.matchAll(lineEnd)) {
    lines.push(text.slice(from, index + (ends ? end.length : 0)))
    from = index + end.length
  }
  if (from < text.length) lines.push(text.slice(from))
  return lines
}

/** Python's `str.lower()`: letters that are newer than Unicode 15.0 stay as they are. */
export function lower(text: string): string {
  const held = text.match(newer)
  if (!held) return text.toLowerCase()
  return text
    .replace(newer, standIn)
    .toLowerCase()
    .replaceAll(standIn, () => held.shift() ?? standIn)
}
