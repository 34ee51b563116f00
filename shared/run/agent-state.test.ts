import { expect, test } from 'vitest'
import { agentState } from './agent-state.ts'

test('[FLEET70] an agent is named by what is known of it: of one that is gone or silent nothing else is claimed', () => {
  const state = (connected: boolean, silent: boolean, draining: boolean, running: number) =>
    agentState({ connected, silent, draining, running })
  expect(state(false, true, true, 3)).toBe('away')
  expect(state(true, true, true, 3)).toBe('silent')
  expect(state(true, false, true, 3)).toBe('draining')
  expect([state(true, false, false, 3), state(true, false, false, 0)]).toEqual(['working', 'idle'])
})
