/** Character classes of Python's `re` (str patterns), to be put between brackets of a regular expression with the `u` flag. */
export const pySpace = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
export const pyWord = '\\p{L}\\p{N}_'

const leading = new RegExp(`^[${pySpace}]+`, 'u')
const isSpace = new RegExp(`[${pySpace}]`, 'u')

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
