import type { Change } from '../contract/evidence/dialogue.ts'
import { parties } from '../contract/evidence/dialogue.ts'
import type { WorldState } from './world.ts'

type Json = Change['before']

/** What differs between two states of a world, value by value, so that a record need not hold its data bases. */
export function changesBetween(before: WorldState, after: WorldState): Change[] {
  return parties.flatMap((party) => [...differences(before[party] as Json, after[party] as Json, '')].map((one) => ({ party, ...one }))) // a state's data bases are JSON values
}

function* differences(before: Json, after: Json, path: string): Generator<Omit<Change, 'party'>> {
  if (isBranch(before) && isBranch(after) && Array.isArray(before) === Array.isArray(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)])
    for (const key of keys) yield* differences(child(before, key), child(after, key), path === '' ? key : `${path}.${key}`)
  } else if (JSON.stringify(before) !== JSON.stringify(after)) yield { path, before, after }
}

const isBranch = (value: Json): value is Json[] | { [key: string]: Json } => typeof value === 'object' && value !== null
const child = (value: Json[] | { [key: string]: Json }, key: string): Json =>
  Object.hasOwn(value, key) ? (value as { [key: string]: Json })[key]! : null // an array is an object of its indices
