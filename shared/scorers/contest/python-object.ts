import { NotReadable } from './cursor.ts'
import { type NumberValue, other, toDouble, type Value } from './value.ts'

/**
 * What a piece of Python comes to under SymPy, as far as it decides what may be done with it: operators raise or not by these kinds. `digits` says whether
 * its text holds a digit. An expression is a symbol, one that can be compared (`plain`), or one that cannot (`complex`, `infinite`); a truth is SymPy's
 * (`known` where it is true or false, `relation` where Python cannot ask for it), a bool Python's own; `opaque` is a function, a class or the like.
 */
export type PythonObject =
  | { is: 'number'; type: NumberType; value: NumberValue; digits: boolean }
  | { is: 'expression'; type: 'symbol' | 'plain' | 'complex' | 'infinite'; digits: boolean }
  | { is: 'truth'; known: boolean | null; relation: boolean }
  | { is: 'bool'; value: boolean }
  | { is: 'sequence'; type: 'tuple' | 'list'; items: readonly PythonObject[] }
  | { is: 'text'; length: number }
  | { is: 'none' }
  | { is: 'opaque'; digits: boolean }

export type NumberType = 'integer' | 'rational' | 'float' | 'real'
export type PythonNumber = Extract<PythonObject, { is: 'number' }>

/** Where Python or SymPy raises. */
export function raised(): never {
  throw new NotReadable()
}

export const symbol = (name: string): PythonObject => ({ is: 'expression', type: 'symbol', digits: /\p{Nd}/u.test(name) })
export const expression = (type: 'plain' | 'complex' | 'infinite', digits = true): PythonObject => ({ is: 'expression', type, digits })
export const sequence = (type: 'tuple' | 'list', items: readonly PythonObject[]): PythonObject => ({ is: 'sequence', type, items })
export const bool = (value: boolean): PythonObject => ({ is: 'bool', value })
export const truth = (known: boolean | null, relation = false): PythonObject => ({ is: 'truth', known, relation })
export const none: PythonObject = { is: 'none' }
export const opaque: PythonObject = { is: 'opaque', digits: false }
/** A function of Python, whose text tells an address. */
export const addressed: PythonObject = { is: 'opaque', digits: true }

/** A number as SymPy types it: a float stays one, what comes out whole is an integer. */
export function number(value: NumberValue, isFloat = false, digits = true): PythonNumber {
  if (isFloat) return { is: 'number', type: 'float', value, digits }
  if (value.kind === 'exact') return { is: 'number', type: value.bottom === 1n ? 'integer' : 'rational', value, digits }
  return { is: 'number', type: 'real', value, digits }
}

/** A value that was computed; where it is no real number, what it is instead. */
export const computed = (value: Value, isFloat: boolean, instead: PythonObject): PythonObject =>
  value.kind === 'other' ? instead : number(value, isFloat)

/** Python's own booleans count as integers, but only beside integers. */
export function asInteger(a: PythonObject): PythonNumber | null {
  if (a.is === 'bool') return number({ kind: 'exact', top: a.value ? 1n : 0n, bottom: 1n })
  return a.is === 'number' && a.type === 'integer' ? a : null
}

export const isZero = (a: PythonObject): boolean => a.is === 'number' && toDouble(a.value) === 0

/** Whether Python takes an object for true; a relation cannot be asked. */
export function counts(a: PythonObject): boolean {
  switch (a.is) {
    case 'number':
      return !isZero(a)
    case 'truth':
      return a.relation ? raised() : a.known !== false
    case 'bool':
      return a.value
    case 'sequence':
      return a.items.length > 0
    case 'text':
      return a.length > 0
    case 'none':
      return false
    case 'expression':
    case 'opaque':
      return true
  }
}

function hasDigits(a: PythonObject, text: boolean): boolean {
  if (a.is === 'number' || a.is === 'expression' || a.is === 'opaque') return a.digits
  if (a.is === 'sequence') return a.items.some((item) => hasDigits(item, text))
  return text && (a.is === 'text' || (a.is === 'truth' && a.known === null))
}

/**
 * An object as an answer, `digits` being whether the formula holds any; null for Python's None, which is no answer. Of a list, remarks without a digit are
 * left out; `only` is the single answer that may be left.
 */
export function answerOf(a: PythonObject, digits: boolean): Value | null {
  if (a.is === 'none') return null
  if (a.is === 'number') return a.digits ? a.value : { ...other, digits: false, only: a.value }
  if (a.is !== 'sequence') return { ...other, digits: hasDigits(a, digits) }
  const answers = a.items.filter((item) => hasDigits(item, digits))
  const only = answers.length === 1 ? answers[0]! : null
  return { ...other, digits: answers.length > 0, ...(only?.is === 'number' ? { only: only.value } : {}) }
}
