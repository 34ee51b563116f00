import { expect, test } from 'vitest'
import type { FleetUp } from '#shared/contract/frame.ts'
import { rateAskMs } from '#shared/run/rate-share.ts'
import { handClock } from '#shared/run/testing/hand-clock.ts'
import { createRateDesk } from './rate-desk.ts'

type Ask = Extract<FleetUp, { type: 'rate' }>

test('[AGENT14] an agent asks for its part of a limit at first use and after every reconnect, and an answer counts from its question', () => {
  const asks: Ask[] = []
  const clock = handClock()
  const desk = createRateDesk((frame) => void (frame.type === 'rate' && asks.push(frame)), clock)
  const gate = desk.gate('chutes')
  expect(desk.gate('chutes')).toBe(gate)
  expect(asks).toEqual([{ type: 'rate', ask: 1, provider: 'chutes', want: 1 }])
  clock.advance(5000)
  desk.onGrant({ type: 'rate', ask: 1, permits: 5 })
  expect([gate.waitMs(5999), gate.waitMs(6000)]).toEqual([0, null])
  desk.onOpen()
  desk.onGrant({ type: 'rate', ask: 1, permits: null }) // an answer to what was asked over the former connection
  expect(gate.waitMs(6000)).toBeNull()
  desk.onGrant({ type: 'rate', ask: 2, permits: null })
  expect(gate.waitMs(6000)).toBe(0)
  desk.stop()
})

test('[AGENT14] an agent asks again every two seconds as long as anybody sends or waits, and each answer counts once', () => {
  const clock = handClock()
  const asks: Ask[] = []
  const desk = createRateDesk((frame) => void (frame.type === 'rate' && asks.push(frame)), clock)
  const gate = desk.gate('chutes')
  clock.advance(rateAskMs)
  expect(asks).toHaveLength(1) // nobody wants anything
  gate.want(1)
  expect(asks.map(({ want }) => want)).toEqual([1, 1])
  clock.advance(rateAskMs - 1)
  expect(asks).toHaveLength(2)
  clock.advance(2 * rateAskMs)
  expect(asks.map(({ ask, want }) => [ask, want])).toEqual([1, 2, 3, 4].map((ask) => [ask, 1]))
  desk.onGrant({ type: 'rate', ask: 3, permits: 5 })
  for (const ask of [2, 3]) desk.onGrant({ type: 'rate', ask, permits: null }) // late, and a second time
  expect([gate.waitMs(9999), gate.waitMs(10_000)]).toEqual([0, null]) // the third was asked at 4 s
  desk.stop()
  clock.advance(10 * rateAskMs)
  expect(asks).toHaveLength(4)
})
