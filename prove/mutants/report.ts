import { type Argued, argumentFor } from './argued.ts'
import type { Mutant } from './operators.ts'

/** What became of a mutant: `by` is the test that found it; null when it survived. `slow`: the test did not fail, but did not end either. */
export type Fate = { mutant: Mutant; by: string | null; slow: boolean }

export const leastShare = 0.9

/** Survivors with their lines, tallies by file, and the share that was killed. `ok` when that is more than nine tenths, argued ones left out. */
export function report(fates: readonly Fate[], known?: readonly Argued[]): { text: string; ok: boolean } {
  const survivors = fates.filter(({ by }) => by === null)
  const open = survivors.filter(({ mutant }) => !argumentFor(mutant, known))
  const lines = open.flatMap(({ mutant: { path, line, operator, before, after } }) => [
    `${path}:${line}  ${operator}`,
    `  - ${before}`,
    `  + ${after}`,
  ])
  if (open.length > 0) lines.unshift('survived')
  const arguedOnes = survivors.filter(({ mutant }) => argumentFor(mutant, known))
  if (arguedOnes.length > 0) lines.push('survived, and argued')
  for (const { mutant } of arguedOnes)
    lines.push(
      `${mutant.path}:${mutant.line}  ${mutant.operator}: ${argumentFor(mutant, known)!.because}`,
      `  - ${mutant.before}`,
      `  + ${mutant.after}`,
    )
  for (const [path, group] of Map.groupBy(fates, ({ mutant }) => mutant.path))
    lines.push(`${path.padEnd(40)} ${String(group.filter(({ by }) => by !== null).length).padStart(3)} of ${group.length}`)
  const killed = fates.length - survivors.length
  const judged = killed + open.length
  const share = judged === 0 ? 0 : killed / judged
  lines.push(
    `${fates.length} mutants, ${killed} killed (${fates.filter(({ slow }) => slow).length} by time), ${open.length} survived, ${arguedOnes.length} argued: ${(100 * share).toFixed(1)} % killed`,
  )
  return { text: lines.join('\n'), ok: share > leastShare }
}
