import { expect, test } from 'vitest'
import type { MatchRun } from '#shared/run/match/fleet.ts'
import type { RunProgress, RunWork } from '#shared/telemetry/run-progress.ts'
import { openSqliteStorage } from '../run/testing/sqlite-storage.ts'
import { openForecasts } from './forecasts.ts'

const run = (run_id: string, more: Partial<MatchRun> = {}): MatchRun => ({
  run_id,
  owner_id: 'ann',
  visibility: 'private',
  priority: 0,
  created_at: '2026-01-01T00:00:00Z',
  needs: ['llm'],
  concurrency: 8,
  parts: [{ benchmarks: ['alpha'], open: 80, sandbox: null, alone: false, typical_seconds: 20 }],
  ...more,
})
const work = (seconds: number | null, trials = 20, model = 'chutes/m'): RunWork => ({
  model,
  benchmarks: [{ name: 'alpha', profile: 'standard', open: 80, pace: seconds === null ? null : { seconds, spread: 0.3, trials } }],
})
const progress = (told: RunWork, status: RunProgress['status']): RunProgress => ({
  ...{ run_id: 'gone', status, sums: [], drain_lag_ms: 0, alarm_late_ms: 0, viewers: 0 },
  work: told,
})
const agents = [{ session: 's', capabilities: ['llm'], slots: 8, sandboxes: [] }]

test('[OPS7] runs without an agent have places by priority and age, and moments from what runs told of their pace', () => {
  const forecasts = openForecasts(openSqliteStorage().sql)
  const runs = [
    run('works'),
    run('younger', { created_at: '2026-01-03T00:00:00Z', priority: -1 }),
    run('older', { created_at: '2026-01-02T00:00:00Z', priority: -1 }),
    run('urgent', { created_at: '2026-01-04T00:00:00Z', priority: -0.5 }),
  ]
  const all = forecasts.make({ runs, agents, hasSlots: (id) => id === 'works' }, () => work(10), 1_000_000)
  expect(all.get('works')).toMatchObject({ position: null, waiting: 3, starts_at: null, unknown: null })
  expect(all.get('older')).toMatchObject({ position: 2, waiting: 3 })
  expect(all.get('urgent')).toMatchObject({ position: 1, waiting: 3 })
  expect(all.get('younger')).toMatchObject({ position: 3, waiting: 3 })
  const [works, next] = [all.get('works')!, all.get('urgent')!]
  expect(Date.parse(works.ends_at!)).toBeGreaterThan(1_000_000 + 80_000)
  expect(Date.parse(next.starts_at!)).toBeLessThanOrEqual(Date.parse(works.ends_at!))
  expect(Date.parse(next.ends_at!)).toBeGreaterThan(Date.parse(works.ends_at!))
})

test('[OPS7] a run that has measured nothing goes by the last ended run of its model and benchmark, and by nothing else', () => {
  const { sql } = openSqliteStorage()
  const forecasts = openForecasts(sql)
  const ask = (model: string, at = 0) =>
    openForecasts(sql)
      .make({ runs: [run('a')], agents, hasSlots: () => true }, () => work(null, 0, model), at)
      .get('a')!
  expect(ask('chutes/m').unknown).toEqual({ kind: 'not-measured', benchmarks: ['alpha'] })
  forecasts.tell(progress(work(10), 'running'), 0)
  expect(ask('chutes/m').ends_at).toBeNull()
  forecasts.tell(progress(work(10, 2), 'succeeded'), 0)
  expect(ask('chutes/m').ends_at).toBeNull() // two trials say nothing of another run
  forecasts.tell(progress(work(10), 'succeeded'), 0)
  expect(Date.parse(ask('chutes/m').ends_at!)).toBeGreaterThan(80_000)
  expect(ask('chutes/other').ends_at).toBeNull()
})

test('[OPS7] a run that never told what is left of it has no end, and one that is paused has no forecast', () => {
  const forecasts = openForecasts(openSqliteStorage().sql)
  const paused = run('paused', { parts: [{ ...run('x').parts[0]!, open: 0 }] })
  const all = forecasts.make({ runs: [run('silent'), paused], agents, hasSlots: () => true }, () => undefined, 0)
  expect(all.get('silent')).toMatchObject({ ends_at: null, unknown: { kind: 'not-measured', benchmarks: ['alpha'] } })
  expect(all.has('paused')).toBe(false)
})

test('[OPS7] a forecast stands for five seconds, however often it is asked for', () => {
  const forecasts = openForecasts(openSqliteStorage().sql)
  const queue = { runs: [run('a')], agents, hasSlots: () => true }
  const first = forecasts.make(queue, () => work(10), 0)
  expect(forecasts.make(queue, () => work(99), 4999)).toBe(first)
  expect(forecasts.make(queue, () => work(99), 5000)).not.toBe(first)
})

test('[OPS19] the pace that another run at work tells of the model and benchmark counts for a run that has measured nothing', () => {
  const forecasts = openForecasts(openSqliteStorage().sql)
  const told: Record<string, RunWork> = { works: work(10), waits: work(null, 0), alien: work(null, 0, 'chutes/other') }
  const runs = ['works', 'waits', 'alien'].map((run_id) => run(run_id))
  const all = forecasts.make({ runs, agents: [{ ...agents[0]!, slots: 24 }], hasSlots: () => true }, (run_id) => told[run_id], 0)
  const ends = (run_id: string): number => Date.parse(all.get(run_id)!.ends_at!)
  expect(Math.abs(ends('waits') / ends('works') - 1)).toBeLessThan(0.1)
  expect(all.get('alien')!.unknown).toEqual({ kind: 'not-measured', benchmarks: ['alpha'] })
})

test('[OPS21] the ages that a run tells reach its forecast', () => {
  const ends = (ages: number[]): number => {
    const told = work(10)
    const one = { ...told, benchmarks: told.benchmarks.map((of) => ({ ...of, open: 8, ages })) }
    const queue = { runs: [run('a', { parts: [{ ...run('x').parts[0]!, open: 8 }] })], agents, hasSlots: () => true }
    return Date.parse(
      openForecasts(openSqliteStorage().sql)
        .make(queue, () => one, 0)
        .get('a')!.ends_at!,
    )
  }
  expect(ends(Array(8).fill(9))).toBeLessThan(ends(Array(8).fill(0)) - 3000)
})
