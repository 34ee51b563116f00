import { expect, test } from 'vitest'
import { leaseMs } from '#shared/run/lease.ts'
import { createWakeUp } from './wake-up.ts'

/** The one alarm of an object, and how often it was written. */
function open() {
  const alarm = { at: null as number | null, writes: 0 }
  const set = (at: number | null) => async () => {
    alarm.at = at
    alarm.writes++
  }
  const storage = { setAlarm: (at: number) => set(at)(), deleteAlarm: () => set(null)() }
  return { alarm, wakeUp: createWakeUp(storage) }
}

test('[RUN14] an earlier moment replaces a later one; a later one, the same one or none leaves the alarm as it is', () => {
  const { alarm, wakeUp } = open()
  wakeUp.soonest(null)
  expect(alarm).toEqual({ at: null, writes: 0 })
  wakeUp.soonest(200)
  for (const moment of [300, 200, null]) wakeUp.soonest(moment)
  expect(alarm).toEqual({ at: 200, writes: 1 })
  wakeUp.soonest(100)
  expect(alarm).toEqual({ at: 100, writes: 2 })
})

test('[RUN14] while the work of an alarm is under way the next one stands a lease ahead, and what is due earlier wakes earlier', async () => {
  const { alarm, wakeUp } = open()
  await wakeUp.rearm(1_000)
  expect(alarm.at).toBe(1_000 + leaseMs)
  wakeUp.soonest(1_000 + leaseMs + 1)
  expect(alarm.at).toBe(1_000 + leaseMs)
  wakeUp.soonest(5_000)
  expect(alarm.at).toBe(5_000)
})

test('[RUN14] after its work an object wakes at the next moment, or not at all', async () => {
  const { alarm, wakeUp } = open()
  await wakeUp.settle(700)
  expect(alarm.at).toBe(700)
  await wakeUp.settle(null)
  expect(alarm.at).toBeNull()
  wakeUp.soonest(900) // nothing is set: any moment is sooner
  expect(alarm.at).toBe(900)
})
