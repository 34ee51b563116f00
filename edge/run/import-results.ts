import type { PackedRecord } from '#shared/contract/packed.ts'
import { isTerminal, type RunHead, type RunSpec } from '#shared/contract/run.ts'
import { briefOf } from '#shared/contract/trial.ts'
import type { LiveRun } from './live-run.ts'
import { noReport, toReport } from './run-records.ts'

/** A result as it was given elsewhere. `at_ms`: when that is told here, never before the one before it. */
export type ImportedResult = { record: PackedRecord; finished_at: string; at_ms: number }
/** Results of a run that was made elsewhere. `ended_ms`: it had ended then and this is all of it; null while more is to come. */
export type ImportedBatch = { started_ms: number; results: ImportedResult[]; ended_ms: number | null }

/** Why no command changes a run that was imported. */
export const importedRefusal = 'The run was imported: it was made elsewhere, and stays as it was read.'

/** How long what was begun waits for its rest: as long as artifacts that nobody names. */
const dayMs = 24 * 60 * 60_000

/**
 * Lets the results of an imported run in at the same core as those that agents report, with the times they were given at. Nothing of it leaves before the
 * last of it is here, and what is here already is passed by: an import that broke off is sent again from its beginning, or forgotten after a day.
 */
export function createImports(live: LiveRun) {
  const imported = () => live.rows.spec()?.imported
  const forgottenMs = (): number | null => (imported() && live.rows.watermark().head < 0 ? Date.parse(imported()!.at) + dayMs : null)
  return {
    /** Whether the rest of the run is still to come. */
    isHeldBack: (): boolean => imported() !== undefined && !isTerminal(live.head()!.status),
    /** When it is forgotten unless it reaches the record before that. */
    forgottenMs,
    /** Whether it was forgotten just now. */
    forget(nowMs: number): boolean {
      const due = (forgottenMs() ?? Number.POSITIVE_INFINITY) <= nowMs
      if (due) live.forget()
      return due
    },
    takeIn(spec: RunSpec, { started_ms, results, ended_ms }: ImportedBatch): RunHead {
      if (!live.head()) live.plan(spec)
      live.run({ type: 'import', results: [] }, noReport, started_ms)
      for (const { record, finished_at, at_ms } of results)
        live.run({ type: 'import', results: [briefOf(record)] }, { ...toReport([record], {}), finished_at }, at_ms)
      if (ended_ms !== null && !isTerminal(live.head()!.status)) live.run({ type: 'cancel' }, noReport, ended_ms)
      return live.head()!
    },
  }
}
