import { pythonRandom } from '#shared/random/python-random.ts'

/** Seeded choices. */
export type Draw = {
  /** An integer from 0 to `count` - 1. */
  below(count: number): number
  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
  /** `count` things, drawn one by one. */
  many<T>(count: number, one: (index: number) => T): T[]
  shuffled<T>(list: readonly T[]): T[]
}

export function seededDraw(seed: number): Draw {
  const random = pythonRandom(seed)
  const below = (count: number) => Math.floor(random.random() * count)
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (share) => random.random() < share,
    pick: (list) => list[below(list.length)]!,
    many: (count, one) => Array.from({ length: Math.max(0, count) }, (_, index) => one(index)),
    shuffled(list) {
      const copy = [...list]
      for (let at = copy.length - 1; at > 0; at--) {
        const other = below(at + 1)
        ;[copy[at], copy[other]] = [copy[other]!, copy[at]!]
      }
      return copy
    },
  }
}
