import type { Forecast } from '#shared/contract/forecast.ts'
import type { MatchAgent, MatchRun } from '#shared/run/match/fleet.ts'
import { forecastRuns, type Work } from '#shared/run/match/forecast.ts'
import type { Pace } from '#shared/run/pace.ts'
import type { RunProgress, RunWork } from '#shared/telemetry/run-progress.ts'
import type { Sql } from '../run/run-storage.ts'

/** A forecast is asked for by every page and list: it is made anew at most once in so many milliseconds. */
const freshMs = 5000
/** Paces of ended runs that are kept: the newest. */
const mostPaces = 2000
/** Trials after which a pace says something of the next run. */
const enoughTrials = 5

type Told = RunWork['benchmarks'][number]
type Queue = { runs: readonly MatchRun[]; agents: readonly MatchAgent[]; hasSlots(run_id: string): boolean }

const keyOf = (model: string, { name, profile }: Pick<Told, 'name' | 'profile'>): string => JSON.stringify([model, name, profile])

/** When runs start and end, from what each told of its pace; before a run is measured, from the last run of the same model and benchmark. */
export function openForecasts(sql: Sql) {
  sql.exec('CREATE TABLE IF NOT EXISTS pace (key TEXT PRIMARY KEY, body TEXT NOT NULL, at_ms INTEGER NOT NULL) WITHOUT ROWID')
  let made: { at_ms: number; of: Map<string, Forecast> } | undefined
  const find = (key: string): Pace | null => {
    const row = sql.exec<{ body: string }>('SELECT body FROM pace WHERE key = ?', key).toArray()[0]
    return row ? (JSON.parse(row.body) as Pace) : null // written by `keep`
  }
  return {
    /** Keeps how fast a run was when it stops. */
    tell({ status, work }: RunProgress, nowMs: number): void {
      if (status === 'running' || status === 'queued' || !work) return
      for (const one of work.benchmarks) {
        if (!one.pace || one.pace.trials < enoughTrials) continue
        sql.exec('INSERT OR REPLACE INTO pace VALUES (?, ?, ?)', keyOf(work.model, one), JSON.stringify(one.pace), nowMs)
      }
      sql.exec('DELETE FROM pace WHERE key NOT IN (SELECT key FROM pace ORDER BY at_ms DESC LIMIT ?)', mostPaces)
    },
    /** The forecast of every run that has work, by id. `workOf` says what a run told last. */
    make({ runs, agents, hasSlots }: Queue, workOf: (run_id: string) => RunWork | undefined, nowMs: number): Map<string, Forecast> {
      if (made && nowMs < made.at_ms + freshMs) return made.of
      const earlier = new Map<string, Pace | null>()
      const before = (key: string): Pace | null => {
        if (!earlier.has(key)) earlier.set(key, find(key))
        return earlier.get(key)!
      }
      const work = ({ run_id }: MatchRun, benchmark: string): Work => {
        const told = workOf(run_id)
        const one = told?.benchmarks.find(({ name }) => name === benchmark)
        if (!told || !one) return { open: 1, pace: null } // it has not said how much it has
        return { open: one.open, pace: one.pace ?? before(keyOf(told.model, one)) }
      }
      const busy = runs.filter(({ parts }) => parts.some(({ open }) => open > 0))
      const expected = forecastRuns(busy, agents, work, hasSlots)
      const waiting = busy.filter(({ run_id }) => !hasSlots(run_id)).sort(bySeniority)
      const places = new Map(waiting.map(({ run_id }, at) => [run_id, at + 1]))
      const moment = (seconds: number | null): string | null => (seconds === null ? null : new Date(nowMs + seconds * 1000).toISOString())
      const of = new Map(
        busy.map(({ run_id }): [string, Forecast] => {
          const { starts_s, ends_s, unknown } = expected.get(run_id)!
          const position = places.get(run_id) ?? null
          const starts_at = position === null ? null : moment(starts_s)
          return [run_id, { position, waiting: waiting.length, starts_at, ends_at: moment(ends_s), unknown }]
        }),
      )
      made = { at_ms: nowMs, of }
      return of
    },
  }
}
export type Forecasts = ReturnType<typeof openForecasts>

const bySeniority = (a: MatchRun, b: MatchRun): number =>
  b.priority - a.priority || (a.created_at === b.created_at ? (a.run_id < b.run_id ? -1 : 1) : a.created_at < b.created_at ? -1 : 1)
