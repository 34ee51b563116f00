/** One string literal of a Python file, decoded. `next` is the offset behind its closing quote. */
export type PythonLiteral = {
  /** What Python would hold; the fields of an f-string stand as they are written. */
  value: string
  /** An f-string with its doubled braces kept; equals `value` elsewhere. */
  template: string
  bytes: boolean
  next: number
}

const prefix = /(?:[rR][fFbBtT]?|[fFbBtT][rR]?|[uU])?(?=['"])/y
const simple: Record<string, string> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\n': '',
}
const escapeSequence = /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g

/** The literal that starts at `at` (at its prefix or quote), or undefined when none does or it is not closed. Source: Python reference 2.4. */
export function readPythonLiteral(source: string, at: number): PythonLiteral | undefined {
  prefix.lastIndex = at
  const letters = prefix.exec(source)?.[0].toLowerCase()
  if (letters === undefined) return undefined
  const open = at + letters.length
  const mark = source[open] ?? ''
  const quote = source.startsWith(mark.repeat(3), open) ? mark.repeat(3) : mark
  const start = open + quote.length
  const formatted = letters.includes('f') || letters.includes('t')
  const raw = letters.includes('r')
  const end = formatted ? endOfTemplate(source, start, quote, raw) : endOfPlain(source, start, quote)
  if (end === undefined) return undefined
  const text = source.slice(start, end)
  const decode = raw ? (part: string) => part : decodeEscapes
  const value = formatted
    ? mapLiteralParts(text, raw, (part) => decode(part.replace(/\{\{|\}\}/g, (braces) => braces[0] ?? '')))
    : decode(text)
  const template = formatted ? mapLiteralParts(text, raw, decode) : value
  return { value, template, bytes: letters.includes('b'), next: end + quote.length }
}

function decodeEscapes(text: string): string {
  return text.replace(escapeSequence, (whole, octal, x, u, long, other) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
    const hex: string | undefined = x ?? u ?? long
    if (hex === undefined) return simple[other] ?? whole
    const point = Number.parseInt(hex, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
}

function endOfPlain(source: string, start: number, quote: string): number | undefined {
  for (let at = start; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source.startsWith(quote, at)) return at
    else if (source[at] === '\n' && quote.length === 1) return undefined
  }
  return undefined
}

function endOfTemplate(source: string, start: number, quote: string, raw: boolean): number | undefined {
  let at = start
  while (at < source.length) {
    if (source.startsWith(quote, at)) return at
    if (source[at] === '\n' && quote.length === 1) return undefined
    at = nextPart(source, at, raw).next
  }
  return undefined
}

/** One step through an f-string: a doubled brace, an escape, a whole replacement field, or one character. */
function nextPart(source: string, at: number, raw: boolean): { next: number; field: boolean } {
  if (source[at] === '\\' && !(source[at + 1] === '{' || source[at + 1] === '}')) {
    const named = raw ? null : /^\\N\{[^}\n]*\}/.exec(source.slice(at, at + 100))
    return { next: at + (named?.[0].length ?? 2), field: false }
  }
  if (source[at] !== '{') return { next: at + 1, field: false }
  if (source[at + 1] === '{') return { next: at + 2, field: false }
  const end = endOfField(source, at + 1)
  return end === undefined ? { next: at + 1, field: false } : { next: end, field: true }
}

/** Offset behind the `}` of a field whose expression starts at `start`; quotes in the expression may be those of the f-string (Python 3.12). */
function endOfField(source: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < source.length; at++) {
    const character = source[at] ?? ''
    if (character === "'" || character === '"') {
      const nested = readPythonLiteral(source, /[fF]/.test(source[at - 1] ?? '') ? at - 1 : at)
      if (nested === undefined) return undefined
      at = nested.next - 1
    } else if ('([{'.includes(character)) depth++
    else if (depth > 0 && ')]}'.includes(character)) depth--
    else if (character === '}') return at + 1
    else if (character === ':' && depth === 0) return endOfFormat(source, at + 1)
  }
  return undefined
}

function endOfFormat(source: string, start: number): number | undefined {
  for (let at = start; at < source.length && source[at] !== '\n'; at++) {
    if (source[at] === '}') return at + 1
    if (source[at] === '{') at = (endOfField(source, at + 1) ?? Number.POSITIVE_INFINITY) - 1
  }
  return undefined
}

function mapLiteralParts(text: string, raw: boolean, map: (part: string) => string): string {
  let result = ''
  let literal = ''
  for (let at = 0; at < text.length; ) {
    const { next, field } = nextPart(text, at, raw)
    if (field) {
      result += map(literal) + text.slice(at, next)
      literal = ''
    } else literal += text.slice(at, next)
    at = next
  }
  return result + map(literal)
}
