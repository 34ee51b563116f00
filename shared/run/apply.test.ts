import { expect, test } from 'vitest'
import type { RunEvent } from '../contract/event.ts'
import type { TrialBrief } from '../contract/trial.ts'
import { apply, benchmarkAt, initialHead } from './apply.ts'
import { brief } from './testing/history.ts'
import { testSpec } from './testing/test-spec.ts'

const spec = testSpec({
  benchmarks: [
    { name: 'alpha', items: 3, epochs: 2 },
    { name: 'beta', items: 2, epochs: 1 },
  ],
})
const at = '2026-01-01T00:00:00.000Z'
const told = (name: string, ...results: TrialBrief[]): RunEvent => ({
  event_type: 'benchmark_progress',
  benchmark_name: name,
  at,
  data: { completed: 1, total: 8, current_accuracy: 1, unleased: 0, recovered: 0, results },
})

test('[PLAN5] an ordinal belongs to the benchmark whose stretch of the plan holds it; there is none outside', () => {
  const head = initialHead(spec)
  expect([0, 5, 6, 7].map((ordinal) => benchmarkAt(head, ordinal))).toEqual(['alpha', 'alpha', 'beta', 'beta'])
  expect(() => benchmarkAt(head, 8)).toThrow('ordinal 8 is outside the plan')
})

test('[RUN7] what is retried is taken from its own benchmark, group and reason', () => {
  const failed = [5, 6].map((ordinal) => brief(ordinal, 1, 'failed'))
  const full = [told('alpha', failed[0]!, brief(4, 1)), told('beta', failed[1]!)].reduce(apply, { ...initialHead(spec), leased: 3 })
  const failure = 'provider/server-error'
  const retried = [{ ordinal: 6, failure, group: 'even' }]
  const head = apply(full, { event_type: 'run_requeued', benchmark_name: null, at, data: { retried } })
  expect(head.benchmarks).toMatchObject({ alpha: { failed: 1, right: 1 }, beta: { failed: 0 } })
  expect(head.groups).toMatchObject({ alpha: { odd: { failed: 1, total: 1 } }, beta: { even: { failed: 0, total: 0 } } })
  expect(head).toMatchObject({ failures: { [failure]: 1 }, done: 2, retried: 1 })
})

test('[EVT20] items are counted once, by their first epoch, and failures are no items', () => {
  const [first, second] = [brief(0, 1), { ...brief(3, 1, 'wrong'), epoch: 1 }]
  const head = apply({ ...initialHead(spec), leased: 3 }, told('alpha', first, second, brief(1, 1, 'failed')))
  expect(head.benchmarks.alpha).toMatchObject({ items: 1, right: 1, wrong: 1, failed: 1, score_sum: 1, flags: { level_1: 2 } })
  const { items: _, ...old } = initialHead(spec).benchmarks.alpha! // from before items were counted
  const before = { ...initialHead(spec), benchmarks: { ...initialHead(spec).benchmarks, alpha: old } }
  expect(apply(before, told('alpha', first)).benchmarks.alpha).not.toHaveProperty('items')
})

test('[RUN10] a run without a price has no cost that could be summed', () => {
  expect([initialHead(spec).cost_usd, initialHead({ ...spec, price: null }).cost_usd]).toEqual([0, null])
  expect(apply(initialHead({ ...spec, price: null }), told('alpha', brief(0, 1, 'right', 1))).cost_usd).toBeNull()
})

test('[LEASE1] a renewal of an agent that the run does not have changes nothing', () => {
  const head = initialHead(spec)
  expect(apply(head, { event_type: 'agent_renewed', benchmark_name: null, at, data: { session: 'gone', until_ms: 9 } })).toEqual(head)
})

test('[FAIL370] a class has a sentence while all of its failures say the same, and none once they differ or all were retried', () => {
  const failure = 'sandbox/unhealthy'
  const failed = (ordinal: number, cause?: string): TrialBrief => {
    const { cause: _, ...one } = { ...brief(ordinal, 1, 'failed'), failure, cause: '' }
    return cause === undefined ? one : { ...one, cause }
  }
  const after = (...results: TrialBrief[]) => apply({ ...initialHead(spec), leased: 4 }, told('alpha', ...results))
  expect(after(failed(0)).causes).toBeUndefined()
  expect(after(failed(0, 'no tmux'), failed(1, 'no tmux'), brief(2, 1, 'failed')).causes).toEqual({ [failure]: 'no tmux' })
  expect(after(failed(0, 'no tmux'), failed(1, 'no shell'), failed(2, 'no tmux')).causes).toEqual({ [failure]: null })
  expect(after(failed(0, 'no tmux'), failed(1)).causes).toEqual({ [failure]: null })
  expect(after(failed(0), failed(1, 'no tmux')).causes).toBeUndefined()
  const retried = [{ ordinal: 0, failure, group: null }]
  const again = { event_type: 'run_requeued' as const, benchmark_name: null, at, data: { retried } }
  expect(apply(after(failed(0, 'no tmux')), again).causes).toEqual({})
  expect(apply(after(failed(0, 'no tmux'), failed(1, 'no tmux')), again).causes).toEqual({ [failure]: 'no tmux' })
})
