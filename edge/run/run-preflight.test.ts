import { expect, test } from 'vitest'
import { spoken } from '#shared/contract/protocol.ts'
import { noUsage } from '#shared/contract/usage.ts'
import { handClock } from '#shared/run/testing/hand-clock.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { noBudgets } from '../testing/memory-budgets.ts'
import { emptyRecord, memoryStore } from '../testing/memory-store.ts'
import type { AgentSocket } from './agent-socket.ts'
import { RunShell } from './run-shell.ts'
import { openSqliteStorage } from './testing/sqlite-storage.ts'

const startMs = Date.parse('2026-01-01T00:00:00Z')

/** Two agents at one run that is looked at first; `say` gives what the run has told them since. */
async function twoAgents() {
  const told: Record<'a' | 'b', unknown[]> = { a: [], b: [] }
  const socketOf = (name: 'a' | 'b'): AgentSocket => {
    let kept: unknown = null
    return {
      send: (text) => void told[name].push(JSON.parse(text)),
      close: () => expect.unreachable(),
      serializeAttachment: (one) => {
        kept = one
      },
      deserializeAttachment: () => kept,
    }
  }
  const sockets = { a: socketOf('a'), b: socketOf('b') }
  const shell = new RunShell({
    storage: { ...openSqliteStorage(), setAlarm: async () => undefined, deleteAlarm: async () => undefined },
    store: memoryStore(emptyRecord()),
    clock: handClock(startMs),
    sockets: () => Object.values(sockets),
    openedMs: () => 0,
    fleet: { update: async () => undefined, tell: async () => undefined },
    passes: { holds: () => true },
    seal: { open: async (sealed) => sealed },
    sessions: { token: async () => ({ is: 'gone' }) },
    mayAsk: () => true,
    budgets: noBudgets,
    log: (level) => void (level === 'error' && expect.unreachable()),
  })
  await shell.create({ ...testSpec(), preflight: true })
  const say = async (name: 'a' | 'b', frame: object): Promise<unknown[]> => {
    told.a = []
    told.b = []
    await shell.onMessage(sockets[name], JSON.stringify(frame))
    return told[name]
  }
  for (const name of ['a', 'b'] as const) {
    await say(name, { type: 'hello', ...spoken, agent_id: `agent-${name}`, session: `session-${name}`, holding: [] })
  }
  return { shell, say, told: () => told }
}

test('[PROV6] the first leases say that the endpoints are to be looked at; who asks meanwhile gets none, and one that cannot look is not asked', async () => {
  const { shell, say } = await twoAgents()
  const claim = (ask: number) => ({ type: 'claim', ask, count: 2, checks: true })
  expect(await say('a', claim(1))).toMatchObject([{ type: 'leases', leases: [{ ordinal: 0 }, { ordinal: 1 }], preflight: 1 }])
  expect(await say('b', claim(1))).toEqual([{ type: 'leases', ask: 1, leases: [] }])
  const [blind] = (await say('b', { type: 'claim', ask: 2, count: 1 })) as { leases: unknown[] }[]
  expect([blind!.leases.length, blind]).toEqual([1, expect.not.objectContaining({ preflight: 1 })])
  const found = { calls: [], listed: null, context_length: null, spent: { usage: noUsage, cost_usd: null } }
  await say('a', { type: 'preflight', round: 1, found, failure: null, until: null })
  expect(shell.head()?.preflight?.found).toMatchObject({ agent_id: 'agent-a', round: 1 })
  expect(await say('b', claim(3))).toEqual([{ type: 'leases', ask: 3, leases: [expect.anything(), expect.anything()] }])
})

test('[PROV8] a look that stops the run parks it, and every agent is told at once', async () => {
  const { shell, say, told } = await twoAgents()
  await say('a', { type: 'claim', ask: 3, count: 2, checks: true })
  const found = { calls: [], listed: null, context_length: null, spent: { usage: noUsage, cost_usd: null } }
  const failure = { at: 'provider', reason: 'unauthorized', retryable: false, status: 401, detail: 'HTTP 401' }
  await say('a', { type: 'preflight', round: 1, found, failure, until: null })
  expect(shell.head()).toMatchObject({ status: 'paused', parked: { reason: 'provider/unauthorized' } })
  expect(told().b).toMatchObject([{ type: 'state', status: 'paused' }])
})
