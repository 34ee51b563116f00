import { reset, runInDurableObject, env as testEnv } from 'cloudflare:test'
import { afterEach, expect, inject, test } from 'vitest'
import { connect } from '#db/connect.ts'
import { createStore } from '#db/create-store.ts'
import { closeCodes, type FleetDown, type FleetUp } from '#shared/contract/frame.ts'
import { RunId } from '#shared/contract/ids.ts'
import { spoken } from '#shared/contract/protocol.ts'
import { initialHead } from '#shared/run/apply.ts'
import { slotsOf } from '#shared/run/match/fleet.ts'
import { matchRunOf } from '#shared/run/match/match-run.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import type { Env } from './env.ts'
import type {} from './testing/database.ts'

const env = testEnv as unknown as Env // bindings of testing/wrangler.toml
const fleet = () => env.FLEET.getByName('default')
afterEach(() => reset())

const specOf = (run_id: string, items = 6) => ({
  ...testSpec({ benchmarks: [{ name: 'alpha', items, epochs: 1 }] }),
  run_id: RunId.parse(run_id),
})
const [first, second] = ['00000000-0000-4000-8000-0000000000f1', '00000000-0000-4000-8000-0000000000f2'] as const
const running = (run_id: string, items = 6) =>
  matchRunOf(specOf(run_id, items), { ...initialHead(specOf(run_id, items)), status: 'running' })

/** An agent of the fleet: what it is told, and the newest assignment. */
async function join(agent_id: string, slots = 8) {
  const response = await fleet().fetch('http://edge/socket', { headers: { upgrade: 'websocket' } })
  const socket = response.webSocket!
  const told: FleetDown[] = []
  const waiting: (() => void)[] = []
  const closed = Promise.withResolvers<number>()
  socket.addEventListener('message', ({ data }) => {
    told.push(JSON.parse(data as string) as FleetDown)
    for (const look of waiting) look()
  })
  socket.addEventListener('close', ({ code }) => closed.resolve(code))
  socket.accept()
  const say = (frame: FleetUp) => socket.send(JSON.stringify(frame))
  let read = 0
  /** The next assignment after those read before. */
  const assigned = () =>
    new Promise<Record<string, number>>((resolve) => {
      const look = () => {
        const at = told.findIndex((frame, place) => place >= read && frame.type === 'assign')
        if (at === -1) return
        read = at + 1
        waiting.splice(waiting.indexOf(look), 1)
        const frame = told[at]!
        resolve(frame.type === 'assign' ? Object.fromEntries(frame.runs.map((run) => [run.run_id, slotsOf(run.shares)])) : {})
      }
      waiting.push(look)
      look()
    })
  /** The next answer to a heartbeat. */
  const heard = () =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (told.at(-1)?.type !== 'heard') return
        waiting.splice(waiting.indexOf(look), 1)
        resolve()
      }
      waiting.push(look)
      look()
    })
  const beat = (draining = false) => say({ type: 'heartbeat', free_slots: slots, running: 0, draining })
  say({
    type: 'hello',
    ...spoken,
    agent_id: agent_id as never,
    session: `session-${agent_id}`,
    host: 'host',
    version: '1',
    capabilities: ['llm', 'provider:demo'],
    slots,
    secret: `secret of agent ${agent_id}`,
  })
  return { assigned, heard, beat, told, socket, closed: closed.promise }
}

test('[FLEET11] an agent is told its runs when it joins and when they change; a heartbeat is answered with a word', async () => {
  await fleet().update(running(first), false)
  const agent = await join('a')
  expect(await agent.assigned()).toEqual({ [first]: 6 })
  expect(agent.told[0]).toMatchObject({ type: 'welcome', pool: 'default' })
  await fleet().update(running(second, 2), false)
  expect(await agent.assigned()).toEqual({ [first]: 6, [second]: 2 })
  agent.beat()
  await agent.heard()
  expect(agent.told.at(-1)).toEqual({ type: 'heard' })
})

test('[FLEET11] what a draining agent had goes to the others at once, and it is given nothing more', async () => {
  await fleet().update(running(first), false)
  const leaving = await join('a')
  expect(await leaving.assigned()).toEqual({ [first]: 6 })
  const staying = await join('b', 4)
  leaving.beat(true)
  for (let given = {}; JSON.stringify(given) !== JSON.stringify({ [first]: 4 }); ) given = await staying.assigned()
  for (let given: object = { [first]: 6 }; Object.keys(given).length > 0; ) given = await leaving.assigned()
  const { agents } = await fleet().overview()
  expect(Object.fromEntries(agents.map(({ agent_id, draining }) => [agent_id, draining]))).toEqual({ a: true, b: false })
})

