import { isTerminal, type RunSpec } from '#shared/contract/run.ts'
import type { RunRows } from './run-rows.ts'
import type { createViewers } from './viewers.ts'
import type { createWatchedTrials } from './watched-trials.ts'

/** Writes who may read the run into its plan and ends streams that not everybody may read any more. True where the fleet is to hear of it: the run changed and goes on. */
export function changeVisibility(
  visibility: RunSpec['visibility'],
  rows: Pick<RunRows, 'spec' | 'saveSpec' | 'head'>,
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
  const head = rows.head()
  return head !== undefined && !isTerminal(head.status)
}
