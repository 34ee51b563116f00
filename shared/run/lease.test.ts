import { expect, test } from 'vitest'
import type { Command } from './command.ts'
import { graceMs, isStranger, leaseMs } from './lease.ts'
import { brief, type History, results, startHistory } from './testing/history.ts'

const session = (n: number) => `session-${n}`
const hello = (n: number): Command => ({ type: 'hello', agent_id: `agent-${n}`, session: session(n), holding: [] })
const typesOf = (events: { event_type: string }[]) => events.map((event) => event.event_type)
const start = Date.parse('2026-01-01T00:00:00Z')

function leased(count: number): History {
  const history = startHistory()
  history.run(hello(1), start)
  history.run({ type: 'claim', session: session(1), count }, start)
  return history
}

test('[LEASE2] an agent whose socket closed has its grace to come back, and a renewal gives its leases their whole time again', () => {
  const history = leased(2)
  history.run({ type: 'closed', session: session(1) }, start)
  history.run({ type: 'tick' }, start + graceMs - 1)
  expect(history.head().leased).toBe(2)
  history.run({ type: 'renew', session: session(1) }, start + graceMs - 1)
  history.run({ type: 'tick' }, start + graceMs - 2 + leaseMs)
  expect(history.head().leased).toBe(2)
  // A lease that would have ended sooner is not made longer by a closed socket.
  history.run({ type: 'closed', session: session(1) }, start + graceMs - 2 + leaseMs)
  history.run({ type: 'tick' }, start + graceMs - 1 + leaseMs)
  expect(history.head().leased).toBe(0)
})

test('[LEASE10] only who asks for work or time of an open run that has given it up is a stranger', () => {
  const { agents } = leased(1).head()
  const asks = ['claim', 'renew', 'report', 'release', 'halt', 'leave']
  const strange = (who: string, status: 'running' | 'paused' | 'succeeded') =>
    asks.filter((one) => isStranger({ agents, status }, who, one))
  expect(strange(session(1), 'running')).toEqual([])
  expect([strange(session(2), 'running'), strange(session(2), 'paused')]).toEqual([
    ['claim', 'renew'],
    ['claim', 'renew'],
  ])
  expect(strange(session(2), 'succeeded')).toEqual([])
})

test('[LEASE9] what was under way when a run was canceled is lost, and its cost is counted once it reports', () => {
  const history = leased(2)
  history.run({ type: 'cancel' }, start + 5)
  expect(history.head()).toMatchObject({ status: 'canceled', leased: 0, lost: 2, cost_usd: 0 })
  const late = { type: 'report', session: session(1), results: results(brief(0, 1, 'right', 0.5)) } as const
  expect(typesOf(history.run(late, start + 6))).toEqual(['attempt_refused'])
  expect(history.run(late, start + 7)).toEqual([])
  expect(history.head()).toMatchObject({ lost: 1, cost_usd: 0.5, done: 0 })
})

test('[LEASE7] trials are handed back by the agent that holds them, under the attempt it holds, and by no other', () => {
  const history = leased(2)
  history.run(hello(2), start)
  expect(history.run({ type: 'release', session: session(2), leases: [[0, 1]] }, start)).toEqual([])
  expect(history.run({ type: 'release', session: session(1), leases: [[0, 2]] }, start)).toEqual([])
  expect(history.run({ type: 'release', session: session(1), leases: [[9, 1]] }, start)).toEqual([])
  expect(history.head().leased).toBe(2)
  history.run({ type: 'release', session: session(1), leases: [[1, 1]] }, start)
  expect(
    history.trials
      .rows()
      .map(({ state }) => state)
      .slice(0, 3),
  ).toEqual(['leased', 'pending', 'pending'])
})
