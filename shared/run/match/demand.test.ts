import { expect, test } from 'vitest'
import { demandOf, isWaiting, runDemand } from './demand.ts'
import type { MatchPart, MatchRun } from './fleet.ts'

const questions: MatchPart = { benchmarks: ['mmlu_pro'], open: 100, sandbox: null, alone: false, typical_seconds: 20 }
const sandbox = { kinds: ['machine' as const], cpus: 0.5, memory_mb: 2048, disk_mb: 1000, images: [] }
const episodes: MatchPart = { benchmarks: ['terminal_tasks'], open: 40, sandbox, alone: false, typical_seconds: 900 }
const run = (parts: MatchPart[], concurrency: number): MatchRun => ({
  run_id: 'r',
  owner_id: 'o',
  visibility: 'private',
  priority: 0,
  created_at: '2026-11-24T10:00:00.000Z',
  needs: [],
  concurrency,
  parts,
})

test('[OBS13] a run could have its open trials at work, no more than its concurrency, and one of a part that is alone', () => {
  const both = runDemand(run([questions, episodes], 120), [{ benchmarks: ['terminal_tasks'], slots: 30 }])
  expect(both.map(({ wanted, given }) => [wanted, given])).toEqual([
    [90, 0],
    [30, 30],
  ])
  const alone = runDemand(run([{ ...questions, alone: true }, episodes], 16), [])
  expect(alone.map(({ wanted }) => wanted)).toEqual([1, 15])
  const few = runDemand(run([{ ...questions, at_once: 3 }, episodes], 16), [])
  expect(few.map(({ wanted }) => wanted)).toEqual([3, 13])
  const ending = runDemand(run([{ ...questions, open: 3 }], 16), [{ benchmarks: [], slots: 16 }])
  expect([ending.map(({ wanted, given }) => [wanted, given]), isWaiting(ending)]).toEqual([[[3, 3]], false])
})

test('[OBS13] the demand of all runs adds up what their trials take, and what of it waits', () => {
  const one = { run: run([episodes], 64), demand: runDemand(run([episodes], 64), [{ benchmarks: [], slots: 10 }]), waits_s: 12 }
  const two = { run: run([questions], 16), demand: runDemand(run([questions], 16), [{ benchmarks: ['mmlu_pro'], slots: 16 }]), waits_s: 0 }
  expect(demandOf([one, two])).toEqual({
    runs: 2,
    open: 140,
    wanted: { trials: 56, calls: 16, cpus: 20, memory_mb: 40 * 2048, disk_mb: 40_000 },
    waiting: { trials: 30, calls: 0, cpus: 15, memory_mb: 30 * 2048, disk_mb: 30_000 },
    oldest_wait_s: 12,
  })
  expect(demandOf([])).toMatchObject({ runs: 0, open: 0, wanted: { trials: 0 }, oldest_wait_s: 0 })
})
