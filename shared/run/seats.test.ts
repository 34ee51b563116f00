import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RunEvent } from '../contract/event.ts'
import { draws } from '../testing/draws.ts'
import { apply, initialHead, stretchesOf } from './apply.ts'
import type { Command } from './command.ts'
import { decide } from './decide.ts'
import { planTrials } from './plan.ts'
import { grantSeats } from './seats.ts'
import { testSpec } from './testing/test-spec.ts'
import { createMemoryTrials } from './trial-store.ts'

/** A run of 400 trials, and agents that are assigned slots of it and ask as the real ones do; every message takes as long as it likes. */
function open(concurrency: number, sessions: readonly string[]) {
  const spec = { ...testSpec({ benchmarks: [{ name: 'alpha', items: 400, epochs: 1 }] }), concurrency }
  const trials = createMemoryTrials(planTrials(spec))
  let head = initialHead(spec)
  const commit = (command: Command): RunEvent[] => {
    const events = decide(head, trials, command, 0)
    for (const event of events) {
      head = apply(head, event)
      trials.write(event)
    }
    return events
  }
  const line = new Map<string, (() => void)[]>() // what an agent has said or is told, in order
  const agents = new Map(
    sessions.map((session) => [
      session,
      { wish: 0, granted: 0, shrinks: 0, heard: 0, queue: [] as number[], work: [] as number[], asking: false },
    ]),
  )
  for (const session of sessions) commit({ type: 'hello', agent_id: session, session, holding: [] })
  const say = (session: string, work: () => void): void => void line.set(session, [...(line.get(session) ?? []), work])
  const pump = (session: string): void => {
    const agent = agents.get(session)!
    while (agent.queue.length > 0 && agent.work.length < Math.min(agent.granted, agent.wish)) agent.work.push(agent.queue.shift()!)
  }
  const ask = (session: string, type: 'claim' | 'renew'): void => {
    const agent = agents.get(session)!
    if (type === 'claim' && (agent.asking || agent.wish === 0)) return
    if (type === 'claim') agent.asking = true
    const wish = { width: agent.wish, working: agent.work.length }
    const told = Math.max(wish.width, wish.working)
    if (told < agent.granted) agent.shrinks++
    agent.granted = Math.min(agent.granted, told)
    const { shrinks } = agent
    say(session, () => {
      const events = commit(type === 'claim' ? { type, session, count: 2 * Math.max(agent.wish, 1), ...wish } : { type, session, ...wish })
      const leased = events.flatMap((event) => (event.event_type === 'trials_leased' ? event.data.leases : []))
      const width = grantSeats(head, trials.held(), session, wish)
      say(session, () => {
        if (type === 'claim') agent.asking = false
        if (type === 'claim') agent.heard = shrinks
        agent.granted = agent.heard === agent.shrinks ? width : Math.min(agent.granted, width)
        agent.queue.push(...leased.map(([ordinal]) => ordinal))
        pump(session)
      })
    })
  }
  return {
    agents,
    ask,
    assign(session: string, slots: number): void {
      agents.get(session)!.wish = slots
      pump(session)
    },
    finish(session: string): void {
      const ordinal = agents.get(session)!.work.shift()
      if (ordinal !== undefined)
        say(session, () => void commit({ type: 'release', session, leases: [[ordinal, trials.find(ordinal)!.attempt]] }))
      pump(session)
    },
    giveBack(session: string): void {
      const back = agents.get(session)!.queue.splice(0)
      if (back.length > 0)
        say(session, () => void commit({ type: 'release', session, leases: back.map((o) => [o, trials.find(o)!.attempt]) }))
    },
    hear: (session: string): void => line.get(session)?.shift()?.(),
    atWork: (): number => [...agents.values()].reduce((sum, { work }) => sum + work.length, 0),
  }
}

const step = fc.record({
  session: fc.constantFrom('session-a', 'session-b', 'session-c'),
  act: fc.constantFrom('assign', 'claim', 'claim', 'renew', 'finish', 'finish', 'give-back', 'hear', 'hear', 'hear', 'hear'),
  slots: fc.nat(12),
})

