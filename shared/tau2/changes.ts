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
    for (const key of keys) {
      const [was, is] = [child(before, key), child(after, key)]
      const name = Array.isArray(after) ? (idOf(is) ?? idOf(was) ?? key) : key
      yield* differences(was, is, path === '' ? name : `${path}.${name}`)
    }
  } else if (JSON.stringify(before) !== JSON.stringify(after)) yield { path, before, after }
}

const isBranch = (value: Json): value is Json[] | { [key: string]: Json } => typeof value === 'object' && value !== null
const child = (value: Json[] | { [key: string]: Json }, key: string): Json =>
  Object.hasOwn(value, key) ? (value as { [key: string]: Json })[key]! : null // an array is an object of its indices

/** By what people know an entry of a list: its own id, which stands first in it. */
function idOf(entry: Json): string | null {
  const [first] = isBranch(entry) ? Object.entries(entry) : []
  return first?.[0].endsWith('_id') && typeof first[1] === 'string' ? first[1] : null
}
