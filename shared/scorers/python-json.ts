/** More digits make CPython 3.11 refuse an integer (`sys.int_info.default_max_str_digits`). */
const longestInteger = 4300
/** Deeper nesting ends in a RecursionError in Python; measured from eight calls deep, as the checkers are. */
const deepestNesting = 986
const token = /["[\]{}]|NaN|-?Infinity|-?(\d+)(\.\d+)?([eE][-+]?\d+)?/g

/** Whether Python's `json.loads(text)` succeeds: JSON, and also NaN, Infinity and -Infinity. */
export function isPythonJson(text: string): boolean {
  const json = withoutConstants(text)
  if (json === null) return false
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}

/** The text with null for the constants that only Python knows; null when Python refuses it for its nesting, an integer or an open string. */
function withoutConstants(text: string): string | null {
  let json = ''
  let copied = 0
  let depth = 0
  token.lastIndex = 0
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [matched, digits, fraction, exponent] = found
    if (matched === '"') {
      const end = stringEnd(text, token.lastIndex)
      if (end > text.length) return null
      token.lastIndex = end
    } else if (matched === '[' || matched === '{') {
      if (++depth > deepestNesting) return null
    } else if (matched === ']' || matched === '}') depth--
    else if (digits === undefined) {
      json += `${text.slice(copied, found.index)}null`
      copied = token.lastIndex
    } else if (digits.length > longestInteger && !fraction && !exponent) return null
  }
  return json + text.slice(copied)
}

/** Index after the quote that closes a string; beyond the end of the text when there is none. */
function stringEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}
