import { expect, test } from 'vitest'
import type { Resources } from '#shared/contract/resources.ts'
import { secondsText } from './agent.ts'
import { assign, first, resources, second, startStage } from './testing/agent-stage.ts'

test('[FLEET10] a run that is withdrawn while its connection is being made is not connected to later', async () => {
  const { fleet, hello, runs, until, welcomed } = await startStage()
  expect(hello.agent_id).toBe('box')
  fleet.say(assign([first, 4]))
  const late = await until(() => runs[0])
  await late.next('hello')
  fleet.say(assign())
  await late.closed
  fleet.say(assign([first, 4]))
  const again = await until(() => runs[1])
  await again.next('hello')
  await welcomed(again)
  expect(runs).toHaveLength(2)
})

test('[FLEET10] an agent joins the runs it is assigned, once each, and leaves one that is withdrawn', async () => {
  const { fleet, hello, runs, until, welcomed } = await startStage()
  expect(hello).toMatchObject({ agent_id: 'box', slots: 8, capabilities: ['llm'], resources })
  fleet.say(assign([first, 4], [second, 4]))
  await until(() => runs[1])
  expect(runs.map(({ path }) => path).sort()).toEqual([first, second].map((id) => `/api/runs/${id}/socket`))
  for (const run of runs) {
    expect(await run.next('hello')).toMatchObject({ agent_id: 'box', session: hello.session, holding: [] })
    await welcomed(run)
  }
  const kept = runs.find(({ path }) => path.includes(second))!
  const withdrawn = runs.find(({ path }) => path.includes(first))!
  fleet.say(assign([second, 8]))
  await withdrawn.next('leave')
  await withdrawn.closed
  expect(kept.heard.map(({ type }) => type)).not.toContain('leave')
  expect(runs).toHaveLength(2)
})

test('[FLEET10] a run that was withdrawn can be assigned again', async () => {
  const { fleet, runs, log, until, welcomed } = await startStage()
  fleet.say(assign([first, 4]))
  const before = await until(() => runs[0])
  await before.next('hello')
  await welcomed(before)
  fleet.say(assign())
  await before.next('leave')
  await until(() => log.find((line) => line === `run ${first} let-go`))
  fleet.say(assign([first, 4]))
  expect((await until(() => runs[1])).path).toContain(first)
})

test('[AGENT32] an agent that drains says so, joins nothing more, leaves its runs and ends', async () => {
  const { agent, fleet, runs, until, welcomed } = await startStage()
  fleet.say({ type: 'welcome', protocol: 7, heartbeat_ms: 600_000, pool: 'default' })
  fleet.say(assign([first, 4]))
  const run = await until(() => runs[0])
  await run.next('hello')
  await welcomed(run)
  const drained = agent.drain()
  expect(await fleet.next('heartbeat')).toEqual({ type: 'heartbeat', free_slots: 8, running: 0, draining: true })
  fleet.say(assign([first, 4], [second, 4]))
  await drained
  expect(await agent.finished).toEqual({ type: 'drained' })
  await fleet.closed
  await run.closed
  expect(run.heard.at(-1)).toEqual({ type: 'leave' })
  expect(runs).toHaveLength(1)
})

test('[AGENT60] a heartbeat comes as often as the fleet asks for, and says what is free', async () => {
  const { fleet } = await startStage()
  fleet.say({ type: 'welcome', protocol: 7, heartbeat_ms: 5, pool: 'default' })
  for (let n = 0; n < 3; n++)
    expect(await fleet.next('heartbeat')).toEqual({ type: 'heartbeat', free_slots: 8, running: 0, draining: false })
})

test('[ITEMS5] an agent that can lists the items it is asked for, or says why it cannot, and says in its hello that it does', async () => {
  const list = { keys: ['a', null], groups: ['g'], group_of: [0, null] }
  const data = { source: 'pinned' as const, repo: 'r', revision: 'a'.repeat(40), files: [] }
  const of = (name: string) => ({ name: name as never, version: 1, profile: 'official', total_items: 2, data })
  const asked: string[] = []
  const { fleet, hello } = await startStage(undefined, async ({ name }) => {
    asked.push(name)
    if (name === 'broken') throw new Error('no room')
    const failure = { at: 'dataset' as const, reason: 'gated' as const, retryable: false, status: null, detail: 'Ask for access.' }
    return name === 'gated' ? { ok: false, failure } : { ok: true, value: list }
  })
  expect(hello).toMatchObject({ lists: true })
  const answers: unknown[] = []
  for (const [at, name] of ['open', 'gated', 'broken'].entries()) {
    fleet.say({ type: 'list', ask: String(at).repeat(64), of: of(name) })
    answers.push(await fleet.next('listed'))
  }
  expect(asked).toEqual(['open', 'gated', 'broken'])
  expect(answers).toEqual([
    { type: 'listed', ask: '0'.repeat(64), list, why: null },
    { type: 'listed', ask: '1'.repeat(64), list: null, why: 'Ask for access.' },
    { type: 'listed', ask: '2'.repeat(64), list: null, why: 'This agent could not list the items: no room' },
  ])
})

