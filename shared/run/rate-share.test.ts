import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../testing/draws.ts'
import {
  closedWindow,
  noShares,
  openWindow,
  type RateShares,
  type RateWindow,
  rateGrantMs,
  rateWindowMs,
  shareRate,
  takeFrom,
} from './rate-share.ts'

/** Lets sessions ask in turn at the given times; gives what each got last. */
function askAll(limit: number, asks: readonly [session: string, want: number, at: number][]) {
  let shares: RateShares = noShares(limit)
  const got: Record<string, number> = {}
  for (const [session, want, at] of asks) {
    const answer = shareRate(shares, session, want, at)
    shares = answer.shares
    got[session] = answer.permits
  }
  return got
}

test('[MODEL30] a key is shared equally, what one does not want goes to the others, and a newcomer waits until others have shrunk', () => {
  expect(askAll(50, [['a', 100, 0]])).toEqual({ a: 50 })
  expect(
    askAll(50, [
      ['a', 100, 0],
      ['b', 100, 10],
    ]),
  ).toEqual({ a: 50, b: 0 })
  const later = rateGrantMs + rateWindowMs
  expect(
    askAll(50, [
      ['a', 100, 0],
      ['b', 100, 10],
      ['a', 100, 2000],
      ['b', 100, later + 10],
    ]),
  ).toEqual({ a: 25, b: 25 })
  expect(
    askAll(50, [
      ['a', 5, 0],
      ['b', 100, 10],
    ]),
  ).toEqual({ a: 5, b: 45 })
})

test('[MODEL31] whatever agents ask, send and lose, no window of a key ever holds more requests than its limit', () => {
  const step = fc.record({
    wait: fc.nat(900),
    agent: fc.nat(4),
    act: fc.constantFrom('ask', 'ask', 'send', 'send', 'send', 'lose', 'restart'),
    want: fc.integer({ min: 1, max: 40 }),
    delay: fc.nat(3000),
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.array(step, { maxLength: 300 }), (limit, steps) => {
      let shares = noShares(limit)
      let now = 0
      const windows = Array.from({ length: 5 }, () => closedWindow)
      const pending: { at: number; agent: number; run(): void }[] = []
      const sent: number[] = []
      for (const { wait, agent, act, want, delay } of steps) {
        now += wait
        for (const due of pending.splice(0)) due.at <= now ? due.run() : pending.push(due)
        const askedMs = now
        if (act === 'ask') {
          // The question takes its time, and so does the answer; either may be lost.
          pending.push({
            at: now + delay,
            agent,
            run() {
              const answer = shareRate(shares, `agent-${agent}`, want, now)
              shares = answer.shares
              if (want % 7 !== 0) windows[agent] = openWindow(windows[agent]!, answer.permits, askedMs)
            },
          })
        }
        if (act === 'restart') windows[agent] = closedWindow
        for (let n = 0; act === 'send' && n < want; n++) {
          const taken = takeFrom(windows[agent]!, now)
          if (!('sent' in taken)) break
          windows[agent] = taken.sent
          sent.push(now)
        }
        expect(sent.filter((at) => at > now - rateWindowMs).length).toBeLessThanOrEqual(limit)
      }
    }),
    draws(300),
  )
})

test('[MODEL32] requests leave at an even pace and never fill a window; without a grant one waits until one comes', () => {
  const send = (window: RateWindow, at: number): RateWindow => {
    const taken = takeFrom(window, at)
    if (!('sent' in taken)) throw new Error(`not free at ${at}`)
    return taken.sent
  }
  const first = send(openWindow(closedWindow, 2, 0), 0)
  expect(takeFrom(first, 100)).toEqual({ wait_ms: expect.closeTo(1000 / 1.98 - 25 - 100, 6) })
  const second = send(first, 481)
  expect(takeFrom(second, 600)).toEqual({ wait_ms: 400 })
  expect(takeFrom(second, 1000)).toHaveProperty('sent')
  expect(takeFrom(second, rateGrantMs)).toEqual({ wait_ms: null })
  expect(takeFrom(closedWindow, 0)).toEqual({ wait_ms: null })
})

test('[MODEL32] at its even pace a key uses at least 97 % of its limit, shared by three too', () => {
  const asks = Array.from({ length: 12 }, (_, n) =>
    ['a', 'b', 'c'].map((session) => [session, 99, 2000 * n] as [string, number, number]),
  ).flat()
  expect(Object.values(askAll(50, asks)).sort()).toEqual([16, 17, 17])
  let window = openWindow(closedWindow, 50, 0)
  let sent = 0
  for (let at = 0; at < 5000; at++) {
    const taken = takeFrom(window, at)
    if ('sent' in taken) [window, sent] = [taken.sent, sent + 1]
  }
  expect(sent / 250).toBeGreaterThan(0.97)
})

test('[MODEL34] where there are more agents than requests a second, each has its time', () => {
  let shares: RateShares = noShares(1)
  const had = new Set<string>()
  for (let at = 0; at < 200_000; at += 2000) {
    for (const session of ['a', 'b', 'c']) {
      const answer = shareRate(shares, session, 5, at)
      shares = answer.shares
      if (answer.permits > 0) had.add(session)
    }
  }
  expect([...had].sort()).toEqual(['a', 'b', 'c'])
})

test('[MODEL32] a window remembers no more than it may hold, however long it is used', () => {
  let window = openWindow(closedWindow, 5, 0)
  for (let at = 0; at < 60_000; at += 10) {
    if (at % 2000 === 0) window = openWindow(window, 5, at)
    const taken = takeFrom(window, at)
    if ('sent' in taken) window = taken.sent
    expect(window.sent.length).toBeLessThanOrEqual(5)
  }
  expect(window.sent.length).toBeGreaterThan(3)
})
