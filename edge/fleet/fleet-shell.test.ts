import { expect, test } from 'vitest'
import { closeCodes } from '#shared/contract/frame.ts'
import type { Resources } from '#shared/contract/resources.ts'
import { graceMs, leaseMs, renewMs } from '#shared/run/lease.ts'
import type { MatchPart } from '#shared/run/match/fleet.ts'
import { alpha, openFleet, run } from './testing/open-fleet.ts'

test('[FLEET70] an agent silent for a lease loses its place to the others, its socket open, and has it back with its next heartbeat', async () => {
  const fleet = openFleet()
  const [a, b] = [await fleet.join('a'), await fleet.join('b')]
  fleet.update(run(1))
  expect([a.slots(), b.slots()]).toEqual([{ 1: 5 }, { 1: 5 }])
  fleet.pass(leaseMs - 1)
  await b.beat()
  expect(b.slots()).toEqual({ 1: 5 })
  fleet.pass(1)
  await b.beat()
  expect([a.slots(), b.slots()]).toEqual([{}, { 1: 10 }])
  expect(fleet.overview().agents.map(({ agent_id }) => agent_id)).toEqual(['a', 'b']) // it is still shown
  fleet.pass(renewMs)
  await a.beat()
  expect([a.slots(), b.slots()]).toEqual([{ 1: 5 }, { 1: 5 }])
})

test('[FLEET93] a heartbeat is answered with a word, and an assignment is told only to whom it has changed', async () => {
  const fleet = openFleet()
  const [a, b] = [await fleet.join('a'), await fleet.join('b')]
  fleet.update(run(1, { concurrency: 20 }))
  fleet.pass(60_000 - leaseMs - 20_000)
  for (const agent of [a, b]) agent.socket.told.length = 0
  for (let n = 0; n < 3; n++) {
    fleet.pass(renewMs)
    for (const agent of [a, b]) await agent.beat()
  }
  expect([a.socket.told, b.socket.told]).toEqual([1, 2].map(() => [1, 2, 3].map(() => ({ type: 'heard' }))))
  const c = await fleet.join('c', { slots: 1 })
  c.socket.told.length = 0
  fleet.update(run(2, { concurrency: 1 }))
  const told = [a, b, c].filter(({ socket }) => socket.told.some((frame) => frame.type === 'assign'))
  expect(told.length).toBeLessThan(3)
  fleet.update(run(2, { concurrency: 1 })) // the same again
  fleet.pass(5000)
  expect(fleet.saved.filter((row) => row === 'a true')).toHaveLength(1)
})

test('[FLEET93] changes are taken up at once after a calm, then once a second', async () => {
  const fleet = openFleet()
  const a = await fleet.join('a', { slots: 1000 })
  fleet.pass(60_000)
  await a.beat()
  a.socket.told.length = 0
  for (let n = 1; n <= 9; n++) for (const concurrency of [5, 6]) fleet.update(run(n, { concurrency }))
  const atOnce = a.socket.told.length
  expect(atOnce).toBeLessThanOrEqual(5)
  fleet.pass(1000)
  expect(a.socket.told.length).toBe(atOnce + 1)
  expect(Object.values(a.slots())).toEqual(Array.from({ length: 9 }, () => 6))
  fleet.update(run(1, { concurrency: 7 }))
  expect(a.slots()).toMatchObject({ 1: 6 })
  fleet.pass(1000)
  expect(a.slots()).toMatchObject({ 1: 7 })
})

test('[FLEET94] an agent whose connection broke keeps its place for the grace time; one that left on purpose gives it up at once', async () => {
  const fleet = openFleet()
  const [a, b] = [await fleet.join('a'), await fleet.join('b')]
  fleet.update(run(1))
  a.leave(1006)
  await b.beat()
  expect(b.slots()).toEqual({ 1: 5 })
  const again = await fleet.join('a')
  expect([again.slots(), b.slots()]).toEqual([{ 1: 5 }, { 1: 5 }])
  again.leave(1006)
  fleet.pass(graceMs)
  await b.beat()
  expect(b.slots()).toEqual({ 1: 10 })
  const third = await fleet.join('a')
  expect([third.slots(), b.slots()]).toEqual([{ 1: 5 }, { 1: 5 }])
  third.leave(1000)
  expect(b.slots()).toEqual({ 1: 10 })
  expect(fleet.overview()).toMatchObject({ agents: [{ agent_id: 'b' }], runs: [{ agents: 1, slots: 10 }] })
})

