import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RunStatus } from '#shared/contract/run.ts'
import { type RunProgress, sum } from '#shared/telemetry/run-progress.ts'
import { draws } from '#shared/testing/draws.ts'
import { openSqliteStorage } from '../run/testing/sqlite-storage.ts'
import { openTallies } from './tallies.ts'

const progress = (right: number, more: Partial<RunProgress> = {}): RunProgress => ({
  run_id: 'r1',
  status: 'running',
  sums: right > 0 ? [sum('bench_trials_total', { outcome: 'right' }, right)] : [],
  drain_lag_ms: 0,
  alarm_late_ms: 0,
  viewers: 0,
  ...more,
})
const none = (_run_id: string): boolean => false
function open() {
  const { sql } = openSqliteStorage()
  let tallies = openTallies(sql)
  return {
    tell: (one: RunProgress, atMs = 0) => tallies.tell(one, atMs),
    count: (...sums: Parameters<typeof tallies.count>[0]) => tallies.count(sums),
    restart: () => {
      tallies = openTallies(sql)
    },
    read: (isOpen = none, nowMs = 0) => tallies.read(isOpen, nowMs),
    totals: () =>
      Object.fromEntries(
        tallies.read(none, 0).totals.map(({ name, labels, value }) => [[name, ...Object.values(labels)].join(' '), value]),
      ),
  }
}

test('[OBS9] however often a run tells its sums, and whatever is lost or forgotten on the way, each of its trials counts once', () => {
  const step = fc.record({ grown: fc.nat(50), heard: fc.nat(2), restart: fc.boolean() })
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 10 }), { minLength: 1, maxLength: 4 }), (runs) => {
      const { tell, restart, totals } = open()
      let all = 0
      for (const [at, steps] of runs.entries()) {
        const of = (right: number, status: RunStatus) => progress(right, { run_id: `r${at}`, status })
        tell(of(0, 'queued'))
        let right = 0
        for (const { grown, heard, restart: again } of steps) {
          right += grown
          if (again) restart()
          for (let times = 0; times < heard; times++) tell(of(right, 'running'))
        }
        tell(of(right, 'succeeded'))
        tell(of(right, 'succeeded'))
        all += right
      }
      expect(totals()['bench_trials_total right'] ?? 0).toBe(all)
      expect(totals()['bench_runs_ended_total succeeded']).toBe(runs.length)
    }),
    draws(100),
  )
})

test('[OBS9] a run that is opened again counts from where it was, and ends again; failed trials that are asked again count when they are done', () => {
  const { tell, totals } = open()
  const failed = (count: number, status: RunStatus) =>
    progress(0, { status, sums: [sum('bench_trials_total', { outcome: 'failed' }, count)] })
  tell(progress(0))
  tell(failed(5, 'incomplete'))
  tell(progress(0)) // its failed trials are asked again
  tell(failed(2, 'incomplete'))
  expect(totals()).toEqual({ 'bench_trials_total failed': 7, 'bench_runs_ended_total incomplete': 2 })
})

test('[OBS9] a run that is met half-way, as after an update, counts from there', () => {
  const { tell, totals } = open()
  tell(progress(100))
  tell(progress(103))
  expect(totals()).toEqual({ 'bench_trials_total right': 3 })
})

test('[OBS9] an ended run is held as long as results of it wait, and one that fell silent is let go unless the fleet knows it', () => {
  const { tell, read, restart, totals } = open()
  tell(progress(1, { viewers: 2 }), 1000)
  expect(read().runs).toEqual([{ run_id: 'r1', status: 'running', drain_lag_ms: 0, alarm_late_ms: 0, viewers: 2 }])
  tell(progress(1, { status: 'succeeded', drain_lag_ms: 7000 }), 1000)
  restart()
  expect(read().runs).toMatchObject([{ status: 'succeeded', drain_lag_ms: 7000 }])
  tell(progress(1, { status: 'succeeded', drain_lag_ms: 17_000 }), 1000)
  expect(totals()['bench_runs_ended_total succeeded']).toBe(1)
  tell(progress(1, { status: 'succeeded' }), 1000)
  expect(read().runs).toEqual([])
  tell(progress(1), 1000)
  expect(read((run_id) => run_id === 'r1', 1000 + 7_200_000).runs).toHaveLength(1)
  expect(read(none, 1000 + 3_599_999).runs).toHaveLength(1)
  expect(read(none, 1000 + 3_600_000).runs).toEqual([])
})

test('[OBS9] what isolates counted adds up, series by series, and outlives the object', () => {
  const { count, restart, totals } = open()
  count(sum('bench_problems_total', { code: 'not-found' }, 2), sum('bench_problems_total', { code: 'internal' }, 1))
  restart()
  count(sum('bench_problems_total', { code: 'not-found' }, 3))
  expect(totals()).toEqual({ 'bench_problems_total not-found': 5, 'bench_problems_total internal': 1 })
})
