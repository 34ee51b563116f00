import { floatText } from './number.ts'
import { isPrintable } from './unicode.ts'

/** A value as Python holds it: integers are `bigint`, floats `number`, dictionaries `Map`. */
export type PythonValue = null | boolean | bigint | number | string | readonly PythonValue[] | ReadonlyMap<string, PythonValue>

const named: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** CPython's `repr(str)`: single quotes unless only those occur in it, and an escape for each character that `str.isprintable` refuses. */
export function stringRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  let shown = ''
  for (const char of text) {
    const code = char.codePointAt(0)!
    if (char === quote) shown += `\\${char}`
    else shown += named[char] ?? (isPrintable(code) ? char : escapeOf(code))
  }
  return quote + shown + quote
}

function escapeOf(code: number): string {
  const digits = code.toString(16)
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`
}

/** CPython's `repr(value)`. */
export function valueRepr(value: PythonValue): string {
  if (value === null) return 'None'
  if (typeof value === 'string') return stringRepr(value)
  if (typeof value === 'number') return floatText(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Map) return `{${[...value].map(([key, entry]) => `${stringRepr(key)}: ${valueRepr(entry)}`).join(', ')}}`
  return `[${(value as readonly PythonValue[]).map(valueRepr).join(', ')}]`
}

/** CPython's `str(value)`. */
export const valueText = (value: PythonValue): string => (typeof value === 'string' ? value : valueRepr(value))