test('[FLEET94] the object may sleep, or lose every connection, and nobody’s work moves', async () => {
  const fleet = openFleet()
  const agents = [await fleet.join('a'), await fleet.join('b'), await fleet.join('c')]
  for (const n of [1, 2, 3]) fleet.update(run(n))
  fleet.pass(1000)
  const before = agents.map((agent) => agent.slots())
  expect(before.map((slots) => Object.values(slots).reduce<number>((sum, one) => sum + Number(one), 0))).toEqual([10, 10, 10])
  fleet.restart()
  for (const agent of agents) await agent.beat()
  fleet.pass(2000)
  expect(agents.map((agent) => agent.slots())).toEqual(before)
  fleet.cut() // as a deployment does
  fleet.restart()
  const back = []
  for (const name of ['c', 'a', 'b']) {
    fleet.pass(2000)
    back.push(await fleet.join(name))
  }
  fleet.pass(2000)
  expect([back[1]!.slots(), back[2]!.slots(), back[0]!.slots()]).toEqual(before)
})

test('[FLEET21] a process that takes its name over again has its predecessor’s room, and only once', async () => {
  const fleet = openFleet()
  const a = await fleet.join('a')
  fleet.update(run(1))
  const next = await fleet.join('a', { session: 'session-after' })
  expect([a.socket.closed, next.slots()]).toEqual([closeCodes.replaced, { 1: 10 }])
  expect(fleet.overview().agents).toHaveLength(1)
  await fleet.join('b', { secret: 'not the secret of b at all' })
  a.leave(1006) // the old connection's end comes late
  expect(fleet.overview().agents.map(({ session }) => session)).toEqual(['session-after', 'session-b'])
})

test('[LANE10] an agent is told what it is to do of each part of a run, and is given sandboxes only of kinds it has proved', async () => {
  const fleet = openFleet()
  const proof = { kind: 'docker', ok: true, probed: 'start', detail: '', at: '2026-01-01T00:00:00.000Z' } as const
  const resources: Resources = {
    machine: { cpus: 8, memory_mb: 16_384, disk_mb: 100_000 },
    sandboxes: [{ kinds: ['bwrap', 'docker'], cpus: 6, memory_mb: 12_288, disk_mb: 50_000 }],
    proofs: [proof, { ...proof, kind: 'bwrap', ok: false, detail: 'it runs as root' }],
  }
  const needs = { cpus: 2, memory_mb: 1024, disk_mb: 1000, images: [] }
  const parts = (kind: 'bwrap' | 'docker'): MatchPart[] => [
    alpha,
    { ...alpha, benchmarks: ['coded'], sandbox: { ...needs, kinds: [kind] } },
  ]
  const a = await fleet.join('a', { resources })
  fleet.update(run(1, { concurrency: 100, parts: parts('docker') }))
  fleet.update(run(2, { concurrency: 4, owner_id: 'p', parts: parts('bwrap') }))
  fleet.pass(1000)
  const last = a.socket.told.filter((frame) => frame.type === 'assign').at(-1)!
  const sharesOf = Object.fromEntries(last.runs.map(({ run_id, shares }) => [run_id.at(-1), shares]))
  expect(sharesOf[1]).toContainEqual({ benchmarks: ['coded'], slots: 3 })
  expect(sharesOf[2]).toEqual([{ benchmarks: ['alpha'], slots: 4 }])
  expect(fleet.overview().agents[0]!.resources).toEqual(resources)
})

test('[FLEET98] how often an agent stood still is known from its last heartbeat, and is no news for the record', async () => {
  const fleet = openFleet()
  const a = await fleet.join('a')
  await a.beat()
  expect(fleet.overview().agents[0]).not.toHaveProperty('blocks')
  const before = fleet.saved.length
  await a.beat(false, { blocks: { count: 2, longest_ms: 130 } })
  expect(fleet.overview().agents[0]!.blocks).toEqual({ count: 2, longest_ms: 130 })
  await a.beat(false, { blocks: { count: 0, longest_ms: 0 } })
  expect(fleet.overview().agents[0]!.blocks).toEqual({ count: 0, longest_ms: 0 })
  expect(fleet.saved).toHaveLength(before)
})

test('[LEASE5] the hello of an agent process that was killed does not end the next process of its name', async () => {
  const fleet = openFleet()
  fleet.update(run(1))
  const next = await fleet.join('a', { session: 'session-2' })
  const late = await fleet.join('a', { session: 'session-1' }, 999_999)
  expect([late.socket.closed, next.socket.closed]).toEqual([closeCodes.tryAgain, null])
  expect(next.slots()).toEqual({ 1: 10 })
  expect(late.slots()).toEqual({})
})
