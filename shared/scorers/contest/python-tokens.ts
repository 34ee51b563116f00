import { NotReadable } from './cursor.ts'

/** Python's keywords, none of which can be a name. */
export const keywords: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda ' +
    'nonlocal not or pass raise return try while with yield'
  ).split(' '),
)

const token =
  /[ \t\f\r]*(?:((?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d+)?)|([a-zA-Z_\x80-\u{10ffff}][\w\x80-\u{10ffff}]*)|(\*\*|\/\/|<<|>>|<=|>=|==|!=|!|\.\.\.|[-+*/%@&|~<>()[\]{},.:])|('[^']*'|"[^"]*"))/uy

/** The tokens of a line of Python, as its `tokenize` cuts it: every sign beyond ASCII may stand in a name; given up at a sign or a number that Python does not take. */
export function pythonTokens(text: string): string[] {
  const found: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    if (/^[ \t\f\r]*(?:#|$)/.test(text.slice(at))) break // a comment
    const match = token.exec(text)
    if (!match) throw new NotReadable()
    if (match[1] !== undefined && /^0+[1-9]\d*$/.test(match[1].replaceAll('_', ''))) throw new NotReadable() // octal of old
    found.push(match[0].trim())
  }
  return found
}

export const isName = (token: string): boolean => /^[a-zA-Z_\x80-\u{10ffff}]/u.test(token) && !keywords.has(token)
export const isText = (token: string): boolean => /^['"]/.test(token)
export const isNumber = (token: string): boolean => /^\.?\d/.test(token)
