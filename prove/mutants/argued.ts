import type { Mutant } from './operators.ts'

/** A mutant that no test can tell from the code, or none should, with the reason. It is known by its text, so that lines may move. */
export type Argued = { path: string; before: string; after: string; because: string }

export const argued: readonly Argued[] = []

/** The argument for a mutant, if it has one. */
export function argumentFor({ path, before, after }: Mutant, known: readonly Argued[] = argued): Argued | undefined {
  return known.find((one) => one.path === path && one.before === before && one.after === after)
}
