import { expect, test } from 'vitest'
import type { PendingReason } from '../contract/pending.ts'
import { pendingText, reasonText } from './pending-text.ts'

const waiting = (agents: number, silent_agents = 0, given = 0) => pendingText({ agents, silent_agents, given, reasons: [] })
const holder = { run_id: '2fb7c163-0000-4000-8000-000000000000', held: 2, open: 31, about_s: 480 }
const busy: PendingReason = {
  kind: 'busy',
  benchmarks: ['code_tasks'],
  unit: 'cpus',
  needed: 1,
  held: 2,
  total: 2,
  holders: [holder],
}

test('[UI91] a waiting run names a missing, a silent, a preparing and a free agent apart', () => {
  expect(waiting(0).title).toContain('none is connected')
  expect(waiting(0, 1).title).toContain('the only one has not been heard')
  expect(waiting(0, 3).title).toContain('all 3 have not been heard')
  expect(waiting(1, 0, 1).title).toBe('The run is being prepared by an agent.')
  expect(waiting(4).text).toBe('4 agents are free to take it.')
  expect(pendingText(undefined).title).toBe('The run waits for an agent.')
  expect([waiting(0), waiting(0, 1), waiting(1), pendingText(undefined)].map((told) => told.calm)).toEqual([false, false, true, true])
})

test('[UI91] a waiting run names what it needs, who holds it and for how long, or what no agent has', () => {
  expect(pendingText({ agents: 1, silent_agents: 0, given: 0, reasons: [busy] })).toEqual({
    calm: true,
    title: 'The run waits: it needs 1 CPU, and 2 of 2 CPUs are held by run 2fb7c163 (31 items, about 8 min).',
    text: 'It starts by itself when that is free.',
  })
  const other: PendingReason = {
    ...busy,
    unit: 'memory_mb',
    needed: 512,
    held: 4096,
    total: 4096,
    holders: [{ ...holder, run_id: null }, holder],
  }
  expect(reasonText(other)).toBe(
    'it needs 512 MB of memory, and 4 GB of 4 GB of memory are held by another run (31 items, about 8 min) and 1 more',
  )
  const lacks: PendingReason = { kind: 'no-sandbox', benchmarks: ['terminal_tasks'], sandboxes: ['machine'] }
  const told = pendingText({ agents: 2, silent_agents: 0, given: 0, reasons: [lacks] })
  expect([told.calm, told.title]).toEqual([false, 'The run waits: no connected agent has Docker environments, which terminal_tasks needs.'])
  expect(reasonText({ kind: 'no-capability', benchmarks: [], capabilities: ['provider:lab'] })).toBe('no connected agent has a key for lab')
  expect(reasonText({ kind: 'too-large', benchmarks: ['scicode'], unit: 'cpus', needed: 4, largest: 2 })).toBe(
    'a trial of scicode needs 4 CPUs, and the largest agent has 2 CPUs',
  )
})
