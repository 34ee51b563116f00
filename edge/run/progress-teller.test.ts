import { expect, test } from 'vitest'
import type { RunHead } from '#shared/contract/run.ts'
import { initialHead } from '#shared/run/apply.ts'
import type { PaceSums } from '#shared/run/pace.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { type RunProgress, sum, sumsOf } from '#shared/telemetry/run-progress.ts'
import { createProgressTeller } from './progress-teller.ts'

const fresh = initialHead(testSpec())
const at = (status: RunHead['status']): RunHead => ({ ...fresh, status })

function open() {
  const told: RunProgress[] = []
  const state = { now: 0, away: false }
  let paces: Record<string, PaceSums> | undefined
  const rows = {
    spec: () => testSpec(),
    paces: () => paces,
    savePaces(kept: typeof paces) {
      paces = kept
    },
  }
  const teller = createProgressTeller({
    clock: { now: () => state.now },
    rows,
    async tell(progress) {
      if (state.away) throw new Error('away')
      told.push(progress)
    },
    log: () => undefined,
  })
  const look = async (head: RunHead, drain_lag_ms = 0) => {
    teller.look(head, { drain_lag_ms, viewers: 3 })
    await Promise.resolve()
    await Promise.resolve()
    return told.splice(0)
  }
  return { teller, look, state }
}

test('[OBS9] a run tells how it goes at once when its state changes or its last results have left, else every ten seconds', async () => {
  const { look, state } = open()
  expect(await look(at('queued'))).toMatchObject([{ run_id: fresh.run_id, status: 'queued', viewers: 3 }])
  expect(await look(at('running'), 40)).toMatchObject([{ status: 'running', drain_lag_ms: 40 }])
  expect(await look(at('running'), 60)).toEqual([])
  expect(await look(at('running'), 0)).toMatchObject([{ drain_lag_ms: 0 }])
  state.now = 9_999
  expect(await look(at('running'), 5)).toEqual([])
  state.now = 10_000
  expect(await look(at('running'), 5)).toMatchObject([{ drain_lag_ms: 5 }])
  expect(await look(at('succeeded'), 5)).toMatchObject([{ status: 'succeeded' }])
  expect(await look(at('succeeded'))).toMatchObject([{ status: 'succeeded', drain_lag_ms: 0 }])
  state.now = 60_000
  expect(await look(at('succeeded'))).toEqual([])
})

test('[OBS9] what did not arrive is told with the next look, and the latest alarm is told once', async () => {
  const { teller, look, state } = open()
  state.away = true
  expect(await look(at('running'))).toEqual([])
  state.away = false
  teller.rang(20)
  teller.rang(700)
  teller.rang(0)
  expect(await look(at('running'))).toMatchObject([{ alarm_late_ms: 700 }])
  state.now = 10_000
  expect(await look(at('running'))).toMatchObject([{ alarm_late_ms: 0 }])
})

test('[OBS9] the sums of a run are its results, failures by place, tokens and cost by role', () => {
  const usage = { input_tokens: 100, output_tokens: 20, cached_tokens: 10, reasoning_tokens: 0 }
  const counted = (right: number, failed: number) => ({ ...Object.values(fresh.benchmarks)[0]!, right, failed })
  const head: RunHead = {
    ...fresh,
    benchmarks: { alpha: counted(3, 2), beta: counted(1, 1) },
    failures: { 'provider/overloaded': 2, 'sandbox/timeout': 1 },
    usage,
    cost_usd: 0.5,
    roles: { judge: { usage: { ...usage, cached_tokens: 0 }, cost_usd: null } },
  }
  expect(sumsOf(fresh)).toEqual([])
  expect(sumsOf(head)).toEqual([
    sum('bench_trials_total', { outcome: 'right' }, 4),
    sum('bench_trials_total', { outcome: 'failed' }, 3),
    sum('bench_failures_total', { at: 'provider' }, 2),
    sum('bench_failures_total', { at: 'sandbox' }, 1),
    sum('bench_tokens_total', { role: 'model', kind: 'input' }, 100),
    sum('bench_tokens_total', { role: 'model', kind: 'output' }, 20),
    sum('bench_tokens_total', { role: 'model', kind: 'cached' }, 10),
    sum('bench_cost_usd_total', { role: 'model' }, 0.5),
    sum('bench_tokens_total', { role: 'judge', kind: 'input' }, 100),
    sum('bench_tokens_total', { role: 'judge', kind: 'output' }, 20),
  ])
})
