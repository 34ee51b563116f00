import type { Lease } from '#shared/contract/trial.ts'

/** Whose a sandbox is: an attempt at a trial of a run. */
export type SandboxTrial = Lease & { run_id: string }

/** Longer ones are cut: what stands before is what tells trials apart. */
const mostOfName = 120

/**
 * An attempt as the name of a thing on a machine, for whoever looks at that machine: the run's first eight characters, the trial's place in its
 * plan, the attempt, benchmark, item and epoch. Letters, digits, `_`, `.` and `-` only.
 */
export function trialName({ run_id, ordinal, attempt, benchmark, item_id, epoch }: SandboxTrial): string {
  const words = [run_id.slice(0, 8), `t${ordinal}`, `a${attempt}`, benchmark, `i${item_id}`, `e${epoch}`]
  return words
    .join('-')
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, mostOfName)
}
