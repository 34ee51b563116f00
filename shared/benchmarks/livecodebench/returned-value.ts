import * as z from 'zod'
import type { PythonJson } from '../../scorers/python-json-value.ts'

const Hex = z.string().regex(/^-?0x[0-9a-f]+$/)

/** Everything that is not JSON's own in a value that a function returned, as the runner writes it. */
const Tagged = z.union([
  /** An integer in hexadecimal. */
  z.strictObject({ i: Hex }),
  /** A float as Python shows it. */
  z.strictObject({ f: z.string().max(40) }),
  /** A fraction. */
  z.strictObject({ q: z.tuple([Hex, Hex]) }),
  /** The pairs of a dict. */
  z.strictObject({ d: z.array(z.tuple([z.unknown(), z.unknown()])) }),
  /** A numpy array of one element, or a number of numpy's. */
  z.strictObject({ a: z.unknown() }),
  /** The size of any other. */
  z.strictObject({ s: z.int().min(0) }),
])

/**
 * `returned == expected` as Python has it for a value of JSON on the right: numbers by value whatever their types, True and 1 alike, lists and
 * dicts by their elements. Null where Python raises, as it does for the truth of an array.
 */
export function sameValue(returned: unknown, expected: PythonJson): boolean | null {
  if (returned === null) return expected === null
  if (typeof returned === 'string') return returned === expected
  if (typeof returned === 'boolean') return sameNumber([BigInt(returned), 1n], expected)
  if (typeof returned === 'number') return Number.isSafeInteger(returned) && sameNumber([BigInt(returned), 1n], expected)
  if (Array.isArray(returned)) return Array.isArray(expected) && sameList(returned, expected)
  const { data } = Tagged.safeParse(returned)
  if (data === undefined) return false // a set, an object of a class of its own: nothing that equals JSON
  if ('s' in data) return data.s === 0 ? false : null
  if ('a' in data) return sameValue(data.a, onlyElement(expected))
  if ('d' in data) return expected instanceof Map && sameDict(data.d, expected)
  if ('f' in data) return sameNumber(exact(floatOf(data.f)), expected)
  return sameNumber('i' in data ? [integer(data.i), 1n] : [integer(data.q[0]), integer(data.q[1])], expected)
}

function sameList(returned: readonly unknown[], expected: readonly PythonJson[]): boolean | null {
  if (returned.length !== expected.length) return false
  for (const [index, one] of returned.entries()) {
    const same = sameValue(one, expected[index]!)
    if (same !== true) return same
  }
  return true
}

function sameDict(pairs: readonly (readonly [unknown, unknown])[], expected: ReadonlyMap<string, PythonJson>): boolean | null {
  if (pairs.length !== expected.size) return false
  for (const [key, one] of pairs) {
    if (typeof key !== 'string' || !expected.has(key)) return false
    const same = sameValue(one, expected.get(key)!)
    if (same !== true) return same
  }
  return true
}

/** numpy compares one element, alone or in an array, with whatever holds one element. */
function onlyElement(value: PythonJson): PythonJson {
  return Array.isArray(value) && value.length === 1 ? onlyElement(value[0]!) : value
}

/** A number as a fraction; infinities and NaN as themselves. */
type Exact = readonly [bigint, bigint] | number

function sameNumber(a: Exact, expected: PythonJson): boolean {
  if (typeof expected !== 'bigint' && typeof expected !== 'number' && typeof expected !== 'boolean') return false
  const b = typeof expected === 'number' ? exact(expected) : ([BigInt(expected), 1n] as const)
  return typeof a === 'number' || typeof b === 'number' ? a === b : a[0] * b[1] === b[0] * a[1]
}

function exact(float: number): Exact {
  if (!Number.isFinite(float)) return float
  let [top, bottom] = [float, 1n]
  while (!Number.isInteger(top)) {
    top *= 2
    bottom *= 2n
  }
  return [BigInt(top), bottom]
}

const integer = (text: string): bigint => (text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text))

/** Python's `inf` and `nan`, JavaScript's `Infinity` and `NaN`, and numbers, which both write alike. */
function floatOf(text: string): number {
  const infinite = /^(-?)inf/i.exec(text)
  return infinite ? Number(`${infinite[1]}Infinity`) : Number(text)
}

/** A returned value for people, at most so many characters. */
export function returnedText(value: unknown, chars: number): string {
  const text = JSON.stringify(value, (_key, one: unknown) => {
    const { data } = typeof one === 'object' && !Array.isArray(one) ? Tagged.safeParse(one) : {}
    return data && 'f' in data ? data.f : one
  })
  return text.slice(0, chars)
}
