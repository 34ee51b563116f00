import { expect, test } from 'vitest'
import { type LiveEntry, LiveMessage, mostWatched, type Watched } from '#shared/contract/live.ts'
import { handClock, settled } from '#shared/run/testing/hand-clock.ts'
import type { Trial, TrialState } from '#shared/run/trial-store.ts'
import { createWatchedTrials, mostViewers, trialsIn } from './watched-trials.ts'

const startMs = 1_000_000
const delta = (from: number, text: string): LiveEntry => ({ type: 'delta', call: 1, role: 'model', part: 'text', from, text })

/** A run whose trials and agents are as the test says. */
function openRun() {
  const states = new Map<number, TrialState>()
  const agents = new Set<string>()
  const said: [string, Watched[]][] = []
  const clock = handClock(startMs)
  const watched = createWatchedTrials(
    {
      find: (ordinal) => states.get(ordinal) && ({ ordinal, benchmark: 'alpha', item_id: '0', epoch: 0, ...states.get(ordinal) } as Trial),
      isConnected: (session) => agents.has(session),
      say: (session, trials) => void said.push([session, trials]),
    },
    clock,
  )
  const lease = (ordinal: number, session: string, attempt = 1) =>
    states.set(ordinal, { state: 'leased', session, attempt, deaths: 0, begun: true })
  /** Something happened to these trials. */
  const happened = (...ordinals: number[]) =>
    watched.changed([
      {
        event_type: 'trials_leased',
        benchmark_name: null,
        message: '',
        at: '',
        data: { session: 'a', leases: ordinals.map((one) => [one, 1]) },
      } as never,
    ])
  return { states, agents, said, clock, watched, lease, happened }
}

/** A viewer's end: what was read, and whether the stream was closed; one that is `slow` reads only when told. */
function viewer(slow = false) {
  const read: LiveMessage[] = []
  const pending: (() => void)[] = []
  const state = { closed: false, gone: false, writes: 0 }
  const pipe = {
    write(bytes: Uint8Array) {
      state.writes++
      const data = /^data: (.*)$/m.exec(new TextDecoder().decode(bytes))?.[1]
      const take = () => void (data && read.push(LiveMessage.parse(JSON.parse(data))))
      if (state.gone) return Promise.reject(new Error('gone'))
      if (!slow) return Promise.resolve(take())
      return new Promise<void>((resolve) => pending.push(() => resolve(take())))
    },
    async close() {
      state.closed = true
    },
  }
  return { pipe, read, state, next: () => pending.shift()!() }
}

test('[LIVE7] a viewer waits for a trial to begin, is told it from its start as it comes, and that it has ended', async () => {
  const { watched, states, agents, said, lease, happened } = openRun()
  states.set(3, { state: 'pending', attempt: 0, deaths: 0 })
  const one = viewer()
  expect(watched.follow(one.pipe, 3)).toBe(true)
  await settled()
  expect(one.read).toEqual([{ type: 'waiting', why: 'not-begun' }])
  agents.add('a')
  lease(3, 'a')
  happened(4)
  expect(said).toEqual([])
  happened(3)
  expect(said).toEqual([['a', [{ ordinal: 3, attempt: 1, watch: startMs }]]])
  watched.told('a', { watch: startMs, from_start: false, entries: [delta(5, 'lost')] })
  watched.told('b', { watch: startMs, from_start: true, entries: [delta(0, 'not its own')] })
  watched.told('a', { watch: startMs, from_start: true, entries: [delta(0, 'It')] })
  await settled()
  watched.told('a', { watch: startMs, from_start: false, entries: [delta(2, ' is')] })
  const late = viewer()
  watched.follow(late.pipe, 3)
  await settled()
  expect(one.read.slice(1)).toMatchObject([
    { type: 'reset', attempt: 1, gap: false, entries: [{ part: 'reasoning', text: '' }, { text: 'It' }] },
    { type: 'entries', entries: [{ from: 2, text: ' is' }] },
  ])
  expect(late.read).toMatchObject([{ type: 'reset', entries: [{ text: '' }, { text: 'It is' }] }])
  states.set(3, { state: 'done', attempt: 1, deaths: 0, outcome: 'right', failure: null, group: null })
  happened(3)
  await settled()
  expect([one.read.at(-1), late.read.at(-1), one.state.closed, watched.size()]).toEqual([{ type: 'done' }, { type: 'done' }, true, 0])
  expect(said.at(-1)).toEqual(['a', []])
  const after = viewer()
  watched.follow(after.pipe, 3)
  await settled()
  expect([after.read, after.state.closed]).toEqual([[{ type: 'done' }], true])
})

