import { expect, test } from 'vitest'
import { trialName } from './trial-name.ts'

const trial = { run_id: '0a1b2c3d-1111-4111-8111-111111111111', ordinal: 17, attempt: 2, benchmark: 'alpha', item_id: '142', epoch: 1 }

test('[SBX72] an attempt has one name that can be one of a container and of a group, whatever its item is called', () => {
  expect(trialName(trial)).toBe('0a1b2c3d-t17-a2-alpha-i142-e1')
  expect(trialName({ ...trial, item_id: '../a b/é' })).toBe('0a1b2c3d-t17-a2-alpha-i.._a_b__-e1')
  expect(trialName({ ...trial, item_id: 'x'.repeat(9000) })).toHaveLength(120)
})