test('[FLEET11] a run that ended is forgotten; one without open trials is not given out', async () => {
  await fleet().update(running(first), false)
  await fleet().update(running(second, 2), false)
  const agent = await join('a')
  expect(await agent.assigned()).toEqual({ [first]: 6, [second]: 2 })
  await fleet().update(running(first), true)
  expect(await agent.assigned()).toEqual({ [second]: 2 })
  expect((await fleet().overview()).runs).toMatchObject([{ run_id: second, agents: 1, slots: 2 }])
  await fleet().update({ ...running(second), parts: [] }, false)
  expect(await agent.assigned()).toEqual({})
  expect((await fleet().overview()).runs).toMatchObject([{ run_id: second, agents: 0, slots: 0 }])
})

test('[FLEET11] what is no frame ends its connection and touches nothing else', async () => {
  await fleet().update(running(first), false)
  const [bad, good] = [await join('a'), await join('b', 4)]
  await Promise.all([bad.assigned(), good.assigned()]) // an agent that joins is always told
  bad.socket.send('{"type":"heartbeat"}')
  expect(await bad.closed).toBe(closeCodes.badFrame)
  await runInDurableObject(fleet(), async (object, state) => {
    const [socket] = state.getWebSockets()
    await object.webSocketMessage(socket!, 'no JSON') // must not throw: the object would lose what it holds in memory
  })
})

test('[FLEET11] what an agent had goes to the others when its connection is gone', async () => {
  await fleet().update(running(first), false)
  const leaving = await join('a')
  await leaving.assigned()
  const staying = await join('b', 4)
  await staying.assigned()
  leaving.socket.close(1000)
  for (let given = {}; JSON.stringify(given) !== JSON.stringify({ [first]: 4 }); ) given = await staying.assigned()
  expect((await fleet().overview()).agents.map(({ agent_id }) => agent_id)).toEqual(['b'])
})

test('[FLEET11] a run whose end the fleet did not hear of is forgotten once the record does not hold it as open', async () => {
  const { url, endpointUrl } = inject('database')
  const spec = specOf(crypto.randomUUID(), 3)
  const run = env.RUN.get(env.RUN.idFromName(spec.run_id))
  await run.create(spec)
  await run.command({ type: 'cancel' })
  await fleet().update(running(spec.run_id), false)
  await runInDurableObject(fleet(), (object) => {
    const own = object as unknown as { env: Env } // the database its Worker is bound to is away
    own.env = { ...own.env, DATABASE_URL: url, NEON_ENDPOINT: endpointUrl }
  })
  const agent = await join('a')
  for (let given: Record<string, number> = { [spec.run_id]: 6 }; given[spec.run_id] !== undefined; ) given = await agent.assigned()
  expect((await fleet().overview()).runs.map(({ run_id }) => run_id)).not.toContain(spec.run_id)
})

test('[FLEET11] a run that the record holds as open is planned, though nobody told the fleet of it', async () => {
  const { url, endpointUrl } = inject('database')
  const store = createStore(connect(url, { fetchEndpoint: endpointUrl }))
  const spec = specOf(crypto.randomUUID(), 3) // the database outlives this test
  await store.createRun(spec, initialHead(spec), null)
  await runInDurableObject(fleet(), (object, { storage }) => {
    // Looked up a minute ago: enough for one who comes, too lately for a fleet in which nothing happens.
    storage.sql.exec(`INSERT INTO note VALUES ('reconciled', '', ?)`, Date.now() - 60_000)
    const own = object as unknown as { env: Env } // the database its Worker is bound to is away
    own.env = { ...own.env, DATABASE_URL: url, NEON_ENDPOINT: endpointUrl }
  })
  const agent = await join('a')
  for (let given: Record<string, number> = {}; given[spec.run_id] === undefined; ) given = await agent.assigned()
  const ended = { ...initialHead(spec), seq: 9, status: 'canceled', completed_at: spec.created_at } as const
  await store.drain({ run_id: spec.run_id, openings: [], trials: [], events: [], head: ended })
  expect((await env.RUN.get(env.RUN.idFromName(spec.run_id)).head())?.total).toBe(3)
})
