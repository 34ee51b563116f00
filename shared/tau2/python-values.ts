import { floatText, mostDigits } from '../python/number.ts'
import { valueRepr, valueText } from '../python/repr.ts'
import { type PythonJson, readPythonJson } from '../scorers/python-json-value.ts'

/** A value as Python would hold it: integers are `bigint`, floats `number`, dictionaries `Map`. */
export type PyValue = PythonJson

/** What Python's `json.dumps` is given: values, and records whose fields stand in the order of their model. */
export type Dumpable = PyValue | readonly Dumpable[] | { readonly [field: string]: Dumpable }

/** What a function raised; the message is `str(error)`. */
export class PythonError extends Error {}

/** The arguments of a call, in the order in which they were written; undefined where the text is no JSON object to Python. */
export function readArguments(text: string): Map<string, PyValue> | undefined {
  try {
    const value = readPythonJson(text, mostDigits)
    return value instanceof Map ? value : undefined
  } catch {
    return undefined
  }
}

/** `type(value).__name__` */
export function typeName(value: PyValue): string {
  if (value === null) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  if (value instanceof Map) return 'dict'
  return { boolean: 'bool', bigint: 'int', number: 'float', string: 'str' }[typeof value as 'boolean' | 'bigint' | 'number' | 'string']
}

export { valueRepr as pyRepr, valueText as pyStr }

/** `json.dumps(value)`: ASCII, a space behind commas and colons. */
export function dumps(value: Dumpable): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return jsonFloat(value)
  if (typeof value === 'string') return jsonString(value)
  if (Array.isArray(value)) return `[${value.map(dumps).join(', ')}]`
  const entries = value instanceof Map ? [...value] : Object.entries(value)
  return `{${entries.map(([key, entry]) => `${jsonString(key)}: ${dumps(entry)}`).join(', ')}}`
}

function jsonFloat(value: number): string {
  if (Number.isFinite(value)) return floatText(value)
  return Number.isNaN(value) ? 'NaN' : value < 0 ? '-Infinity' : 'Infinity'
}

const jsonString = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** `f"{value:.2f}"` of a float of at least 0: the exact value of the double, halves to the even neighbour. */
export function fixed2(value: number): string {
  if (!Number.isFinite(value)) return floatText(value)
  if (value >= 2 ** 53) return `${BigInt(value)}.00`
  // Only an odd number of eighths lies halfway between two hundredths.
  const eighths = value * 8
  if (!Number.isInteger(eighths)) return value.toFixed(2)
  const halves = BigInt(eighths) * 25n
  const hundredths = halves / 2n + (halves % 4n === 3n ? 1n : 0n)
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`
}

/** The value where it is a string; else what Python says when a method of strings is looked up on it. */
export function stringWith(value: PyValue, method: string): string {
  if (typeof value !== 'string') throw new PythonError(`'${typeName(value)}' object has no attribute '${method}'`)
  return value
}

/** What `dict.get(key)` wants of a key. */
export function hashable(value: PyValue): PyValue {
  if (Array.isArray(value) || value instanceof Map) throw new PythonError(`unhashable type: '${typeName(value)}'`)
  return value
}

/** A number as `value <= 0` and arithmetic see it; booleans count as 0 and 1. */
export function positiveAmount(value: PyValue, otherwise: string): number {
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'boolean')
    throw new PythonError(`'<=' not supported between instances of '${typeName(value)}' and 'int'`)
  if (Number(value) <= 0) throw new PythonError(otherwise)
  return Number(value)
}

/** The float that an integer becomes in arithmetic; Python refuses where a double cannot hold it. */
export function asFloat(value: PyValue, amount: number): number {
  if (typeof value === 'bigint' && !Number.isFinite(amount)) throw new PythonError('int too large to convert to float')
  return amount
}
