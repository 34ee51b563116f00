import { expect, test } from 'vitest'
import type { FleetDown } from '#shared/contract/frame.ts'
import { spoken } from '#shared/contract/protocol.ts'
import { graceMs } from '#shared/run/lease.ts'
import { type MatchRun, slotsOf } from '#shared/run/match/fleet.ts'
import { part, run } from '#shared/run/testing/test-fleet.ts'
import { createClock } from './clock.ts'
import { hostFleet } from './fleet-host.ts'
import { type Network, ServerEnd } from './network.ts'
import type { RunStore } from './virtual-store.ts'

/** The fleet's object in a world where nothing happens but what the test says, the slots that agents were told last, and the breaches that are seen. */
function openFleet() {
  const clock = createClock(1_000_000)
  const sockets = new Set<ServerEnd>()
  const breaches: string[] = []
  const slots = new Map<string, number>()
  const network = { at: () => [...sockets] } as unknown as Network // all that the host asks of it in calm weather
  const store = { saveAgent: async () => undefined, listOpenRuns: async () => [] } as unknown as RunStore // all that a fleet asks of it
  const host = hostFleet({
    ...{ clock, network: () => network, store, secret: 'agt_12345678', rateLimit: null },
    plan: async () => undefined,
    ask: async () => undefined,
    onBreach: (id, text) => breaches.push(`${id}: ${text}`),
  })
  const tell = (more: Partial<MatchRun>): Promise<void> => host.update(run('r', { needs: ['llm'], ...more }), false)
  /** Everything that is due until then happens. */
  const pass = async (ms: number): Promise<void> => {
    let passed = false
    clock.after(ms, () => {
      passed = true
    })
    while (!passed) await clock.step()
  }
  const join = async (agent_id: string, session = `session-${agent_id}`) => {
    const socket = new ServerEnd(
      clock.now(),
      (text) => {
        const frame = JSON.parse(text) as FleetDown
        if (frame.type === 'assign') slots.set(agent_id, slotsOf(frame.runs[0]?.shares ?? []))
      },
      () => void sockets.delete(socket),
    )
    sockets.add(socket)
    const hello = { type: 'hello', ...spoken, agent_id, session, host: 'h', version: '1', capabilities: ['llm'], slots: 10 }
    host.listener.message(socket, JSON.stringify({ ...hello, secret: `the secret of agent ${agent_id}` }))
    await pass(1000)
    return {
      leave(code: number): void {
        sockets.delete(socket)
        host.listener.gone(socket, code)
      },
    }
  }
  return { tell, pass, join, slots, breaches }
}

test('[SIM12] an agent that was away for too long has nothing to lose when it comes back, however little the fleet has dealt meanwhile', async () => {
  const { tell, pass, join, slots, breaches } = openFleet()
  await tell({ concurrency: 25, parts: [part({ open: 8 })] })
  const first = await join('a')
  expect([...slots]).toEqual([['a', 8]])
  first.leave(1006)
  await pass(graceMs)
  await tell({ concurrency: 25, parts: [part({ open: 0 })] }) // paused: nobody is there to be dealt anything
  await pass(1000)
  for (const name of ['a', 'b', 'c']) await join(name)
  await tell({ concurrency: 25, parts: [part({ open: 8 })] })
  await pass(1000)
  expect([...slots.values()].sort()).toEqual([2, 3, 3])
  expect(breaches).toEqual([])
})

test('[SIM12] an agent that leaves on purpose or comes as another session is forgotten by right', async () => {
  const { tell, join, slots, breaches } = openFleet()
  await tell({ concurrency: 25, parts: [part({ open: 8 })] })
  await join('a')
  const second = await join('a', 'session-a-2')
  expect([...slots]).toEqual([['a', 8]])
  second.leave(1000)
  expect(breaches).toEqual([])
})
