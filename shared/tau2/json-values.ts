import { NoPythonJson, type PythonJson, readPythonJson } from '../scorers/python-json-value.ts'
import { pythonFloatText } from '../terminus/python-number.ts'

/** More digits make CPython refuse an integer. */
const mostDigits = 4300

/** Python's `json.loads(text)`; undefined where it raises. */
export function loads(text: string): PythonJson | undefined {
  try {
    return readPythonJson(text, mostDigits)
  } catch (error) {
    if (error instanceof NoPythonJson) return undefined
    throw error
  }
}

const named: Record<string, string> = { nan: 'NaN', inf: 'Infinity', '-inf': '-Infinity' }

/** Python's `json.dumps(value)`: a space after `,` and `:`, other than ASCII escaped, floats told from integers. */
export function dumps(value: PythonJson): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return named[pythonFloatText(value)] ?? pythonFloatText(value)
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(dumps).join(', ')}]`
  return `{${[...value].map(([key, one]) => `${quoted(key)}: ${dumps(one)}`).join(', ')}}`
}

const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[\x7f-\uffff]/g, (unit) =>
    unit === '\x7f' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const isNumber = (value: PythonJson): value is boolean | bigint | number =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'

/** Python's `a == b` for what JSON can hold: 2 equals 2.0, and true equals 1. */
export function equal(a: PythonJson, b: PythonJson): boolean {
  if (isNumber(a) && isNumber(b)) {
    const [left, right] = [a, b].map((one) => (typeof one === 'boolean' ? BigInt(one) : one)) as [bigint | number, bigint | number] // of two, two
    // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number are compared by value only so
    return left == right
  }
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, index) => equal(one, b[index]!))
  if (a instanceof Map && b instanceof Map) return a.size === b.size && [...a].every(([key, one]) => b.has(key) && equal(one, b.get(key)!))
  return a === b
}
