import { isTerminal } from '#shared/contract/run.ts'
import { type RunProgress, type Sum, sum } from '#shared/telemetry/run-progress.ts'
import type { Sql } from '../run/run-storage.ts'

/** What a service has counted, and how the runs that have not ended fare, as each told last. */
export type Measures = { totals: Sum[]; runs: Omit<RunProgress, 'sums' | 'work'>[] }

/** A run that said its last without being heard is not held for open longer than this. */
const staleMs = 60 * 60_000

const keyOf = ({ name, labels }: Sum): string => JSON.stringify([name, Object.entries(labels).sort()])

/**
 * Counters of the whole service, in rows that outlive the object. A run tells its whole sums and what they grew by is added, so a telling that
 * is repeated or lost counts nothing twice and little is missed: a run that is met half-way counts from there.
 */
export function openTallies(sql: Sql) {
  sql.exec('CREATE TABLE IF NOT EXISTS progress (run_id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID')
  sql.exec('CREATE TABLE IF NOT EXISTS total (series TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID')
  const runs = new Map<string, RunProgress & { at_ms: number }>()
  const totals = new Map<string, Sum>()
  for (const { run_id, body } of sql.exec<{ run_id: string; body: string }>('SELECT run_id, body FROM progress'))
    runs.set(run_id, JSON.parse(body) as RunProgress & { at_ms: number }) // written below, as are the totals
  for (const { series, body } of sql.exec<{ series: string; body: string }>('SELECT series, body FROM total'))
    totals.set(series, JSON.parse(body) as Sum)

  const add = (one: Sum): void => {
    if (!(one.value > 0)) return
    const key = keyOf(one)
    const total = { ...one, value: (totals.get(key)?.value ?? 0) + one.value }
    totals.set(key, total)
    sql.exec('INSERT OR REPLACE INTO total VALUES (?, ?)', key, JSON.stringify(total))
  }
  const forget = (run_id: string): void => {
    if (runs.delete(run_id)) sql.exec('DELETE FROM progress WHERE run_id = ?', run_id)
  }

  return {
    /** Adds what somebody counted. */
    count(sums: readonly Sum[]): void {
      for (const one of sums) add(one)
    },
    /** Takes in how a run goes. One that has ended is forgotten once all of it has left for the record. */
    tell(progress: RunProgress, at_ms: number): void {
      const { run_id, status, sums, drain_lag_ms } = progress
      const before = runs.get(run_id)
      const ended = isTerminal(status)
      if (before) {
        const known = new Map(before.sums.map((one) => [keyOf(one), one.value]))
        for (const one of sums) add({ ...one, value: one.value - (known.get(keyOf(one)) ?? 0) })
        if (ended && before.status !== status) add(sum('bench_runs_ended_total', { status: status as 'succeeded' }, 1)) // a terminal one
      }
      if (ended && drain_lag_ms === 0) return forget(run_id)
      const kept = { ...progress, at_ms }
      runs.set(run_id, kept)
      sql.exec('INSERT OR REPLACE INTO progress VALUES (?, ?)', run_id, JSON.stringify(kept))
    },
    /** What is left of a run, as it told last. */
    workOf: (run_id: string) => runs.get(run_id)?.work,
    /** States of the runs that have not ended, as they told last. */
    statuses: () => [...runs.values()].map(({ status }) => status),
    /** `isOpen` knows runs that may well be silent: those that are paused. */
    read(isOpen: (run_id: string) => boolean, nowMs: number): Measures {
      for (const { run_id, at_ms } of [...runs.values()]) if (!isOpen(run_id) && nowMs >= at_ms + staleMs) forget(run_id)
      return { totals: [...totals.values()], runs: [...runs.values()].map(({ sums: _s, at_ms: _a, work: _w, ...run }) => run) }
    },
  }
}
export type Tallies = ReturnType<typeof openTallies>
