import { floatText, mostDigits } from '../../python/number.ts'
import { valueText } from '../../python/repr.ts'
import { lower } from '../../python/text.ts'
import { NoPythonJson, type PythonJson, readPythonJson } from '../../scorers/python-json-value.ts'
import { holds, type Version } from './phrases.ts'

/** A call as the model made it; `arguments` is the text it wrote. */
export type Called = { function: string | null; arguments: string }
export type Expected = { function: string; arguments: Readonly<Record<string, string | number | boolean>> }

/** The arguments of a call; none where they are no JSON object. */
export function argumentsOf(text: string): Map<string, PythonJson> {
  try {
    const value = readPythonJson(text, mostDigits)
    return value instanceof Map ? value : new Map()
  } catch (error) {
    if (error instanceof NoPythonJson) return new Map()
    throw error
  }
}

/**
 * One call against the expected one: 0 for another function, 0.3 where an argument is missing, 0.6 where a value is wrong, 0.9 where there are arguments too many
 * and none are allowed, else 1. Official values: a text is found in the given one, in any case; of a text and something else either is found in the
 * other. `v2`: texts are whole words, and of a text and a number the text is that number.
 */
export function callScore(expected: Expected, call: Called | undefined, extraAllowed: boolean, version: Version): number {
  if (!call || call.function !== expected.function) return 0
  const given = argumentsOf(call.arguments)
  const wanted = Object.entries(expected.arguments)
  if (wanted.some(([name]) => !given.has(name))) return 0.3
  if (wanted.some(([name, value]) => !agrees(value, given.get(name)!, version))) return 0.6
  const names = new Set(wanted.map(([name]) => name))
  return !extraAllowed && [...given.keys()].some((name) => !names.has(name)) ? 0.9 : 1
}

function agrees(wanted: string | number | boolean, given: PythonJson, version: Version): boolean {
  if (equals(wanted, given)) return true
  if (typeof wanted === 'string' && typeof given === 'string') return holds(given, wanted, version)
  if (typeof wanted !== 'string' && typeof given !== 'string') return false
  const [one, other] = [lower(wordOf(wanted)), lower(valueText(given))]
  if (version === 'v1') return other.includes(one) || one.includes(other)
  return one.trim() === other.trim() || (one.trim() !== '' && other.trim() !== '' && Number(one) === Number(other))
}

/** Python's `==`: true is 1, and 1 is 1.0. */
function equals(wanted: string | number | boolean, given: PythonJson): boolean {
  if (typeof wanted === 'string' || typeof given === 'string') return wanted === given
  const numeric = typeof given === 'number' || typeof given === 'bigint' || typeof given === 'boolean'
  return numeric && Number(wanted) === Number(given)
}

/** Python's `str` of an expected value, in which a whole number is an `int`. */
function wordOf(value: string | number | boolean): string {
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : floatText(value)
  return valueText(value)
}
