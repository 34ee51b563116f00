import { expect, test } from 'vitest'
import type { PreflightFound } from '../contract/preflight.ts'
import { noUsage } from '../contract/usage.ts'
import { preflightLines } from './preflight-text.ts'
import { scoreWarning } from './score-warning.ts'
import { testSpec } from './testing/test-spec.ts'

const tally = {
  total: 4,
  right: 0,
  wrong: 4,
  failed: 0,
  score_sum: 0,
  flags: {},
  items: 4,
  status: 'succeeded' as const,
  started_at: null,
  completed_at: null,
}
const found = (tools: PreflightFound['tools']) => ({
  preflight: {
    ...{ round: 1, taken: null, spent: { usage: noUsage, cost_usd: null } },
    found: {
      ...{ calls: [], listed: null, context_length: 2048, spent: { usage: noUsage, cost_usd: null }, tools },
      ...{ round: 1, agent_id: 'a', session: 's' as never, at: '2026-01-01T00:00:00.000Z' as never },
    },
  },
})

test('[PROV354] dropped tools stand beside the score of what needs them, with the remedy, and in the pre-flight', () => {
  const [planned] = testSpec({}).benchmarks
  const needing = { ...planned!, name: 'janus_tool_use' }
  const warning = (tools: PreflightFound['tools'], of = needing) => scoreWarning(tally as never, of, found(tools) as never)
  expect(warning('dropped')).toMatch(/server drops tools.*--tool-calling text/)
  expect([warning('seen'), warning(null), warning(undefined), warning('dropped', planned!)]).toEqual([null, null, null, null])
  expect(warning('dropped', { ...needing, params: { ...needing.params, tool_calling: 'text' } })).toBeNull()
  const lines = (tools: PreflightFound['tools']) =>
    preflightLines(found(tools).preflight.found as never).map(({ tone, text }) => `${tone}: ${text}`)
  expect(lines('dropped')[0]).toMatch(/^note: Its server drops tools.*--tool-calling text/)
  expect(lines(null)[0]).toMatch(/^note: Whether the model sees the tools/)
  expect(lines('seen').join()).not.toContain('tools')
})

test('[STAT350] answers cut off before max_tokens name the window and not a larger max_tokens', () => {
  const [planned] = testSpec({ max_tokens: 4000 }).benchmarks
  const warning = (flags: Record<string, number>) =>
    scoreWarning({ ...tally, wrong: 100, flags } as never, planned!, found(undefined) as never)
  expect(warning({ truncated: 16, window_full: 16 })).toBe(
    "16 % of answers were cut off before max_tokens, where the model's window of 2,048 tokens was full, and scored as they stood: the score may be too low. Serve the model with a longer context; a larger max_tokens changes nothing.",
  )
  expect(warning({ truncated: 16, window_full: 6 })).toMatch(
    /^10 % of answers were cut off at max_tokens = 4,000 .* larger max_tokens\. 6 % .* window/,
  )
  expect(warning({ truncated: 16 })).not.toContain('window')
})

test('[STAT520] answers that the provider ended early are told as that, with the window only where it is not known', () => {
  const [planned] = testSpec({ max_tokens: 4000 }).benchmarks
  const flags = { truncated: 16, ended_early: 10 }
  const state = found(undefined)
  expect(scoreWarning({ ...tally, wrong: 100, flags } as never, planned!, state as never)).toMatch(
    /^6 % of answers were cut off at max_tokens = 4,000 .* 10 % of answers were ended by the provider with "length" before max_tokens = 4,000 and scored/,
  )
  const unknown = { preflight: { ...state.preflight, found: { ...state.preflight.found, context_length: null } } }
  expect(scoreWarning({ ...tally, wrong: 100, flags: { truncated: 16, ended_early: 16 } } as never, planned!, unknown as never)).toBe(
    '16 % of answers were ended by the provider with "length" before max_tokens = 4,000, at a limit of its own or where its window was full, and scored as they stood: the score may be too low. Look for a limit of the provider; a larger max_tokens changes nothing.',
  )
})
