import { evictDurableObject, reset, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { afterEach, expect, test } from 'vitest'
import { exampleTrial } from '#db/example-run.ts'
import type { RunUp } from '#shared/contract/frame.ts'
import type { PackedRecord } from '#shared/contract/packed.ts'
import { openingHash } from '#shared/run/openings.ts'
import { dial, greeted, hello, specOf, stubOf } from './testing/agent-socket.ts'

// No object, alarm or socket of one test lives on beside the next, or beyond the last.
afterEach(() => reset())

test('[RUN13] an object that was evicted goes on where it was: same state, same leases, same numbers', async () => {
  const id = '00000000-0000-4000-8000-00000000000a'
  await stubOf(id).create(specOf(id))
  const agent = await greeted(id)
  agent.say({ type: 'claim', ask: 1, count: 4 })
  const { leases } = await agent.until('leases')
  expect(leases.map((lease) => lease.ordinal)).toEqual([0, 1, 2, 3])
  const before = await stubOf(id).head()
  await evictDurableObject(stubOf(id))
  expect(await stubOf(id).head()).toEqual(before)
  const again = await dial(id)
  again.say(
    hello('session-1', [
      [0, 1],
      [1, 1],
    ]),
  )
  await again.until('welcome')
  again.say({ type: 'claim', ask: 2, count: 2 })
  expect((await again.until('leases')).leases.map((lease) => [lease.ordinal, lease.attempt])).toEqual([
    [2, 2],
    [3, 2],
  ])
})

test('[RUN14] an alarm never throws and comes again while the database is away', async () => {
  const id = '00000000-0000-4000-8000-00000000000b'
  await stubOf(id).create(specOf(id))
  expect(await runDurableObjectAlarm(stubOf(id))).toBe(true)
  await runInDurableObject(stubOf(id), async (_object, state) => {
    expect(await state.storage.getAlarm()).toBeGreaterThan(0)
    expect(state.storage.sql.exec('SELECT COUNT(*) AS n FROM event').one().n).toBe(1)
  })
  expect((await stubOf(id).head())?.status).toBe('queued')
})

test('[RUN80] an object that only waits for its next alarm can sleep: a database that is away holds it for no longer than its answer takes', async () => {
  const id = '00000000-0000-4000-8000-00000000001b'
  await stubOf(id).create(specOf(id))
  await greeted(id)
  const before = await stubOf(id).head()
  expect(await runDurableObjectAlarm(stubOf(id))).toBe(true)
  await evictDurableObject(stubOf(id)) // waits for whatever still holds the object
  expect(await stubOf(id).head()).toEqual(before)
}, 10_000) // a query's own clock runs for 15 s

test('[LEASE11] a connection that a newer one of its agent replaced is nobody’s: what it still asks for is not given', async () => {
  const id = '00000000-0000-4000-8000-00000000001c'
  await stubOf(id).create(specOf(id))
  const old = await greeted(id)
  const newer = await dial(id)
  newer.say(hello('session-1'))
  old.say({ type: 'claim', ask: 3, count: 4 })
  await newer.until('welcome')
  expect([4009, 4013]).toContain(await old.closed)
  expect(await stubOf(id).head()).toMatchObject({ leased: 0 })
  newer.say({ type: 'claim', ask: 4, count: 4 })
  expect((await newer.until('leases')).leases).toHaveLength(4)
})

test('[LEASE5] the hello of a process that was killed, come after that of the next, takes nothing from it', async () => {
  const id = '00000000-0000-4000-8000-00000000005c'
  await stubOf(id).create(specOf(id))
  const late = await dial(id)
  const takenInMs = Date.now()
  while (Date.now() === takenInMs) await stubOf(id).head() // the next is taken in at a later millisecond
  const next = await dial(id)
  next.say(hello('session-2'))
  await next.until('welcome')
  await evictDurableObject(stubOf(id)) // what is known of connections outlives the object's sleep
  late.say(hello('session-1'))
  expect(await late.closed).toBe(1013)
  next.say({ type: 'claim', ask: 5, count: 4 })
  expect((await next.until('leases')).leases).toHaveLength(4)
  expect(Object.keys((await stubOf(id).head())!.agents)).toEqual(['session-2'])
})

test('[RUN15] the object tells an older protocol, a stranger and a broken frame apart, and the run is untouched', async () => {
  const id = '00000000-0000-4000-8000-00000000000c'
  await stubOf(id).create(specOf(id))
  const before = await stubOf(id).head()
  const old = await dial(id)
  old.say({ ...(hello('session-1') as object), protocol_min: 0, protocol_max: 2 } as RunUp)
  expect(await old.closed).toBe(4010)
  const broken = await dial(id)
  broken.raw('{"type":"claim","count":-1}')
  expect(await broken.closed).toBe(4013)
  const silent = await dial(id)
  silent.say({ type: 'claim', ask: 6, count: 1 })
  expect(await silent.closed).toBe(4013)
  const lost = await dial('00000000-0000-4000-8000-00000000000d')
  expect(await lost.closed).toBe(4012)
  expect(await stubOf(id).head()).toEqual(before)
})

test('[RUN16] create is repeatable, a command in the wrong state is refused with a sentence', async () => {
  const id = '00000000-0000-4000-8000-00000000000e'
  const first = await stubOf(id).create(specOf(id))
  expect(await stubOf(id).create(specOf(id, 99))).toEqual(first)
  expect(await stubOf(id).command({ type: 'resume' })).toMatchObject({ refused: expect.stringContaining('paused') })
  expect(await stubOf(id).command({ type: 'cancel' })).toMatchObject({ head: { status: 'canceled' } })
  expect(await stubOf('00000000-0000-4000-8000-00000000000f').command({ type: 'cancel' })).toBeNull()
})

test('[RUN17] a report about another item than was leased is refused whole, and the trial is given out again', async () => {
  const id = '00000000-0000-4000-8000-0000000000aa'
  await stubOf(id).create(specOf(id))
  const agent = await greeted(id)
  agent.say({ type: 'claim', ask: 7, count: 2 })
  const [first, second] = (await agent.until('leases')).leases
  const record = exampleTrial(0).record as PackedRecord // it has no opening, so both forms are the same
  agent.say({
    type: 'report',
    id: 1,
    openings: {},
    results: [
      { ...record, ...first! },
      { ...record, ...second!, item_id: 'another' },
    ],
  })
  expect(await agent.closed).toBe(4013)
  expect(await stubOf(id).head()).toMatchObject({ done: 0, leased: 2 })
  const again = await greeted(id)
  again.say({ type: 'claim', ask: 8, count: 2 })
  const { leases } = await again.until('leases')
  again.say({ type: 'report', id: 1, openings: {}, results: leases.map((lease) => ({ ...record, ...lease })) })
  expect(await again.until('ack')).toMatchObject({ refused: 0 })
  expect((await stubOf(id).head())?.done).toBe(2)
})

test('[RUN18] a report that names an unknown opening, or one that its hash does not fit, is refused whole; one sent before is known', async () => {
  const id = '00000000-0000-4000-8000-0000000000ab'
  await stubOf(id).create(specOf(id))
  const [text, hash] = ['Worked examples. ', openingHash('Worked examples. ')]
  const record = exampleTrial(0).record as PackedRecord
  const messages = [{ role: 'user' as const, content: 'And you?', opening: hash }]
  const report = async (openings: Record<string, string>) => {
    const agent = await greeted(id)
    agent.say({ type: 'claim', ask: 9, count: 1 })
    const [lease] = (await agent.until('leases')).leases
    agent.say({ type: 'report', id: 1, openings, results: [{ ...record, ...lease!, messages }] })
    return agent
  }
  expect(await (await report({})).closed).toBe(4013)
  expect(await (await report({ [hash]: 'Other examples.' })).closed).toBe(4013)
  expect((await stubOf(id).head())?.done).toBe(0)
  expect(await (await report({ [hash]: text })).until('ack')).toMatchObject({ refused: 0 })
  expect(await (await report({})).until('ack')).toMatchObject({ refused: 0 })
  expect((await stubOf(id).head())?.done).toBe(2)
})

test('[LEASE10] an agent that the run has given up while its socket stayed open is sent to say hello again', async () => {
  const id = '00000000-0000-4000-8000-0000000000ac'
  await stubOf(id).create(specOf(id))
  for (const type of ['claim', 'renew'] as const) {
    const agent = await greeted(id)
    await runInDurableObject(stubOf(id), (_, { storage }) => {
      const head = JSON.parse(storage.sql.exec(`SELECT value FROM meta WHERE key = 'head'`).one().value as string)
      storage.sql.exec(`UPDATE meta SET value = ? WHERE key = 'head'`, JSON.stringify({ ...head, agents: {} }))
    })
    await evictDurableObject(stubOf(id))
    agent.say(type === 'claim' ? { type, ask: 1, count: 1 } : { type })
    expect(await agent.closed).toBe(1013)
  }
  const again = await greeted(id)
  again.say({ type: 'claim', ask: 10, count: 1 })
  expect((await again.until('leases')).leases).toHaveLength(1)
})

test('[LEASE7] an agent that leaves is let go with its trials open again; one that halts or renews stays', async () => {
  const id = '00000000-0000-4000-8000-0000000000ba'
  await stubOf(id).create(specOf(id))
  const agent = await greeted(id)
  agent.say({ type: 'claim', ask: 11, count: 2 })
  await agent.until('leases')
  agent.say({ type: 'release', leases: [[0, 1]] }) // nothing answers it
  const failure = { at: 'dataset', reason: 'unavailable', retryable: false, status: null, detail: 'away' } as const
  agent.say({ type: 'halt', failure, until: null })
  for (let status = ''; status !== 'paused'; ) ({ status } = await agent.until('state'))
  agent.say({ type: 'leave' })
  expect(await agent.closed).toBe(1000)
  expect(await stubOf(id).head()).toMatchObject({ leased: 0, lost: 0, agents: {} })
})

test('[SEC3] whoever is not said to be the owner or the operator sees a run as a stranger does', async () => {
  const id = '00000000-0000-4000-8000-0000000000bb'
  await stubOf(id).create(specOf(id))
  await greeted(id)
  const opening = async (query: string) => {
    const reader = (await stubOf(id).fetch(`http://edge/events?cursor=latest${query}`)).body!.getReader()
    const { value } = await reader.read()
    await reader.cancel()
    return new TextDecoder().decode(value)
  }
  for (const named of ['owner', 'operator']) expect(await opening(`&audience=${named}`)).toContain('"agent_id":"agent"')
  for (const other of ['', '&audience=stranger', '&audience=admin'])
    expect(await opening(other)).toMatch(/"agents":\{"[0-9a-f]{12}":\{"agent_id":"agent-[0-9a-f]{4}"/)
})
