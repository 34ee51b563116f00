import type { Run } from '#shared/contract/api.ts'
import { isTerminal, type RunStatus } from '#shared/contract/run.ts'

/** Whether a run has episodes whose hand-over its owner may have graded again: it worked at machines, here, and has ended. */
export function mayRegrade({ mine, spec, labels }: Pick<Run, 'mine' | 'spec' | 'labels'>, status: RunStatus): boolean {
  return mine && isTerminal(status) && !spec.regrade && !labels.includes('imported') && workedAtMachines(spec)
}

/** Whether a benchmark of the run is one of terminal tasks. */
export const workedAtMachines = ({ benchmarks }: Pick<Run['spec'], 'benchmarks'>): boolean =>
  benchmarks.some(({ needs }) => needs?.sandbox?.kinds.includes('machine'))
