import { pyWord } from '../../python/text.ts'
import { unprintableClass } from '../../python/unicode.ts'
import { NotReadable } from './cursor.ts'

/** Python's keywords, none of which can be a name. */
export const keywords: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda ' +
    'nonlocal not or pass raise return try while with yield'
  ).split(' '),
)

/** Letters and numerals of `ID_Start` that are not of `XID_Start`, a property that regular expressions of JavaScript do not know. */
const noStart = '\\u037a\\u0e33\\u0eb3\\ufc5e-\\ufc63\\ufdfa\\ufdfb\\ufe70\\ufe72\\ufe74\\ufe76\\ufe78\\ufe7a\\ufe7c\\ufe7e\\uff9e\\uff9f'
const named = `(?![${noStart}])(?=[\\p{ID_Start}_])(?:(?![${unprintableClass}])[${pyWord}])+`
const nameStart = new RegExp(`^${named}`, 'u')
const number = '(?:\\d(?:_?\\d)*\\.?(?:\\d(?:_?\\d)*)?|\\.\\d(?:_?\\d)*)(?:[eE][+-]?\\d+)?'
const operator = '\\*\\*|//|<<|>>|<=|>=|==|!=|!|\\.\\.\\.|[-+*/%@&|~<>()[\\]{},.:]'
const token = new RegExp(`[ \\t\\f\\r]*(?:(${number})|(${named})|(?:${operator})|'[^']*'|"[^"]*")`, 'uy')

/**
 * The tokens of a line of Python, as the `tokenize` of Python before 3.12 cuts it: given up at a sign or a number that Python does not take. Since 3.12
 * it takes a name for anything beyond ASCII, so that SymPy makes a symbol of `≈70`.
 */
export function pythonTokens(text: string): string[] {
  const found: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    if (/^[ \t\f\r]*(?:#|$)/.test(text.slice(at))) break // a comment
    const match = token.exec(text)
    if (!match) throw new NotReadable()
    if (match[1] !== undefined && /^0+[1-9]\d*$/.test(match[1].replaceAll('_', ''))) throw new NotReadable() // octal of old
    found.push(match[0].replace(/^[ \t\f\r]+/, ''))
  }
  return found
}

export const isName = (token: string): boolean => nameStart.test(token) && !keywords.has(token)
export const isText = (token: string): boolean => /^['"]/.test(token)
export const isNumber = (token: string): boolean => /^\.?\d/.test(token)
