import type { PlannedBenchmark, RunHead, Tally } from '../contract/run.ts'
import { cutNote } from '../metrics/cut-note.ts'
import { toolsNote } from './offers-tools.ts'

/** What stands beside the score of a benchmark where it says less than it seems to; null where nothing does. */
export function scoreWarning(tally: Tally, planned: PlannedBenchmark, { preflight }: Pick<RunHead, 'preflight'>): string | null {
  const notes = [toolsNote(preflight, planned), cutNote(tally, planned, preflight?.found?.context_length)].filter((note) => note !== null)
  return notes.length > 0 ? notes.join(' ') : null
}
