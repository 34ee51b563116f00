import { expect, test } from 'vitest'
import { withDefaults } from './start-run.ts'

test('[DEFAULT2] a request that says how the model reasons has no default of the other way', () => {
  const defaults = { model_id: 'm', reasoning_effort: 'low', temperature: 0.2, max_tokens: null }
  expect(withDefaults({ suite: 'default' }, defaults)).toMatchObject({ model_id: 'm', reasoning_effort: 'low', temperature: 0.2 })
  const budget = withDefaults({ suite: 'default', reasoning_budget_tokens: 500 }, defaults)
  expect([budget.reasoning_effort, budget.reasoning_budget_tokens, budget.temperature]).toEqual([undefined, 500, 0.2])
})
