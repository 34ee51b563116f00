import { isTerminal, type RunHead, type Tally } from '../contract/run.ts'
import type { EpisodeStatus, TaskStatus } from '../contract/task-upload.ts'
import type { TrialRecord } from '../contract/trial.ts'
import { uploadBenchmark } from './upload-data.ts'

/** Where a task stands, counted over its runs. `total` are episodes; `failed` were graded and are not right, `errors` could not be graded. */
export type TaskStanding = {
  status: TaskStatus
  total: number
  passed: number
  failed: number
  errors: number
  mean_reward: number | null
  started_at: string | null
  completed_at: string | null
}

const none = { right: 0, wrong: 0, failed: 0, score_sum: 0 }

/** The counts of a run of a task. */
export const episodesOf = (head: RunHead): Pick<Tally, keyof typeof none> => head.benchmarks[uploadBenchmark] ?? none

export const meanReward = ({ right, wrong, score_sum }: typeof none): number | null =>
  right + wrong === 0 ? null : score_sum / (right + wrong)

/** Read off the runs of a task, the newest first: what is open, else what became of the newest. Nothing of it is stored. */
export function taskStanding(heads: readonly RunHead[]): TaskStanding {
  const sums = heads.map(episodesOf).reduce<typeof none>(
    (sum, one) => ({
      right: sum.right + one.right,
      wrong: sum.wrong + one.wrong,
      failed: sum.failed + one.failed,
      score_sum: sum.score_sum + one.score_sum,
    }),
    none,
  )
  const open = heads.some(({ status }) => !isTerminal(status))
  const started = heads.flatMap(({ started_at }) => started_at ?? []).toSorted()
  const completed = heads.flatMap(({ completed_at }) => completed_at ?? []).toSorted()
  return {
    status: heads[0] === undefined ? 'pending' : open ? 'running' : endOf(heads[0]),
    total: heads.reduce((sum, { total }) => sum + total, 0),
    passed: sums.right,
    failed: sums.wrong,
    errors: sums.failed,
    mean_reward: meanReward(sums),
    started_at: started[0] ?? null,
    completed_at: open ? null : (completed.at(-1) ?? null),
  }
}

function endOf({ status }: RunHead): TaskStatus {
  if (status === 'canceled') return 'cancelled'
  return status === 'failed' ? 'failed' : 'completed'
}

/** How an episode ended: right is passed; who ran out of time and is not right is a timeout; what could not be graded is an error. */
export function episodeEnd({ outcome, flags, failure }: Pick<TrialRecord, 'outcome' | 'flags' | 'failure'>): EpisodeStatus {
  if (outcome === 'right') return 'passed'
  if (outcome === 'failed') return failure?.reason === 'timeout' ? 'timeout' : 'error'
  return flags.includes('agent_timeout') || flags.includes('verifier_timeout') ? 'timeout' : 'failed'
}
