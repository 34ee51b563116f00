import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { exampleSpec } from '#db/example-run.ts'
import { type RunDown, RunUp } from '#shared/contract/frame.ts'
import type { Lease } from '#shared/contract/trial.ts'
import { rightAnswer } from './coordinator.contract.ts'
import { connectRun } from './object-coordinator.ts'

const spec = exampleSpec()
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})
const leaseOf = (ordinal: number): Lease => ({ ordinal, attempt: 1, benchmark: 'alpha', item_id: String(ordinal), epoch: 0 })

/** An edge with the connections of one executor; each is welcomed after `before` was said to it, and what it says is heard in order. */
async function start(before: RunDown[] = [], onGrant: (width: number, claimed: boolean) => void = () => undefined) {
  const http = createServer()
  const edge = new WebSocketServer({ server: http })
  const heard: RunUp[] = []
  const waiting = new Set<() => void>()
  let socket: WebSocket | undefined
  const say = (frame: RunDown): void => socket!.send(JSON.stringify(frame))
  edge.on('connection', (opened) => {
    socket = opened
    opened.on('message', (data) => {
      const frame = RunUp.parse(JSON.parse(String(data)))
      heard.push(frame)
      if (frame.type === 'hello') {
        for (const one of before) say(one)
        say({ type: 'welcome', spec, status: 'running', lease_ms: 30_000, renew_ms: 60_000, pulse_ms: 1000, protocol: 7 })
      }
      for (const look of waiting) look()
    })
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const close = (): void => {
    for (const client of edge.clients) client.terminate()
    edge.close()
    http.close()
  }
  ends.push(close)
  const told: string[] = []
  const coordinator = await connectRun(
    {
      edgeUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
      ...{ runId: spec.run_id, token: 'agt_12345678', agentId: 'box', session: 'session-1', pass: () => 'pass' },
    },
    {
      onGrant,
      onAhead: (items) => void told.push(`ahead ${items.map(({ item_id }) => item_id)}`),
      onState: ({ status }) => void told.push(status),
      onWatch: (trials) => void told.push(...trials.map(({ ordinal, attempt, watch }) => `watch ${ordinal}:${attempt} ${watch}`)),
      onDrop: (leases) => void told.push(JSON.stringify(leases)),
      onClosed: (reason) => void told.push(reason),
    },
  )
  ends.unshift(() => void coordinator.close())
  let read = 0
  /** The next frame of a type after those that were asked for before. */
  const next = <T extends RunUp['type']>(type: T): Promise<Extract<RunUp, { type: T }>> =>
    new Promise((resolve) => {
      const look = () => {
        const at = heard.findIndex((frame, place) => place >= read && frame.type === type)
        if (at === -1) return
        read = at + 1
        waiting.delete(look)
        resolve(heard[at] as Extract<RunUp, { type: T }>)
      }
      waiting.add(look)
      look()
    })
  return { coordinator, say, next, heard, told, close, breakOff: () => socket!.terminate() }
}
/** Claims so many trials and gives them. */
async function claim({ coordinator, say, next }: Awaited<ReturnType<typeof start>>, ...ordinals: number[]): Promise<Lease[]> {
  const claimed = coordinator.claim(ordinals.length)
  const { ask, ...asked } = await next('claim')
  expect(asked).toEqual({ type: 'claim', count: ordinals.length })
  say({ type: 'leases', ask, leases: ordinals.map(leaseOf) })
  return claimed
}

test('[LEASE4] an agent that comes back says what it still holds: leases in work, and results that nobody has acknowledged, once each', async () => {
  const run = await start()
  await run.next('hello')
  const [first, second, third] = await claim(run, 0, 1, 2)
  run.coordinator.report(rightAnswer(first!))
  run.coordinator.release([third!])
  expect(await run.next('release')).toEqual({ type: 'release', leases: [[2, 1]] })
  run.breakOff()
  const { holding, session, pass } = await run.next('hello')
  expect({ holding: holding.toSorted(), session, pass }).toEqual({
    holding: [
      [0, 1],
      [1, 1],
    ],
    session: 'session-1',
    pass: 'pass',
  })
  run.coordinator.report(rightAnswer(second!)) // the last lease: nothing waits for more
  const reported = new Set<number>()
  for (let ids: number[] = []; reported.size < 2; ids = []) {
    const { id, results } = await run.next('report')
    ids.push(id)
    for (const { ordinal } of results) reported.add(ordinal)
    for (const one of ids) run.say({ type: 'ack', id: one, refused: 0 })
  }
  await run.coordinator.drained()
  expect(run.coordinator.backlog()).toBe(0)
})

test('[AGENT7] a claim whose answer went with the connection comes back empty, and so does one made without a connection', async () => {
  const run = await start()
  await run.next('hello')
  const lost = run.coordinator.claim(4)
  await run.next('claim')
  run.breakOff()
  expect(await lost).toEqual([])
  await run.next('hello')
  expect(await claim(run, 0)).toEqual([leaseOf(0)])
  run.close()
  for (let answered = false; !answered; ) {
    void run.coordinator.claim(1).then(() => {
      answered = true
    })
    await new Promise((turn) => setImmediate(turn))
  }
  await run.coordinator.close()
  expect(await run.coordinator.claim(1)).toEqual([])
})

test('[LEASE4] leases that answer no claim of ours are left alone, also before the welcome; the key that comes with leases stays', async () => {
  const run = await start([{ type: 'leases', ask: 9, leases: [] }])
  await run.next('hello')
  run.coordinator.release([])
  const claimed = run.coordinator.claim(1)
  const { ask } = await run.next('claim')
  run.say({ type: 'leases', ask, leases: [leaseOf(1)], credential: 'cpk_own' })
  expect(await claimed).toHaveLength(1)
  await claim(run, 2)
  expect(run.coordinator.credential()).toBe('cpk_own') // it comes once
  expect(run.heard.map(({ type }) => type)).toEqual(['hello', 'claim', 'claim'])
})

test('[AGENT12] states, withdrawn trials and the end of the connection reach the executor as they come', async () => {
  const run = await start()
  run.say({ type: 'state', status: 'paused', concurrency: 4, open: 3 })
  run.say({ type: 'drop', leases: [[3, 1]] })
  await claim(run, 0)
  expect(run.told).toEqual(['paused', '[[3,1]]'])
  const claimed = run.coordinator.claim(1)
  await run.next('claim')
  run.say('no frame' as never)
  expect(await claimed).toEqual([])
  expect(run.told.at(-1)).toBe('refused')
})

test('[LANE13] a wish goes out with claims and renewals, and what is granted comes before the leases', async () => {
  const granted: (number | string | boolean)[] = []
  const run = await start([], (width, to_claim) => void granted.push(width, to_claim))
  const claimed = run.coordinator.claim(2, ['coded'], { width: 8, working: 1 })
  expect(await run.next('claim')).toEqual({ type: 'claim', ask: 1, count: 2, benchmarks: ['coded'], width: 8, working: 1 })
  run.say({ type: 'leases', ask: 1, leases: [leaseOf(0)], width: 5 })
  await claimed.then(() => granted.push('leases'))
  run.coordinator.wish!({ width: 3, working: 3 })
  expect(await run.next('renew')).toEqual({ type: 'renew', width: 3, working: 3 })
  run.say({ type: 'state', status: 'running', concurrency: 8, open: 1, width: 3 })
  run.say({ type: 'state', status: 'running', concurrency: 8, open: 1 })
  const again = run.coordinator.claim(1)
  expect(await run.next('claim')).toEqual({ type: 'claim', ask: expect.any(Number), count: 1, width: 3, working: 3 })
  run.say({ type: 'leases', ask: 2, leases: [] })
  await again
  expect(granted).toEqual([5, true, 'leases', 3, false])
})

test('[LIVE4] which trials are watched reaches the executor, and what it tells of them the run', async () => {
  const run = await start([{ type: 'watch', trials: [{ ordinal: 1, attempt: 2, watch: 9 }] }])
  run.coordinator.tellLive!({ watch: 9, from_start: true, entries: [{ type: 'progress', text: 'turn 1' }] })
  expect(await run.next('live')).toEqual({ type: 'live', watch: 9, from_start: true, entries: [{ type: 'progress', text: 'turn 1' }] })
  expect(run.told).toEqual(['watch 1:2 9'])
})

test('[MACH67] for how many of the next trials there is room goes out with claims and renewals, and what may be made ready for reaches the executor', async () => {
  const run = await start()
  const claimed = run.coordinator.claim(1, ['tasks'], { width: 2, working: 0, ahead: 2 })
  expect(await run.next('claim')).toMatchObject({ width: 2, working: 0, ahead: 2 })
  const items = (...ids: string[]) => ids.map((item_id) => ({ benchmark: 'tasks', item_id }))
  run.say({ type: 'leases', ask: 1, leases: [leaseOf(0)], ahead: items('4', '7') })
  await claimed
  run.coordinator.wish!({ width: 2, working: 1, ahead: 2 })
  expect(await run.next('renew')).toMatchObject({ ahead: 2 })
  run.say({ type: 'state', status: 'running', concurrency: 8, open: 1, ahead: items('7') })
  run.say({ type: 'state', status: 'running', concurrency: 8, open: 1 })
  const again = run.coordinator.claim(1)
  await run.next('claim')
  run.say({ type: 'leases', ask: 2, leases: [] })
  await again
  expect(run.told).toEqual(['ahead 4,7', 'ahead 7', 'running', 'running'])
})

test('[LEASE331] the answer to a claim that comes twice has no effect: what it gave is not begun again, not given back, and answers no later claim', async () => {
  const run = await start()
  const answer = { type: 'leases' as const, leases: [leaseOf(7)], ask: 1 }
  const first = run.coordinator.claim(1)
  await run.next('claim')
  run.say(answer)
  run.say(answer)
  expect(await first).toHaveLength(1)
  const second = run.coordinator.claim(1)
  await run.next('claim')
  run.say(answer)
  run.say({ type: 'leases', leases: [leaseOf(8)], ask: 2 })
  expect((await second).map(({ ordinal }) => ordinal)).toEqual([8])
  expect(run.heard.map(({ type }) => type)).not.toContain('release')
})

test('[SIGN15] whoever was refused for a key waits for another, and no longer than the run goes on', async () => {
  const run = await start()
  await run.next('hello')
  void run.coordinator.claim(1)
  const { ask } = await run.next('claim')
  run.say({ type: 'leases', ask, leases: [], credential: 'cak_1' })
  await expect.poll(() => run.coordinator.credential()).toBe('cak_1')
  const renewed = run.coordinator.renewCredential!('cak_1')
  expect(await run.next('renew')).toEqual({ type: 'renew', refused: hash('sha256', 'cak_1') })
  const state = { type: 'state', status: 'running', concurrency: 1, open: 1 } as const
  run.say({ ...state, credential: 'cak_2' })
  await renewed
  expect(run.coordinator.credential()).toBe('cak_2')
  await run.coordinator.renewCredential!('cak_1') // there is another already
  const gone = run.coordinator.renewCredential!('cak_2')
  await run.next('renew')
  run.say({ ...state, status: 'paused' })
  await gone
  expect(run.coordinator.credential()).toBe('cak_2')
})
