import { expect, test } from 'vitest'
import type { PlanPreview } from '#shared/contract/api.ts'
import { plannedLimits, plannedScores, smallestDetectable } from '#shared/metrics/plan-limits.ts'
import { planText } from './plan-text.ts'
import { scoreDetails } from './score-details.ts'

const estimate = { value: 0.7, low: 0.6, high: 0.8, n: 80, trials: 320, method: 'Wilson', target: 'expected' as const }

test('[STAT92] below a run’s table stand warnings, what limits mean, and every metric of a benchmark', () => {
  const lines = scoreDetails(
    [
      { name: 'ifeval', estimate, warning: '16 % of answers were cut off', metrics: { prompt_strict: estimate, inst_loose: estimate } },
      { name: 'hle', estimate: { ...estimate, target: 'as_answered' }, warning: null, metrics: {} },
    ],
    false,
  )
  expect(lines[0]).toBe('ifeval: 16 % of answers were cut off')
  expect(lines[1]).toMatch(/^Limits of ifeval: .*expected score/)
  expect(lines[2]).toMatch(/^Limits of hle: .*as answered/)
  expect(lines.slice(3)).toEqual([
    '',
    'ifeval',
    '  Prompts followed, strict      70.0 % (60.0–80.0)  n = 80 (320 trials)',
    '  Instructions followed, loose  70.0 % (60.0–80.0)  n = 80 (320 trials)',
  ])
})

function preview(sampled_items: number, total_items: number, target: 'as_answered' | 'expected'): PlanPreview {
  const limits = plannedScores.map((score) => ({ score, ...plannedLimits(score, { sampled_items, total_items, epochs: 1 }) }))
  const one = {
    name: 'mmlu_pro',
    items: sampled_items,
    epochs: 1,
    trials: sampled_items,
    data_source: 'pinned',
    profile: 'official',
    chosen: false,
  }
  const detectable_pct = 100 * smallestDetectable(sampled_items)!
  const benchmark = { ...one, half_width_pct: 4, target, limits, detectable_pct, roles: {} }
  const sums = {
    trials: sampled_items,
    input_tokens: 1,
    output_tokens: 1,
    cost_usd: null,
    roles: {},
    minutes: null,
    budget_trials: null,
    notes: [],
  }
  return { ...sums, benchmarks: [benchmark], detectable_pct }
}

test('[STAT90] bench plan tells the limits to expect around 50 % and 90 %, and the smallest difference it finds', () => {
  const lines = planText(preview(601, 12_032, 'expected'), 200)
  expect(lines[1]).toMatch(/mmlu_pro +601 +1 +601 +46\.0–54\.0 or 87\.3–92\.2 +6\.6 points/)
  expect(lines).toContainEqual(expect.stringMatching(/^detects a difference of 6\.6 points between two models.*paired/))
  expect(planText(preview(12_032, 12_032, 'as_answered'), 200)[1]).toContain('exact')
  expect(planText(preview(12_032, 12_032, 'expected'), 200)[1]).toContain('49.1–50.9')
})
