import { evictDurableObject, reset, runInDurableObject } from 'cloudflare:test'
import { afterEach, expect, test } from 'vitest'
import { dial, greeted, hello, specOf, stubOf } from './testing/agent-socket.ts'

// No object, alarm or socket of one test lives on beside the next, or beyond the last.
afterEach(() => reset())

const pulseOf = (in_flight: number) => ({
  stage: 'working' as const,
  models: [
    {
      provider: 'demo',
      model: 'model',
      in_flight,
      waiting: 4,
      hold: 'circuit' as const,
      next_try_ms: 9000,
      attempt: 2,
      attempts: 5,
      failed: 20,
      failure: { reason: 'overloaded' as const, status: 503, detail: 'full' },
      slowest: null,
    },
  ],
})

test('[RUN71] what agents do now is asked for, told to whoever asks and to viewers who want it, and stored nowhere', async () => {
  const id = '00000000-0000-4000-8000-0000000000ad'
  await stubOf(id).create(specOf(id))
  const agent = await dial(id)
  agent.say(hello('session-1'))
  expect((await agent.until('welcome')).pulse_ms).toBe(1000)
  const before = await stubOf(id).head()
  agent.say({ type: 'pulse', ...pulseOf(1) })
  agent.say({ type: 'claim', ask: 1, count: 2 })
  await agent.until('leases')
  expect(await stubOf(id).pulse()).toMatchObject({
    agents: { joined: 1, silent: 0 },
    models: [{ in_flight: 1, waiting: 4, hold: 'circuit' }],
  })
  const read = async (query: string) => {
    const reader = (await stubOf(id).fetch(`http://edge/events?audience=owner&cursor=latest${query}`)).body!.getReader()
    const decoder = new TextDecoder()
    return {
      /** Reads on until the stream has sent this. */
      async until(wanted: string): Promise<string> {
        for (let text = ''; ; ) {
          const { value, done } = await reader.read()
          if (done) throw new Error(`the stream ended without ${wanted}: ${text}`)
          text += decoder.decode(value, { stream: true })
          if (text.includes(wanted)) return text
        }
      },
      close: () => reader.cancel(),
    }
  }
  const [wants, plain] = [await read('&pulse=1'), await read('')]
  expect(await wants.until('event: pulse')).toContain('"in_flight":1')
  agent.say({ type: 'pulse', ...pulseOf(2) })
  expect(await wants.until('"in_flight":2')).toMatch(/^event: pulse\ndata: \{"event_type":"pulse","pulse":\{.*\n\n$/)
  await stubOf(id).command({ type: 'pause' })
  expect(await plain.until('run_paused')).not.toContain('pulse')
  await Promise.all([wants.close(), plain.close()])
  const after = await stubOf(id).head()
  expect(JSON.stringify(after)).not.toContain('circuit')
  expect(after!.seq - before!.seq).toBe(3) // started, benchmark started, paused
  await stubOf(id).command({ type: 'cancel' })
  expect(await stubOf(id).pulse()).toBeNull()
})

test('[RUN72] an object that was evicted tells by the leases when its agents were heard last', async () => {
  const id = '00000000-0000-4000-8000-0000000000ae'
  await stubOf(id).create(specOf(id))
  const agent = await greeted(id)
  agent.say({ type: 'claim', ask: 2, count: 3 })
  await agent.until('leases')
  agent.say({ type: 'pulse', ...pulseOf(3) })
  await runInDurableObject(stubOf(id), (_, { storage }) => {
    const head = JSON.parse(storage.sql.exec(`SELECT value FROM meta WHERE key = 'head'`).one().value as string)
    const agents = { 'session-1': { ...head.agents['session-1'], until_ms: Date.now() + 10_000 } }
    storage.sql.exec(`UPDATE meta SET value = ? WHERE key = 'head'`, JSON.stringify({ ...head, agents }))
  })
  await evictDurableObject(stubOf(id))
  const { agents, models } = (await stubOf(id).pulse())!
  expect(agents).toMatchObject({ joined: 1, silent: 1, held: 3 })
  expect([Math.round(agents.silent_ms! / 10_000), Math.round(agents.freed_in_ms! / 10_000)]).toEqual([2, 1])
  expect(models).toEqual([])
})
