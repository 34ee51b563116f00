import { expect, test } from 'vitest'
import type { AgentPulse } from '#shared/contract/pulse.ts'
import type { RunHead } from '#shared/contract/run.ts'
import { initialHead } from '#shared/run/apply.ts'
import { leaseMs } from '#shared/run/lease.ts'
import { silentMs } from '#shared/run/pulse.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { createPulses } from './pulses.ts'

const now = 1_000_000
const working: AgentPulse = { stage: 'preparing', models: [] }
/** A running run with these sessions, their leases renewed at `at`. */
const headOf = (at: number, ...sessions: string[]): RunHead => ({
  ...initialHead(testSpec()),
  status: 'running',
  agents: Object.fromEntries(sessions.map((session) => [session, { agent_id: session, until_ms: at + leaseMs }])),
})

test('[RUN72] an agent counts as heard when it was heard, not when its lease began', () => {
  const pulses = createPulses(() => 2)
  pulses.heard('a', now)
  const later = now + silentMs - 1
  expect(pulses.now(headOf(now - 20_000, 'a'), later)!.agents).toMatchObject({ joined: 1, silent: 0, held: 0 })
  expect(pulses.now(headOf(now - 20_000, 'a'), later + 1)!.agents).toMatchObject({ silent: 1, silent_ms: silentMs, held: 2 })
})

test('[RUN71] what an agent said goes with its connection, with its place in the run, and with the end of the run', () => {
  const pulses = createPulses(() => 0)
  const preparing = (head: RunHead) => pulses.now(head, now)?.agents.preparing
  for (const session of ['a', 'b']) {
    pulses.heard(session, now)
    pulses.told(session, working, now)
  }
  expect(preparing(headOf(now, 'a', 'b'))).toBe(2)
  pulses.gone('a')
  expect(preparing(headOf(now, 'a', 'b'))).toBe(1)
  expect(preparing(headOf(now, 'a'))).toBe(0)
  expect(preparing(headOf(now, 'a', 'b'))).toBe(0) // it was lost meanwhile, and says anew what it does
  expect(pulses.now({ ...headOf(now, 'a'), status: 'succeeded' }, now)).toBeNull()
})
