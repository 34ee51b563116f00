import { createHash } from 'node:crypto'
import type { Mutant } from './operators.ts'

const rank = (seed: string, { path, operator, before, after }: Mutant): string =>
  createHash('sha256').update([seed, path, operator, before, after].join('\0')).digest('hex')

/**
 * Chooses at least `most` mutants, or all there are, spread over files and operators: in turn each file gives its next one, those of the
 * operator it has given least of first. The order within a file rests on seed and text alone, so that a change elsewhere chooses the same.
 */
export function choose(candidates: readonly Mutant[], most: number, seed: string): Mutant[] {
  const byFile = Map.groupBy(candidates, ({ path }) => path)
  const queues = [...byFile.values()].map((mutants) => spread(mutants.toSorted((a, b) => (rank(seed, a) < rank(seed, b) ? -1 : 1))))
  // A long file gives more, though not in proportion: its turns come as often as the root of what it holds.
  const turns = queues.flatMap((queue) => queue.map((mutant, at) => ({ mutant, turn: (at + 1) / Math.sqrt(queue.length) })))
  const chosen = turns.sort((a, b) => a.turn - b.turn || (rank(seed, a.mutant) < rank(seed, b.mutant) ? -1 : 1)).slice(0, most)
  return chosen.map(({ mutant }) => mutant).sort((a, b) => (a.path === b.path ? a.start - b.start : a.path < b.path ? -1 : 1))
}

/** The same list with its operators in turn. */
function spread(mutants: readonly Mutant[]): Mutant[] {
  const seen = new Map<string, number>()
  return mutants
    .map((mutant, at) => {
      const round = seen.get(mutant.operator) ?? 0
      seen.set(mutant.operator, round + 1)
      return { mutant, round, at }
    })
    .sort((a, b) => a.round - b.round || a.at - b.at)
    .map(({ mutant }) => mutant)
}
