import { expect, test } from 'vitest'
import { tellsSandy } from '#shared/contract/sandy.ts'
import { openFleet, run } from './testing/open-fleet.ts'

test('[OPS12] an agent that is drained from here has no new work over a restart of the fleet, is shown as draining, and has its share again', async () => {
  const fleet = openFleet()
  const [a, b] = [await fleet.join('a'), await fleet.join('b')]
  fleet.update(run(1))
  expect(fleet.drain('c', true)).toBe(false)
  expect(fleet.drain('a', true)).toBe(true)
  expect([a.slots(), b.slots()]).toEqual([{}, { 1: 10 }])
  fleet.restart()
  fleet.update(run(2))
  await b.beat()
  expect(a.slots()).toEqual({})
  expect(fleet.overview().agents.map(({ agent_id, draining }) => [agent_id, draining])).toEqual([
    ['a', true],
    ['b', false],
  ])
  expect(fleet.drain('a', false)).toBe(true)
  fleet.pass(2000)
  expect(Object.keys(a.slots()).length).toBeGreaterThan(0)
})

test('[OPS11] Sandy is asked of the first agent that has one; one that does not answer is given up, and a silent one is not asked', async () => {
  const fleet = openFleet()
  await fleet.join('a')
  expect(await fleet.ops().sandy.ask({ what: 'resources' })).toBeNull()
  const able = await fleet.join('b', { capabilities: ['llm', tellsSandy] })
  const asked = fleet.ops().sandy.ask({ what: 'metrics', hours: 2 })
  const frame = able.socket.told.at(-1)
  expect(frame).toMatchObject({ type: 'sandy', question: { what: 'metrics', hours: 2 } })
  await able.say({ type: 'sandy', ask: frame?.type === 'sandy' ? frame.ask : 0, answer: { ok: true, body: '[]' } })
  expect(await asked).toEqual({ ok: true, body: '[]' })
  const late = fleet.ops().sandy.ask({ what: 'resources' })
  fleet.pass(25_000)
  expect(await late).toEqual({ ok: false, why: 'Agent b does not answer' })
  const told = able.socket.told.length
  const silent = fleet.ops().sandy.ask({ what: 'resources' })
  expect(able.socket.told).toHaveLength(told)
  expect(await silent).toBeNull()
})

test('[OPS8] heartbeats leave one sample a minute of how full the fleet is', async () => {
  const fleet = openFleet()
  const a = await fleet.join('a')
  await a.beat(false, { running: 3 })
  fleet.pass(60_000)
  await a.beat(false, { running: 7 })
  await a.beat(false, { running: 8 })
  expect(fleet.ops().load(60)).toMatchObject([
    { agents: 1, slots: 10, working: 3, by_agent: { a: 3 } },
    { working: 7, by_agent: { a: 7 } },
  ])
})

test('[OPS16] heartbeats say how much of the machine is in use; an agent that does not say it has no entry', async () => {
  const fleet = openFleet()
  const [a, b] = [await fleet.join('a'), await fleet.join('b')]
  const usage = { cpu_ratio: 0.5, memory_ratio: 0.25, disk_ratio: null }
  const before = fleet.saved.length
  await a.beat(false, { usage })
  await b.beat()
  fleet.pass(60_000)
  await b.beat()
  expect(fleet.overview().agents.map(({ agent_id, usage: told }) => [agent_id, told])).toEqual([
    ['a', usage],
    ['b', undefined],
  ])
  expect(fleet.ops().load(60).at(-1)?.usage).toEqual({ a: usage })
  expect(fleet.saved).toHaveLength(before)
})