test('[FLEET10] a run that refuses the agent is forgotten and may be assigned again', async () => {
  const { fleet, runs, log, until } = await startStage()
  fleet.say(assign([first, 4]))
  const run = await until(() => runs[0])
  run.say({ type: 'nonsense' } as never)
  await until(() => log.find((line) => line.startsWith(`run ${first} refused: The edge sent a frame`)))
  fleet.say(assign([first, 4]))
  await until(() => runs[1])
})

test('[FLEET10] an agent works with the slots that it was assigned last', async () => {
  const { fleet, runs, widths, until, welcomed } = await startStage()
  fleet.say(assign([first, 4]))
  const run = await until(() => runs[0])
  await run.next('hello')
  fleet.say(assign([first, 7], [second, 1]))
  await until(() => runs[1]) // by then it has read the newer assignment
  await welcomed(run)
  expect(widths).toEqual([7])
})

test('[FLEET10] a run that was left or refused is tried again at the next heartbeat, as nothing is told twice', async () => {
  const { fleet, runs, until, log } = await startStage()
  fleet.say({ type: 'welcome', protocol: 7, heartbeat_ms: 5, pool: 'default' })
  fleet.say(assign([first, 4]))
  const run = await until(() => runs[0])
  run.say({ type: 'nonsense' } as never)
  await until(() => log.find((line) => line.includes('refused: The edge sent a frame')))
  expect((await until(() => runs[1])).path).toContain(first)
})

test('[AGENT31] how long until the next try is said in tenths of a second, from a second on in whole ones', () => {
  expect([125, 250, 940, 1_000, 1_499, 15_000].map(secondsText)).toEqual(['0.1 s', '0.3 s', '0.9 s', '1 s', '1 s', '15 s'])
})

test('[OBS4] an agent tells how it is, what it is connected to, and what it lost', async () => {
  const { agent, fleet, runs, log, metrics, until, welcomed } = await startStage()
  fleet.say({ type: 'welcome', protocol: 7, heartbeat_ms: 600_000, pool: 'default' })
  fleet.say(assign([first, 4]))
  const run = await until(() => runs[0])
  await run.next('hello')
  await welcomed(run)
  expect(metrics()).toEqual(
    expect.arrayContaining([
      'bench_agent_connected 1',
      'bench_agent_draining 0',
      'bench_agent_slots 8',
      'bench_agent_working 0',
      'bench_agent_runs 1',
      'bench_agent_backlog 0',
      'bench_agent_connections_total{to="fleet",event="opened"} 1',
      'bench_agent_connections_total{to="run",event="opened"} 1',
      'bench_agent_connections_total{to="fleet",event="lost"} 0',
    ]),
  )
  fleet.cut()
  await until(() => log.find((line) => line.startsWith('lost ')))
  expect(metrics()).toEqual(expect.arrayContaining(['bench_agent_connected 0', 'bench_agent_connections_total{to="fleet",event="lost"} 1']))
  await agent.drain()
  expect(metrics()).toEqual(expect.arrayContaining(['bench_agent_draining 1', 'bench_agent_connections_total{to="run",event="lost"} 0']))
  expect(metrics().join()).not.toContain('bench_agent_runs 1')
})

test.each(['before', 'after'])('[LANE22] an agent joins at once and says what it found %s it was welcomed', async (when) => {
  const tried = Promise.withResolvers<Resources>()
  const { agent, fleet, hello, log, until } = await startStage(tried.promise)
  const found: Resources = { ...resources, sandboxes: [{ kinds: ['bwrap'], cpus: 8, memory_mb: 9000, disk_mb: 3000 }] }
  expect(hello.resources).toEqual(resources)
  const welcome = () => fleet.say({ type: 'welcome', protocol: 7, heartbeat_ms: 600_000, pool: 'default' })
  const welcomed = () => until(() => log.find((line) => line.startsWith('connected')))
  if (when === 'after') {
    welcome()
    await welcomed()
  }
  tried.resolve(found)
  await tried.promise
  if (when === 'before') welcome()
  expect(await fleet.next('hello')).toMatchObject({ session: hello.session, secret: hello.secret, slots: 8, resources: found })
  welcome()
  await agent.drain()
  await fleet.closed
  expect(fleet.heard.map(({ type }) => type)).toEqual(['hello', 'hello', 'heartbeat'])
  expect(log.filter((line) => line.startsWith('connected'))).toHaveLength(1)
})
