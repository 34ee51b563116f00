import { expect, test } from 'vitest'
import type { FleetUp } from '#shared/contract/frame.ts'
import { createRateDesk } from './rate-desk.ts'

type Ask = Extract<FleetUp, { type: 'rate' }>

test('[AGENT14] an agent asks for its part of a limit at first use and after every reconnect, and an answer counts from its question', () => {
  const asks: Ask[] = []
  let now = 0
  const desk = createRateDesk(
    (frame) => void (frame.type === 'rate' && asks.push(frame)),
    () => now,
  )
  const gate = desk.gate('chutes')
  expect(desk.gate('chutes')).toBe(gate)
  expect(asks).toEqual([{ type: 'rate', ask: 1, provider: 'chutes', want: 1 }])
  now = 5000
  desk.onGrant({ type: 'rate', ask: 1, permits: 5 })
  expect([gate.waitMs(5999), gate.waitMs(6000)]).toEqual([0, null])
  desk.onOpen()
  desk.onGrant({ type: 'rate', ask: 1, permits: null }) // an answer to what was asked over the former connection
  expect(gate.waitMs(6000)).toBeNull()
  desk.onGrant({ type: 'rate', ask: 2, permits: null })
  expect(gate.waitMs(6000)).toBe(0)
  desk.stop()
})
