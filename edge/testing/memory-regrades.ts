import type { StoredRun } from '#db/store.ts'
import type { RunSpec } from '#shared/contract/run.ts'

/** Runs of the same owner that grade the episodes of this one again, newest first. */
export function regradesOf(
  { runs }: { runs: ReadonlyMap<string, StoredRun> },
  { run_id, owner_id }: Pick<RunSpec, 'run_id' | 'owner_id'>,
): StoredRun[] {
  return [...runs.values()].filter(({ spec }) => spec.owner_id === owner_id && spec.regrade?.run_id === run_id).toReversed()
}
