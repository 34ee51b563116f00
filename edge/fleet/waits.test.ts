import { expect, test } from 'vitest'
import type { MatchRun } from '#shared/run/match/fleet.ts'
import { openWaits } from './waits.ts'

const run = (run_id: string): MatchRun => ({
  run_id,
  owner_id: 'o',
  visibility: 'private',
  priority: 0,
  created_at: '2026-11-24T10:00:00.000Z',
  needs: [],
  concurrency: 8,
  parts: [{ benchmarks: ['mmlu_pro'], open: 8, sandbox: null, alone: false, typical_seconds: 20 }],
})

test('[OBS13] a run waits from when it has less than it could use until it has all, and the longest wait is told', () => {
  const waits = openWaits()
  const given = new Map([['b', 8]])
  const sharesOf = (run_id: string) => [{ benchmarks: ['mmlu_pro'], slots: given.get(run_id) ?? 0 }]
  const look = (nowMs: number) => waits.look([run('a'), run('b')], sharesOf, nowMs).oldest_wait_s
  expect([look(1000), look(4000)]).toEqual([0, 3])
  given.set('b', 2)
  expect(look(5000)).toBe(4)
  given.set('a', 8)
  expect([look(6000), look(7500)]).toEqual([1, 2.5])
  given.set('b', 8)
  expect(look(8000)).toBe(0)
  given.delete('a')
  expect([look(9000), look(9500)]).toEqual([0, 0.5])
})
