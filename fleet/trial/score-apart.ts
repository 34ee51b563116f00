import type { Task } from '#shared/benchmarks/task.ts'
import type { TableName } from '#shared/contract/card.ts'
import { responseOf } from '#shared/contract/evidence/evidence.ts'
import type { DatasetEnv } from '../dataset/dataset-env.ts'
import { placeOf } from '../dataset/place.ts'
import type { Scoring } from './execute-trial.ts'

/** Answers of more characters are scored on a thread: the slowest checks take some 50 ms for 100 kB, and an item may ask several of them. */
export const longAnswer = 16_384
const deadlineMs = 60_000

/**
 * The scorer of a task, that holds up nothing else: short answers are scored at once, long ones on a thread, at most a minute. With tables every answer
 * goes there: to parse them takes up to a second, and a check that reads them takes longer than the way to the thread.
 */
export function scoreApart(task: Pick<Task, 'card' | 'score'>, tables: readonly TableName[], env: DatasetEnv): Scoring {
  return {
    score(item, evidence, profile, opened) {
      if (tables.length === 0 && (responseOf(evidence)?.length ?? 0) <= longAnswer) return task.score(item, evidence, profile, opened)
      const { target, metadata } = item
      const job = { benchmark: task.card.name, profile, item: { target, metadata }, evidence, tables, place: placeOf(env) }
      return env.heavy.run('score', job, { deadlineMs })
    },
  }
}
