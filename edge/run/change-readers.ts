import { isTerminal, type RunSpec } from '#shared/contract/run.ts'
import type { RunRows } from './run-rows.ts'
import type { createViewers } from './viewers.ts'
import type { createWatchedTrials } from './watched-trials.ts'

/** How the readers of a run change: by its visibility, or because its team has lost a member. */
export type ReadersChange = RunSpec['visibility'] | 'members'

/**
 * Writes the visibility into the plan and ends the streams of readers who lost access. Returns true if
 * the fleet needs the change: the visibility of an open run is another one.
 */
export function changeReaders(
  change: ReadersChange,
  rows: Pick<RunRows, 'spec' | 'saveSpec' | 'head'>,
  viewers: Pick<ReturnType<typeof createViewers>, 'endAll' | 'endStrangers'>,
  watched: Pick<ReturnType<typeof createWatchedTrials>, 'endAll'>,
): boolean {
  const spec = rows.spec()
  if (!spec || spec.visibility === change) return false
  if (change === 'members') viewers.endAll()
  if (change === 'private') viewers.endStrangers()
  if (change === 'members' || change === 'private') watched.endAll()
  if (change === 'members') return false
  rows.saveSpec({ ...spec, visibility: change })
  const head = rows.head()
  return head !== undefined && !isTerminal(head.status)
}
