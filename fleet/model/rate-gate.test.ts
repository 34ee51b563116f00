import { expect, test } from 'vitest'
import { rateGrantMs } from '#shared/run/rate-share.ts'
import { createRateGate, ownRateGate } from './rate-gate.ts'

test('[MODEL33] a gate is closed until it hears of a grant or that there is no limit, and asks once when somebody begins to wait', () => {
  let asks = 0
  let told = 0
  const { gate, free, grant, wanted } = createRateGate(() => asks++)
  gate.onChange(() => told++)
  expect(gate.waitMs(0)).toBeNull()
  gate.want(1)
  gate.want(2)
  expect([asks, wanted(0)]).toEqual([1, 2])
  grant(1, 0)
  expect(gate.waitMs(10)).toBe(0)
  gate.take(10)
  gate.want(0)
  expect([gate.waitMs(20), wanted(20), wanted(2000)]).toEqual([990, 1, 0])
  expect(gate.waitMs(rateGrantMs)).toBeNull()
  free()
  expect([gate.waitMs(20), told]).toEqual([0, 2])
})

test('[MODEL33] a process that works alone has the whole limit, for as long as it likes', () => {
  const gate = ownRateGate(1)
  for (const at of [0, 1000, 1e9]) {
    expect(gate.waitMs(at)).toBe(0)
    gate.take(at)
    expect(gate.waitMs(at + 999)).toBe(1)
  }
  expect(ownRateGate(null).waitMs(0)).toBe(0)
})
