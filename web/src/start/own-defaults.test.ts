import { expect, test } from 'vitest'
import { RunDefaults } from '#shared/contract/run-defaults.ts'
import { areApplied, defaultsOf, selectionOf, startingSelection } from './own-defaults.ts'
import { readSelection, writeSelection } from './selection.ts'

const defaults: RunDefaults = { model_id: 'org/model', provider: 'chutes', temperature: 0.2, reasoning_effort: 'low', concurrency: 7 }

test('[DEFAULT3] the start page begins with the defaults while its address names no model, and with the address alone where it does', () => {
  expect(startingSelection({}, defaults)).toEqual({
    ...readSelection({}),
    ...{ model: 'org/model', provider: 'chutes', temperature: 0.2, reasoning: 'low', concurrency: 7 },
  })
  const named = { temperature: '1', concurrency: '64', reasoning_budget: '500', benchmarks: 'mmlu_pro' }
  expect(startingSelection(named, defaults)).toMatchObject({
    ...{ model: 'org/model', temperature: 1, concurrency: 64, reasoning: undefined, reasoningBudget: 500, benchmarks: ['mmlu_pro'] },
  })
  const other = { model: 'org/other' }
  expect([startingSelection(other, defaults), areApplied(other, defaults)]).toEqual([readSelection(other), false])
  expect([startingSelection({}, null), areApplied({}, null), areApplied({}, defaults)]).toEqual([readSelection({}), false, true])
  // A change writes the whole selection: the address names the model from there on, and a default that was emptied stays so.
  const changed = writeSelection({ ...startingSelection({}, defaults), temperature: undefined })
  expect(startingSelection(changed, defaults)).toMatchObject({ model: 'org/model', temperature: undefined, concurrency: 7 })
})

test('[DEFAULT1] defaults read back from the fields that show them', () => {
  const written = defaultsOf(selectionOf(defaults))!
  expect(RunDefaults.parse(written)).toEqual(written)
  expect(written).toMatchObject(defaults)
  expect(selectionOf(written)).toEqual(selectionOf(defaults))
  expect([defaultsOf(selectionOf(null)), defaultsOf(selectionOf({ model_id: 'm' }))?.concurrency]).toEqual([undefined, null])
})
