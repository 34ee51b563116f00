import { expect, test } from 'vitest'
import { waitsFor } from './waits-for.ts'

const fleet = (agents: number, silent_agents: number, free_slots: number) => waitsFor({ agents, silent_agents, free_slots })

test('[UI91] a waiting run says what it waits for: nobody is there, nobody can be heard, everybody is busy, or it is about to be taken', () => {
  expect(fleet(0, 0, 0).title).toContain('none is connected')
  expect(fleet(0, 1, 0).title).toContain('the only one has not been heard')
  expect(fleet(0, 3, 0).title).toContain('all 3 have not been heard')
  expect(fleet(1, 0, 0).title).toBe('The run waits for its turn: the one agent is busy.')
  expect(fleet(4, 1, 0).title).toContain('all 4 agents are busy')
  expect(fleet(1, 0, 256).title).toContain('256 free slots')
  expect(waitsFor(undefined).title).toBe('The run waits for an agent.')
  expect([fleet(0, 0, 0), fleet(0, 1, 0), fleet(1, 0, 0), waitsFor(undefined)].map((told) => told.calm)).toEqual([false, false, true, true])
})
