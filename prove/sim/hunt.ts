import type { Mutant } from './mutants.ts'
import { playWorld } from './world.ts'

export type Find = { seed: number; breach: string }

/** Plays worlds with a planted bug until an invariant breaks; undefined when none of the seeds from 1 to `seeds` shows it. */
export function hunt(mutant: Mutant, seeds: number, events: number): Find | undefined {
  for (let seed = 1; seed <= seeds; seed++) {
    const [breach] = playWorld(seed, events, mutant).breaches
    if (breach !== undefined) return { seed, breach }
  }
  return undefined
}
