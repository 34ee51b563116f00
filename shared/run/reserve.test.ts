import { expect, test } from 'vitest'
import { defaultLimits } from '../contract/limits.ts'
import type { PlannedBenchmark } from '../contract/run.ts'
import { noTrialLimits } from '../contract/trial-limits.ts'
import { unsetParams } from '../solvers/testing/scripted-kit.ts'
import { reserveUsd, withinBudget } from './reserve.ts'
import { testSpec } from './testing/test-spec.ts'

const price = { input_per_million_usd: 2, output_per_million_usd: 8, cached_input_per_million_usd: null }
const params = { ...unsetParams, max_tokens: 1000 }
const one: PlannedBenchmark = { ...testSpec().benchmarks[0]!, params, most_input_tokens: 6000 }
const user = { model: { id: 'u', slug: 'u', provider: 'p' }, price: { ...price, input_per_million_usd: 10 }, params, schema: false }
const rounds = { most: 100, grows_tokens: 500 }
const reserved = (given: Partial<PlannedBenchmark>) => reserveUsd({ benchmarks: [{ ...one, ...given }], price })

test('[RUN119] of a conversation every request to both models is reserved, each longer than the one before, and one answer as long as any', () => {
  const grown = (500 * 100 * 99) / 2
  const asked = ((100 * 6000 + grown) * 2 + (100 * 500 + 1000) * 8) / 1e6
  const helped = ((100 * 8000 + grown) * 10 + (100 * 500 + 1000) * 8) / 1e6
  expect(reserved({ rounds })).toBeCloseTo(asked, 9)
  expect(reserved({ rounds, trial_limits: { ...noTrialLimits, turns: 7 } })).toBeCloseTo(asked, 9)
  expect(reserved({ rounds, roles: { user } })).toBeCloseTo(asked + helped, 9)
  expect(reserved({ rounds, roles: { user: { ...user, price: null } } })).toBeNull()
  expect(reserved({ rounds: { most: 1, grows_tokens: 1 } })).toBeCloseTo((6000 * 2 + 1001 * 8) / 1e6, 12)
})

test('[RUN119] a limit of dollars bounds the tested model alone, and a judge is asked as after any answer', () => {
  const capped = { rounds, trial_limits: { ...noTrialLimits, usd: 0.01, turns: 7 } }
  expect(reserved(capped)).toBeCloseTo(0.01, 12)
  expect(reserved({ ...capped, roles: { judge: user } })).toBeCloseTo(0.01 + (3 * (9000 * 10 + 1000 * 8)) / 1e6, 9)
  expect(reserved({ trial_limits: { ...noTrialLimits, turns: 7 } })).toBeCloseTo((7 * (6000 * 2 + 1000 * 8)) / 1e6, 9)
})

test('[RUN335] calls whose tokens were not told are not repeated where all repeats at once could exceed the budget by a twentieth', () => {
  const untold = (budget_usd: number | null, concurrency = 2, limits = defaultLimits) =>
    withinBudget([{ ...one, sampled_items: 10, limits }], { budget_usd, concurrency }, price)[0]!.limits?.untold_attempts
  const reserve = reserved({})!
  const enough = 20 * 4 * reserve * 2
  expect([untold(null), untold(enough * 1.01), untold(enough * 0.99), untold(enough * 1.01, 3)]).toEqual([undefined, undefined, 1, 1])
  expect([untold(enough * 5.01, 100), untold(enough * 4.99, 100)]).toEqual([undefined, 1]) // no more than ten are at work at once
  expect(untold(reserve, 2, { ...defaultLimits, attempts: 1 })).toBeUndefined()
  expect(untold(reserve, 2, { ...defaultLimits, untold_attempts: 3 })).toBe(3)
  expect(withinBudget([one], { budget_usd: 0.01, concurrency: 2 }, null)).toEqual([one])
})
