import { evictDurableObject, reset, runInDurableObject, env as testEnv } from 'cloudflare:test'
import { afterEach, expect, test } from 'vitest'
import { exampleTrial } from '#db/example-run.ts'
import { closeCodes } from '#shared/contract/frame.ts'
import { RunId } from '#shared/contract/ids.ts'
import { spoken } from '#shared/contract/protocol.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { createSeal, credentialContext } from '../auth/seal.ts'
import type { Env } from './env.ts'
import { createPasses, passSecret } from './passes.ts'

const env = testEnv as unknown as Env // bindings of testing/wrangler.toml
const passes = createPasses(passSecret(env))
const id = '00000000-0000-4000-8000-0000000000f1'
const run = () => env.RUN.get(env.RUN.idFromName(id))
const fleet = () => env.FLEET.getByName('default')
const spec = { ...testSpec({ benchmarks: [{ name: 'alpha', items: 2, epochs: 1 }] }), run_id: RunId.parse(id), own_credential: true }
const seal = (key: string) => createSeal(env.MASTER_KEY!).seal(key, credentialContext(spec))
const key = 'cpk_the-owners-own-key-0123456789'
type Frame = { type: string; [field: string]: unknown }

/** A socket to an object: says frames, and gives the next of a type or the code it was closed with. */
async function dial(object: { fetch(url: string, init: RequestInit): Promise<Response> }) {
  const socket = (await object.fetch('http://edge/socket', { headers: { upgrade: 'websocket' } })).webSocket!
  const told: Frame[] = []
  const closed = Promise.withResolvers<number>()
  let wake = Promise.withResolvers<void>()
  socket.addEventListener('message', ({ data }) => {
    told.push(JSON.parse(data as string) as Frame)
    wake.resolve()
    wake = Promise.withResolvers()
  })
  socket.addEventListener('close', ({ code }) => closed.resolve(code))
  socket.accept()
  const until = async (type: string): Promise<Frame> => {
    for (;;) {
      const at = told.findIndex((frame) => frame.type === type)
      if (at >= 0) return told.splice(0, at + 1).at(-1)!
      await wake.promise
    }
  }
  return { say: (frame: Frame) => socket.send(JSON.stringify(frame)), until, closed: closed.promise }
}
const sent = (session: string, agent_id = 'agent') => ({ session, agent_id, run_id: id })
async function join(session: string, agent_id = 'agent', pass: string | undefined = passes.passOf(sent(session, agent_id))) {
  const agent = await dial(run())
  agent.say({ type: 'hello', ...spoken, agent_id, session, holding: [], ...(pass && { pass }) })
  return agent
}
let asked = 0
async function claim(agent: Awaited<ReturnType<typeof dial>>, count = 1): Promise<Frame> {
  agent.say({ type: 'claim', ask: ++asked, count })
  return agent.until('leases')
}
const storedSeal = () =>
  runInDurableObject(run(), (_, { storage }) => storage.sql.exec(`SELECT value FROM meta WHERE key = 'seal'`).toArray())

afterEach(() => reset())

test('[FLEET20] a run takes no session that the fleet did not send to it, and the ones there stay', async () => {
  await run().create(spec, await seal(key))
  const real = await join('session-1')
  await real.until('welcome')
  const others = [
    passes.passOf({ ...sent('session-2'), run_id: 'another' }),
    passes.passOf(sent('session-3')),
    passes.passOf(sent('session-2', 'somebody')),
    'f'.repeat(64),
    undefined,
  ]
  for (const pass of others) expect(await (await join('session-2', 'agent', pass ?? '')).closed).toBe(closeCodes.unauthorized)
  expect((await claim(real)).leases).toHaveLength(1)
})

test("[AGENT40] the owner's key comes with the first leases, once, and never in a welcome", async () => {
  await run().create(spec, await seal(key))
  const agent = await join('session-1')
  expect(JSON.stringify(await agent.until('welcome'))).not.toContain(key)
  expect(await claim(agent)).toMatchObject({ leases: [{ ordinal: 0 }], credential: key })
  expect(await claim(agent)).not.toHaveProperty('credential')
  // All trials are out: there is nothing that the second agent could need the key for.
  expect(await claim(await join('session-2', 'other'))).toEqual({ type: 'leases', ask: expect.any(Number), leases: [] })
})

test('[AGENT40] a canceled, paused or ended run gives its key to nobody, and an ended one has none any more', async () => {
  await run().create(spec, await seal(key))
  expect(await storedSeal()).toHaveLength(1)
  await run().command({ type: 'pause' })
  expect(await claim(await join('session-1'))).toEqual({ type: 'leases', ask: expect.any(Number), leases: [] })
  await run().command({ type: 'cancel' })
  expect(await claim(await join('session-2'))).toEqual({ type: 'leases', ask: expect.any(Number), leases: [] })
  expect(await storedSeal()).toEqual([])
})

test('[AGENT40] whoever opens an ended run again brings the key again', async () => {
  await run().create(spec, await seal(key))
  const agent = await join('session-1')
  const leases = (await claim(agent, 2)).leases as object[]
  const failure = { at: 'provider', reason: 'server-error', retryable: true, detail: 'HTTP 500', status: 500 }
  const failed = { ...exampleTrial(0).record, outcome: 'failed', score: null, failure }
  agent.say({ type: 'report', id: 1, openings: {}, results: leases.map((lease) => ({ ...failed, ...lease })) })
  await agent.until('ack')
  expect(await run().head()).toMatchObject({ status: 'failed' })
  expect(await run().command({ type: 'retry_failed' })).toMatchObject({
    refused: expect.stringMatching(/deleted at its end.*retries it with that key/),
  })
  const other = 'cpk_a-newer-key-of-the-owner-987'
  expect(await run().command({ type: 'retry_failed' }, await seal(other))).toMatchObject({ head: { status: 'running' } })
  expect(await claim(await join('session-2'))).toMatchObject({ leases: [{ benchmark: 'alpha' }], credential: other })
})

