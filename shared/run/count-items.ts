import type { ItemCounts } from '../contract/item-rows.ts'
import type { TrialOutcome } from '../contract/trial.ts'

/** How many trials share an outcome, a failure and a set of flags. */
export type ItemGroup = { outcome: TrialOutcome; failure: string | null; flags: readonly string[]; count: number }

type Chosen = { outcome?: TrialOutcome | undefined; flag?: string | undefined; failure?: string | undefined }

/** Tells whether a trial has all flags of a comma-separated filter. */
export const hasFlags = (flags: readonly string[], filter: string | undefined): boolean =>
  filter === undefined || filter.split(',').every((flag) => flags.includes(flag))

/**
 * The length of a list and the counts beside its filters. A count says how many trials its chip would show: it obeys every chosen filter but
 * those of its own kind. The count of a flag includes only trials with all chosen flags.
 */
export function countItems(groups: Iterable<ItemGroup>, chosen: Chosen): { total: number; counts: ItemCounts } {
  const counts: ItemCounts = { outcomes: { right: 0, wrong: 0, failed: 0 }, flags: {}, failures: {} }
  let total = 0
  for (const { outcome, failure, flags, count } of groups) {
    const fits = {
      outcome: chosen.outcome === undefined || chosen.outcome === outcome,
      flag: hasFlags(flags, chosen.flag),
      failure: chosen.failure === undefined || chosen.failure === failure,
    }
    if (fits.outcome && fits.flag && fits.failure) total += count
    if (fits.flag && fits.failure) counts.outcomes[outcome] += count
    if (fits.outcome && fits.flag && fits.failure) for (const flag of new Set(flags)) counts.flags[flag] = (counts.flags[flag] ?? 0) + count
    if (fits.outcome && fits.flag && failure !== null) counts.failures[failure] = (counts.failures[failure] ?? 0) + count
  }
  return { total, counts }
}
