import { runInDurableObject, env as testEnv } from 'cloudflare:test'
import { expect, test } from 'vitest'
import type { FleetDown, FleetUp } from '#shared/contract/frame.ts'
import { spoken } from '#shared/contract/protocol.ts'
import { leaseMs } from '#shared/run/lease.ts'
import type { FleetAgent } from '../deps.ts'
import type { Env } from './env.ts'

const env = testEnv as unknown as Env // bindings of testing/wrangler.toml
const run_id = '00000000-0000-4000-8000-0000000000f1'

/** An agent of this name with ten slots that has said hello. */
async function join(pool: DurableObjectStub, name: string) {
  const socket = (await pool.fetch('http://edge/socket', { headers: { upgrade: 'websocket' } })).webSocket!
  const told: FleetDown[] = []
  const waiting: ((frame: FleetDown) => void)[] = []
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(data as string) as FleetDown
    const next = waiting.shift()
    if (next) next(frame)
    else told.push(frame)
  })
  socket.accept()
  const say = (frame: FleetUp): void => socket.send(JSON.stringify(frame))
  const next = (): Promise<FleetDown> =>
    told.length > 0 ? Promise.resolve(told.shift()!) : new Promise((resolve) => waiting.push(resolve))
  /** Slots that the next assignments give it, until they are as many as wanted. */
  const untilSlots = async (wanted: number): Promise<void> => {
    for (;;) {
      const frame = await next()
      if (frame.type === 'assign' && frame.runs.reduce((sum, run) => sum + run.slots, 0) === wanted) return
    }
  }
  const known = {
    agent_id: name as never,
    session: `session-${name}`,
    host: 'h',
    version: '1',
    capabilities: ['llm'],
    slots: 10,
    secret: `secret-of-${name}-0123456789`,
  }
  say({ type: 'hello', ...spoken, ...known })
  return { untilSlots, beat: () => say({ type: 'heartbeat', free_slots: 10, running: 0, draining: false }), close: () => socket.close() }
}

/** As if this agent's event loop had stood still for so long, its socket open. */
const silence = (pool: DurableObjectStub, name: string, ms: number) =>
  runInDurableObject(pool, (_, state) => {
    for (const socket of state.getWebSockets()) {
      const agent = socket.deserializeAttachment() as FleetAgent | null
      if (agent?.agent_id === name) socket.serializeAttachment({ ...agent, heard_ms: Date.now() - ms } satisfies FleetAgent)
    }
  })

test('[FLEET70] an agent silent for a lease loses its place to the others, its socket open, and has it back with its next heartbeat', async () => {
  const pool = env.FLEET.getByName('silence')
  const [a, b] = [await join(pool, 'a'), await join(pool, 'b')]
  const run = { run_id, owner_id: 'o', priority: 0, created_at: '2026-01-01T00:00:00Z', needs: ['llm'], open: 100, concurrency: 10 }
  await pool.update(run, false)
  await Promise.all([a.untilSlots(5), b.untilSlots(5)])
  await silence(pool, 'a', leaseMs - 5000)
  b.beat()
  await b.untilSlots(5)
  await silence(pool, 'a', leaseMs)
  b.beat()
  await b.untilSlots(10)
  const [seen] = (await pool.overview()).agents.filter((agent) => agent.agent_id === 'a')
  expect(Date.now() - seen!.heard_ms!).toBeGreaterThanOrEqual(leaseMs)
  a.beat()
  await Promise.all([a.untilSlots(5), b.untilSlots(5)])
  await pool.update(run, true)
  a.close()
  b.close()
})