test('[AGENT3] a key that cannot be read now turns agents away for a while; one that does not open parks the run', async () => {
  await run().create(spec)
  const agent = await join('session-1')
  agent.say({ type: 'claim', ask: ++asked, count: 1 })
  expect(await agent.closed).toBe(closeCodes.tryAgain)
  await runInDurableObject(run(), (_, { storage }) => {
    storage.sql.exec(`INSERT INTO meta VALUES ('seal', '"v1.AAAA.AAAA"')`)
  })
  expect(await claim(await join('session-2'))).toEqual({ type: 'leases', ask: expect.any(Number), leases: [] })
  expect(await run().head()).toMatchObject({
    status: 'paused',
    parked: { reason: 'provider/unauthorized', detail: expect.stringContaining('resumes') },
  })
  await run().command({ type: 'resume' }, await seal(key))
  expect(await claim(await join('session-3'))).toMatchObject({ credential: key })
})

test('[SIGN12] a run that a session pays gives agents the token that the session has; without one it is parked, and says who must act', async () => {
  const pays = async (session_id: string) => createSeal(env.MASTER_KEY!).seal(`session ${session_id}`, credentialContext(spec))
  const tokens = {
    access_token: 'cak_of-the-session-12345',
    refresh_token: null,
    expires_at_ms: Date.now() + 3_600_000,
    scope: ['chutes:invoke'],
  }
  await env.SESSION.getByName('one').keep(tokens)
  await run().create(spec, await pays('one'))
  const agent = await join('session-1')
  expect(await claim(agent)).toMatchObject({ leases: [{ ordinal: 0 }], credential: tokens.access_token })
  agent.say({ type: 'release', leases: [[0, 1]] })
  await env.SESSION.getByName('one').end(null)
  expect(await claim(await join('session-2', 'other'))).toEqual({ type: 'leases', ask: expect.any(Number), leases: [] })
  expect(await run().head()).toMatchObject({
    status: 'paused',
    parked: { reason: 'provider/unauthorized', detail: expect.stringContaining('signs in again') },
  })
  await env.SESSION.getByName('two').keep({ ...tokens, access_token: 'cak_of-another-session-1' })
  await run().command({ type: 'resume' }, await pays('two'))
  expect(await claim(await join('session-3'))).toMatchObject({ credential: 'cak_of-another-session-1' })
})

test('[SIGN12] tokens outlive the object’s sleep, and lie sealed', async () => {
  const session = () => env.SESSION.getByName('asleep')
  await session().keep({
    access_token: 'cak_asleep-0123456789',
    refresh_token: 'crt_asleep',
    expires_at_ms: Date.now() + 3_600_000,
    scope: [],
  })
  await evictDurableObject(session())
  expect(await session().token()).toMatchObject({ is: 'token', access_token: 'cak_asleep-0123456789' })
  const kept = await runInDurableObject(session(), (_, { storage }) => [...storage.kv.list()])
  expect(kept).toHaveLength(1)
  expect(JSON.stringify(kept)).not.toMatch(/asleep/)
  await session().end(null)
  expect(await runInDurableObject(session(), (_, { storage }) => [...storage.kv.list()])).toEqual([])
})

const hello = (session: string, secret: string | undefined, host = 'host') => ({
  ...{ type: 'hello', ...spoken, agent_id: 'worker', session, host, version: '1', capabilities: ['llm'], slots: 4 },
  ...(secret && { secret }),
})
const [mine, theirs] = ['secret-of-the-real-agent', 'secret-of-somebody-else']
async function enter(session: string, secret: string | undefined, host?: string) {
  const agent = await dial(fleet())
  agent.say(hello(session, secret, host))
  return agent
}

test("[FLEET21] nobody joins under another agent's name, and the operator sees who tried", async () => {
  const real = await enter('session-1', mine)
  await real.until('welcome')
  expect(await (await enter('session-2', theirs, 'intruder')).closed).toBe(closeCodes.nameTaken)
  expect(await (await enter('session-3', undefined)).closed).toBe(closeCodes.badFrame)
  real.say({ type: 'heartbeat', free_slots: 4, running: 0, draining: false })
  await real.until('assign')
  const { agents, refused } = await fleet().overview()
  expect(agents.map((agent) => agent.session)).toEqual(['session-1'])
  expect(JSON.stringify(agents)).not.toContain(mine)
  expect(refused).toMatchObject([{ agent_id: 'worker', host: 'intruder', times: 1 }])
})

test('[FLEET21] a restarted agent takes its own name over at once, also after the object was evicted; a forgotten name is free', async () => {
  const first = await enter('session-1', mine)
  await first.until('welcome')
  const second = await enter('session-2', mine)
  await second.until('welcome')
  expect(await first.closed).toBe(closeCodes.replaced)
  await evictDurableObject(fleet())
  expect(await (await enter('session-3', theirs)).closed).toBe(closeCodes.nameTaken)
  expect(await fleet().forget('nobody')).toBe(false)
  expect(await fleet().forget('worker')).toBe(true)
  await (await enter('session-4', theirs)).until('welcome')
  expect((await fleet().overview()).refused).toEqual([])
  expect(await (await enter('session-5', mine)).closed).toBe(closeCodes.nameTaken)
})
