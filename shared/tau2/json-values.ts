import { mostDigits } from '../python/number.ts'
import { NoPythonJson, type PythonJson, readPythonJson } from '../scorers/python-json-value.ts'

/** Python's `json.loads(text)`; undefined where it raises. */
export function loads(text: string): PythonJson | undefined {
  try {
    return readPythonJson(text, mostDigits)
  } catch (error) {
    if (error instanceof NoPythonJson) return undefined
    throw error
  }
}

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
