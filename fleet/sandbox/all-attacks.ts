import { type Attack, attacks } from './attacks.ts'
import { exhaustionAttacks } from './exhaustion-attacks.ts'
import { hiddenAttacks } from './hidden-attacks.ts'
import { kernelAttacks } from './kernel-attacks.ts'

/** Every attack that is a program, in the order of the table. */
export const allAttacks: readonly Attack[] = [...attacks, ...kernelAttacks, ...exhaustionAttacks, ...hiddenAttacks].sort(
  (a, b) => a.row - b.row,
)
