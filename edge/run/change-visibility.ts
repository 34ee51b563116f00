import type { RunSpec } from '#shared/contract/run.ts'
import type { RunRows } from './run-rows.ts'
import type { createViewers } from './viewers.ts'
import type { createWatchedTrials } from './watched-trials.ts'

/** Writes who may read the run into its plan and ends streams that not everybody may read any more. False where nothing changes. */
export function changeVisibility(
  visibility: RunSpec['visibility'],
  rows: Pick<RunRows, 'spec' | 'saveSpec'>,
  viewers: Pick<ReturnType<typeof createViewers>, 'endStrangers'>,
  watched: Pick<ReturnType<typeof createWatchedTrials>, 'endAll'>,
): boolean {
  const spec = rows.spec()
  if (!spec || spec.visibility === visibility) return false
  rows.saveSpec({ ...spec, visibility })
  if (visibility === 'private') {
    viewers.endStrangers()
    watched.endAll()
  }
  return true
}
