import { expect, test } from 'vitest'
import { initialHead } from '#shared/run/apply.ts'
import { leaseMs } from '#shared/run/lease.ts'
import { handClock } from '#shared/run/testing/hand-clock.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { drainDelayMs } from '#shared/run/wake.ts'
import { createFleetTeller } from './fleet-teller.ts'
import { openRunRows } from './run-rows.ts'
import { openSqliteStorage } from './testing/sqlite-storage.ts'

/** A run and a fleet that hears it or not; `boot` gives what a new life of the object has over the same rows. */
function open() {
  const storage = openSqliteStorage()
  const clock = handClock()
  const fleet = { away: false, heard: [] as boolean[], hold: undefined as Promise<void> | undefined }
  const boot = () => {
    const rows = openRunRows(storage)
    const update = async (_run: unknown, ended: boolean): Promise<void> => {
      if (fleet.away) throw new Error('away')
      fleet.heard.push(ended)
      await fleet.hold
    }
    return { rows, teller: createFleetTeller(rows, update, clock, () => undefined) }
  }
  const life = boot()
  const head = initialHead(testSpec())
  life.rows.plan(testSpec(), head)
  return { ...life, boot, clock, fleet, head, ended: { ...head, status: 'canceled' as const } }
}

test('[FLEET72] what the fleet has not heard is told again, ever more rarely, at least every half minute', async () => {
  const { teller, clock, fleet } = open()
  await teller.tell()
  fleet.away = true
  const waits: number[] = []
  for (let n = 0; n < 9; n++) {
    await teller.tell()
    expect(teller.isDue(clock.now())).toBe(false)
    waits.push(teller.dueMs(clock.now())! - clock.now())
    clock.advance(waits.at(-1)!)
    expect(teller.isDue(clock.now())).toBe(true)
  }
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  fleet.away = false
  await teller.tell()
  expect([teller.isDue(clock.now()), teller.dueMs(clock.now())]).toEqual([false, null])
})

test('[FLEET72] an object that was killed before the fleet heard that its run had ended says so in its next life', async () => {
  const { teller, rows, boot, clock, fleet, ended } = open()
  await teller.tell()
  rows.saveHead(ended)
  const next = boot().teller
  expect([next.isDue(0), next.dueMs(clock.now())]).toEqual([true, clock.now() + drainDelayMs])
  await next.tell()
  expect([fleet.heard, boot().teller.dueMs(clock.now())]).toEqual([[false, true], null])
})

test('[FLEET72] an answer on its way is waited for no longer than a lease, and one that comes late settles nothing newer', async () => {
  const { teller, rows, clock, fleet, ended } = open()
  const { promise, resolve } = Promise.withResolvers<void>()
  fleet.hold = promise
  const first = teller.tell()
  expect([teller.isDue(clock.now()), teller.dueMs(clock.now())]).toEqual([false, clock.now() + leaseMs])
  rows.saveHead(ended)
  resolve()
  await first
  expect([rows.told(), teller.isDue(clock.now())]).toEqual([undefined, true])
  await teller.tell()
  expect([rows.told(), teller.isDue(clock.now())]).toEqual(['ended', false])
})
