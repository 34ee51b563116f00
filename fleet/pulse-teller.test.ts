import { expect, test } from 'vitest'
import type { AgentPulse } from '#shared/contract/pulse.ts'
import { handClock } from '#shared/run/testing/hand-clock.ts'
import { createPulseTeller } from './pulse-teller.ts'

test('[AGENT70] what an agent does is told when it has changed, and again after five seconds although it has not', () => {
  const told: AgentPulse[] = []
  const clock = handClock()
  let pulse: AgentPulse = { stage: 'preparing', models: [] }
  const teller = createPulseTeller(
    () => pulse,
    (one) => told.push(one),
    100,
    clock,
  )
  const lookAt = (ms: number): number => {
    clock.advance(ms - clock.now())
    return told.length
  }
  expect([told.length, lookAt(1000), lookAt(4999), lookAt(5000), lookAt(9000)]).toEqual([1, 1, 1, 2, 2])
  pulse = { stage: 'working', models: [] }
  expect([lookAt(9500), lookAt(9600)]).toEqual([3, 3])
  expect(told.at(-1)?.stage).toBe('working')
  teller.stop()
  expect(clock.timers()).toBe(0)
})
