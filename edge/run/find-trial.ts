import type { UnderWay } from '#shared/contract/live.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import { trialCount } from '#shared/run/plan.ts'
import type { Sql } from './run-storage.ts'

/** A trial by the names of its item. */
export type TrialName = { benchmark: string; item_id: string; epoch: number }

/** The place of a trial in the run's order; undefined for one that the run does not have, or has put away because it ended. */
export function findOrdinal(sql: Sql, { benchmarks }: RunSpec, { benchmark, item_id, epoch }: TrialName): number | undefined {
  const at = benchmarks.findIndex(({ name }) => name === benchmark)
  const planned = benchmarks[at]
  if (!planned || epoch >= planned.epochs) return undefined
  const from = benchmarks.slice(0, at).reduce((sum, before) => sum + trialCount(before), 0) + epoch * planned.sampled_items
  const query = 'SELECT ordinal FROM trial WHERE ordinal >= ? AND ordinal < ? AND item_id = ?'
  return sql.exec<{ ordinal: number }>(query, from, from + planned.sampled_items, item_id).toArray()[0]?.ordinal
}

/** Trials that agents have now, at most so many, those that have waited longest first: agents begin them in this order. */
export function listUnderWay(sql: Sql, most: number): UnderWay['trials'] {
  const query = 'SELECT benchmark, item_id, epoch, attempt FROM trial WHERE state = 1 ORDER BY ordinal LIMIT ?'
  return sql.exec<UnderWay['trials'][number]>(query, most).toArray()
}