test('[LANE13] however slots move and messages linger, no more trials are at work than the run’s concurrency, and none of it stays unused', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 120 }), (concurrency, steps) => {
      const sessions = ['session-a', 'session-b', 'session-c']
      const run = open(concurrency, sessions)
      for (const { session, act, slots } of steps) {
        if (act === 'assign') run.assign(session, slots)
        else if (act === 'claim' || act === 'renew') run.ask(session, act)
        else if (act === 'finish') run.finish(session)
        else if (act === 'give-back') run.giveBack(session)
        else run.hear(session)
        expect(run.atWork()).toBeLessThanOrEqual(concurrency)
      }
      // All settle on one agent: the others are through, and say so.
      for (const session of sessions) run.assign(session, session === 'session-b' ? concurrency : 0)
      for (let n = 0; n < 60; n++)
        for (const session of sessions) {
          if (session !== 'session-b') {
            run.finish(session)
            run.giveBack(session)
            run.ask(session, 'renew')
          } else run.ask(session, 'claim')
          for (let m = 0; m < 6; m++) run.hear(session)
          expect(run.atWork()).toBeLessThanOrEqual(concurrency)
        }
      expect(run.agents.get('session-b')!.work.length).toBe(concurrency)
    }),
    draws(300),
  )
})

test('[FLEET99] an agent whose share shrinks and grows again within one answer leaves what others have by then', () => {
  const run = open(6, ['session-a', 'session-b'])
  const hear = (session: string): void => {
    for (let n = 0; n < 20; n++) run.hear(session)
  }
  run.assign('session-a', 6)
  run.ask('session-a', 'claim')
  hear('session-a')
  run.assign('session-a', 2)
  for (let n = 0; n < 4; n++) run.finish('session-a')
  run.ask('session-a', 'renew')
  run.assign('session-a', 6)
  for (let n = 0; n < 5; n++) run.hear('session-a') // the run has heard of it, the agent not of the answer
  run.assign('session-b', 6)
  run.ask('session-b', 'claim')
  hear('session-b')
  expect([run.agents.get('session-a')!.work.length, run.agents.get('session-b')!.work.length]).toEqual([2, 4])
})

test('[LANE13] an agent that has not said its width is taken to work on all that it holds, and is given nothing where others have it all', () => {
  const spec = { ...testSpec(), concurrency: 8 }
  const held = new Map([
    ['told', 9],
    ['mute', 3],
  ])
  const agents = { told: { agent_id: 't', until_ms: 0, width: 4 }, mute: { agent_id: 'm', until_ms: 0 } }
  const head = { ...initialHead(spec), agents }
  expect(grantSeats(head, held, 'third', { width: 9 })).toBe(1) // four and three are taken
  expect(grantSeats(head, held, 'third', {})).toBe(1)
  expect(grantSeats(head, held, 'told', { width: 2 })).toBe(2)
  expect(grantSeats(head, held, 'told', { width: 7 })).toBe(5)
  expect(grantSeats({ ...head, concurrency: 3 }, held, 'third', {})).toBe(0)
})

test('[LANE12] a claim is given trials of the benchmarks it names, in the order of the plan, and of no others', () => {
  const spec = testSpec({
    benchmarks: [
      { name: 'alpha', items: 3, epochs: 1 },
      { name: 'beta', items: 4, epochs: 1 },
      { name: 'gamma', items: 5, epochs: 1 },
    ],
  })
  let head = initialHead(spec)
  expect(stretchesOf(head, ['gamma', 'beta'])).toEqual([{ from: 3, to: 12 }])
  expect(stretchesOf(head, ['gamma', 'alpha'])).toEqual([
    { from: 0, to: 3 },
    { from: 7, to: 12 },
  ])
  const trials = createMemoryTrials(planTrials(spec))
  const commit = (command: Command): number[] => {
    const events = decide(head, trials, command, 0)
    for (const event of events) {
      head = apply(head, event)
      trials.write(event)
    }
    return events.flatMap((event) => (event.event_type === 'trials_leased' ? event.data.leases.map(([ordinal]) => ordinal) : []))
  }
  const session = 'session-1'
  commit({ type: 'hello', agent_id: 'a', session, holding: [] })
  expect(commit({ type: 'claim', session, count: 2, benchmarks: ['beta'] })).toEqual([3, 4])
  expect(commit({ type: 'claim', session, count: 6, benchmarks: ['gamma', 'alpha'] })).toEqual([0, 1, 2, 7, 8, 9])
  expect(commit({ type: 'claim', session, count: 5, benchmarks: ['beta'] })).toEqual([5, 6])
  expect(commit({ type: 'claim', session, count: 5, benchmarks: ['beta'] })).toEqual([])
  expect(head.benchmarks.gamma!.status).toBe('running')
})
