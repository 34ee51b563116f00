import type { Estimate } from '#shared/contract/api.ts'
import type { TaskRun } from '#shared/contract/task-upload.ts'
import { nothingScored } from '#shared/metrics/estimate.ts'
import { passAtKOf } from '#shared/metrics/pass-at-k.ts'
import { wilson } from '#shared/metrics/wilson.ts'

type Counts = Pick<TaskRun, 'passed' | 'failed'>

/**
 * Share of a run's graded episodes that got the whole reward, with the interval of the solver's own rate at this task: another episode is another
 * draw. Episodes that broke are neither.
 */
export function passRate({ passed, failed }: Counts): Estimate {
  const n = passed + failed
  if (n === 0) return nothingScored
  return { value: passed / n, ...wilson(passed / n, n), n, method: 'Wilson', target: 'expected' }
}

const shownKs = [2, 5, 10, 50]

/** Chance that at least one of k episodes passes, for the k that its graded episodes allow; nothing where rewards lie between 0 and 1: it is of yes and no. */
export function passAtKs({ passed, failed, mean_reward }: Counts & Pick<TaskRun, 'mean_reward'>): { k: number; share: number }[] {
  const n = passed + failed
  const partial = mean_reward !== null && Math.abs(mean_reward * n - passed) > 1e-6
  return n === 0 || partial ? [] : shownKs.filter((k) => k <= n).map((k) => ({ k, share: passAtKOf(n, passed, k) }))
}
