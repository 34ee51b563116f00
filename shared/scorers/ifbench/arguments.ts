import type { Kwargs } from '../instructions/check.ts'

/** A number among an instruction's arguments; NaN, with which every comparison fails, where there is none. */
export function numberOf(kwargs: Kwargs, name: string): number {
  const value = kwargs[name]
  return typeof value === 'number' ? value : Number.NaN
}

/** A text among an instruction's arguments; empty where there is none. */
export function textOf(kwargs: Kwargs, name: string): string {
  const value = kwargs[name]
  return typeof value === 'string' ? value : ''
}
