import type { Forecast } from '#shared/contract/forecast.ts'
import { expectPaces, type PaceSource, paceKey } from '#shared/run/expect-paces.ts'
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

/** When runs start and end, from the pace that each told, and from those of other runs at work and of ended runs (`expectPaces`). */
export function openForecasts(sql: Sql) {
  sql.exec('CREATE TABLE IF NOT EXISTS pace (key TEXT PRIMARY KEY, body TEXT NOT NULL, at_ms INTEGER NOT NULL) WITHOUT ROWID')
  let made: { at_ms: number; of: Map<string, Forecast> } | undefined
  let kept: readonly PaceSource[] | undefined
  return {
    /** Keeps how fast a run was when it stops. */
    tell({ status, work }: RunProgress, nowMs: number): void {
      if (status === 'running' || status === 'queued' || !work) return
      for (const one of work.benchmarks) {
        if (!one.pace || one.pace.trials < enoughTrials) continue
        sql.exec('INSERT OR REPLACE INTO pace VALUES (?, ?, ?)', keyOf(work.model, one), JSON.stringify(one.pace), nowMs)
      }
      kept = undefined
      sql.exec('DELETE FROM pace WHERE key NOT IN (SELECT key FROM pace ORDER BY at_ms DESC LIMIT ?)', mostPaces)
    },
    /** The forecast of every run that has work, by id. `workOf` says what a run told last. */
    make({ runs, agents, hasSlots }: Queue, workOf: (run_id: string) => RunWork | undefined, nowMs: number): Map<string, Forecast> {
      if (made && nowMs < made.at_ms + freshMs) return made.of
      kept ??= readPaces(sql)
      const busy = runs.filter(({ parts }) => parts.some(({ open }) => open > 0))
      const told = busy.flatMap(({ run_id }) => {
        const work = workOf(run_id)
        return work ? [{ ...work, run_id }] : []
      })
      const paces = new Map(expectPaces(told, kept).map((of, at) => [told[at]!.run_id, of]))
      const toldOf = new Map(told.map((work) => [work.run_id, work]))
      const work = ({ run_id }: MatchRun, benchmark: string): Work => {
        const one = toldOf.get(run_id)?.benchmarks.find(({ name }) => name === benchmark)
        if (!one) return { open: 1, pace: null } // it has not said how much it has
        return { open: one.open, pace: paces.get(run_id)!.get(benchmark)!, ...(one.ages && { ages: one.ages }) }
      }
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
/** What `tell` has kept. */
function readPaces(sql: Sql): PaceSource[] {
  const kept = new Map<string, Map<string, Pace>>()
  for (const { key, body } of sql.exec<{ key: string; body: string }>('SELECT key, body FROM pace')) {
    const [model, name, profile] = JSON.parse(key) as [string, string, string] // written by `keyOf`
    const paces = kept.get(model) ?? new Map<string, Pace>()
    kept.set(model, paces.set(paceKey({ name, profile }), JSON.parse(body) as Pace)) // written by `tell`
  }
  return [...kept].map(([model, paces]) => ({ model, paces }))
}

export type Forecasts = ReturnType<typeof openForecasts>

const bySeniority = (a: MatchRun, b: MatchRun): number =>
  b.priority - a.priority || (a.created_at === b.created_at ? (a.run_id < b.run_id ? -1 : 1) : a.created_at < b.created_at ? -1 : 1)