test('[LIVE7] an attempt that follows another begins anew, under a number that no object gave before; nobody tells what nobody watches', async () => {
  const { watched, agents, said, lease, happened, clock } = openRun()
  agents.add('a').add('b')
  lease(3, 'a')
  const one = viewer()
  watched.follow(one.pipe, 3)
  watched.told('a', { watch: startMs, from_start: true, entries: [delta(0, 'first')] })
  await settled()
  lease(3, 'b', 2)
  happened(3)
  await settled()
  watched.told('a', { watch: startMs, from_start: false, entries: [delta(5, ' late')] })
  expect(said.slice(1)).toEqual([
    ['a', []],
    ['b', [{ ordinal: 3, attempt: 2, watch: startMs + 1 }]],
    ['a', []], // it is told again to whoever goes on
  ])
  watched.told('b', { watch: startMs + 1, from_start: true, entries: [] })
  await settled()
  expect(one.read.slice(-2)).toEqual([
    { type: 'waiting', why: 'not-begun' },
    { type: 'reset', attempt: 2, gap: false, entries: [] },
  ])
  one.state.gone = true
  clock.advance(15_000) // a heartbeat finds out that nobody reads
  await settled()
  expect([watched.size(), said.at(-1), clock.timers()]).toEqual([0, ['b', []], 0])
})

test('[LIVE8] a viewer that reads slowly is skipped and then told what there is by now; it costs one write at a time', async () => {
  const { watched, agents, lease } = openRun()
  agents.add('a')
  lease(3, 'a')
  const slow = viewer(true)
  const quick = viewer()
  watched.follow(slow.pipe, 3)
  watched.follow(quick.pipe, 3)
  watched.told('a', { watch: startMs, from_start: true, entries: [delta(0, '')] })
  let text = ''
  for (let at = 0; at < 100; at++) {
    await settled()
    watched.told('a', { watch: startMs, from_start: false, entries: [delta(text.length, 'x'.repeat(1000))] })
    text += 'x'.repeat(1000)
  }
  expect(slow.state.writes).toBe(1)
  slow.next()
  await settled()
  expect(slow.state.writes).toBe(2)
  slow.next()
  await settled()
  expect(slow.read).toMatchObject([{ type: 'waiting' }, { type: 'reset', gap: true }])
  const [, caught] = slow.read
  const last = caught?.type === 'reset' ? caught.entries.at(-1) : undefined
  expect(last?.type === 'delta' && [last.from + last.text.length, last.text.length <= 65_536]).toEqual([100_000, true])
  expect(quick.read.length).toBe(102)
})

test('[LIVE8] no more than twenty watch one trial and fifty trials of a run are watched', () => {
  const { watched, states } = openRun()
  for (let ordinal = 0; ordinal <= mostWatched; ordinal++) states.set(ordinal, { state: 'pending', attempt: 0, deaths: 0 })
  for (let one = 0; one < mostViewers; one++) expect(watched.follow(viewer().pipe, 0)).toBe(true)
  expect(watched.follow(viewer().pipe, 0)).toBe(false)
  for (let ordinal = 1; ordinal < mostWatched; ordinal++) expect(watched.follow(viewer().pipe, ordinal)).toBe(true)
  expect(watched.follow(viewer().pipe, mostWatched)).toBe(false)
})

test('[LIVE10] a viewer is told when the agent is gone, and goes on when it is back', async () => {
  const { watched, agents, said, lease, clock } = openRun()
  agents.add('a')
  lease(3, 'a')
  lease(4, 'gone')
  const [one, other] = [viewer(), viewer()]
  watched.follow(one.pipe, 3)
  watched.follow(other.pipe, 4)
  watched.told('a', { watch: startMs, from_start: true, entries: [] })
  await settled()
  agents.delete('a')
  watched.gone('a')
  await settled()
  expect([one.read.at(-1), other.read]).toEqual([{ type: 'waiting', why: 'agent-away' }, [{ type: 'waiting', why: 'agent-away' }]])
  clock.advance(2000)
  agents.add('a')
  said.length = 0
  watched.greeted('a')
  expect(said).toEqual([['a', [{ ordinal: 3, attempt: 1, watch: startMs + 2000 }]]])
  watched.greeted('a') // once more, without a word in between
  expect(said.length).toBe(2)
  lease(3, 'gone', 2)
  watched.greeted('a') // what it was told to tell of is another's by now
  watched.told('a', { watch: startMs + 2001, from_start: false, entries: [] })
  expect(said.at(-1)).toEqual(['a', []])
})

test('[LIVE7] what an event says of trials decides which are looked at; one about the whole run is about all of them', () => {
  const event = (event_type: string, data: unknown) => ({ event_type, benchmark_name: null, message: '', at: '', data }) as never
  expect([...trialsIn([event('trials_released', { leases: [[2, 1]], death: true }), event('agent_lost', {})])!]).toEqual([2])
  expect([...trialsIn([event('benchmark_progress', { results: [{ ordinal: 7 }, { ordinal: 8 }] })])!]).toEqual([7, 8])
  expect(trialsIn([event('run_canceled', {})])).toBeUndefined()
})
