import { expect, test, vi } from 'vitest'
import type { RunSpec } from '#shared/contract/run.ts'
import { openSqliteStorage } from '../objects/testing/sqlite-storage.ts'
import { exampleSpec } from '../testing/example-records.ts'
import { openNotes } from './notes.ts'
import { createReconciler } from './reconciler.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
const [good, bad] = ['1', '2'].map((digit) =>
  exampleSpec({ run_id: '22222222-2222-4222-8222-222222222222'.replace(/^./, digit) as RunSpec['run_id'] }),
) as [RunSpec, RunSpec]

/** A record that is asked, and objects that plan; `at` is the time of each question and of each try. */
function open(...runs: RunSpec[]) {
  const { sql } = openSqliteStorage()
  const record = {
    away: false,
    runs,
    broken: new Set<string>(),
    held: new Set<string>(),
    asked: [] as number[],
    tried: {} as Record<string, number[]>,
    told: {} as Record<string, number[]>,
  }
  let now = 0
  const make = () =>
    createReconciler(openNotes(sql), {
      log: () => undefined,
      held: () => record.held,
      async ask(run_id) {
        record.told[run_id] = [...(record.told[run_id] ?? []), now]
        if (record.broken.has(run_id)) throw new Error('the run is away')
        record.held.delete(run_id)
      },
      async listOpen() {
        record.asked.push(now)
        return record.away ? undefined : record.runs
      },
      async plan({ run_id }) {
        record.tried[run_id] = [...(record.tried[run_id] ?? []), now]
        if (record.broken.has(run_id)) throw new Error('no room for it')
      },
    })
  let reconciler = make()
  return {
    record,
    look(idle: boolean, atMs: number): Promise<void> {
      now = atMs
      return reconciler.look(idle, atMs)
    },
    /** Heartbeats every ten seconds; the object sleeps between them when `asleep`. */
    async beat(idle: boolean, fromMs: number, toMs: number, asleep = false): Promise<void> {
      for (let at = fromMs; at < toMs; at += 10 * second) {
        if (asleep) reconciler = make()
        await this.look(idle, at)
      }
    },
  }
}

test.each([false, true])(
  '[FLEET11] while runs are open the record is looked up twice a minute, else once in an hour (asleep between: %s)',
  async (asleep) => {
    const busy = open(good)
    await busy.beat(false, 0, 2 * minute, asleep)
    expect(busy.record.asked).toEqual([0, 30, 60, 90].map((at) => at * second))
    expect(busy.record.tried[good.run_id]).toHaveLength(4)
    const idle = open()
    await idle.beat(true, 0, 2 * hour + minute, asleep)
    expect(idle.record.asked).toEqual([0, hour, 2 * hour])
    await idle.beat(false, 2 * hour + minute, 2 * hour + 80 * second, asleep) // somebody comes
    expect(idle.record.asked.slice(3)).toEqual([2 * hour + minute])
  },
)

test('[FLEET11] a record that is away is asked again after half a minute, also when nothing is open', async () => {
  const fleet = open(good)
  const { record, look } = fleet
  record.away = true
  await fleet.beat(true, 0, minute)
  expect(record.asked).toEqual([0, 30 * second])
  record.away = false
  await look(true, minute)
  expect(record.tried).toEqual({ [good.run_id]: [minute] })
})

test('[FLEET11] a run that the fleet holds and the record does not is asked where it stands, until it has said so', async () => {
  const fleet = open(good)
  const { record } = fleet
  record.held.add(good.run_id).add(bad.run_id)
  record.broken.add(bad.run_id)
  await fleet.beat(false, 0, minute)
  expect(record.told).toEqual({ [bad.run_id]: [0, 30 * second] })
  record.broken.clear()
  await fleet.beat(false, minute, 2 * minute)
  expect(record.told).toEqual({ [bad.run_id]: [0, 30 * second, minute] })
})

test.each([
  [false, false],
  [true, false],
  [false, true],
])(
  '[FLEET71] a run that cannot be planned is tried ever more rarely, at least once in an hour, and keeps no other waiting (idle: %s, asleep between: %s)',
  async (idle, asleep) => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const fleet = open(bad, good)
    fleet.record.broken.add(bad.run_id)
    await fleet.beat(idle, 0, 5 * hour, asleep)
    const tried = fleet.record.tried[bad.run_id]!
    const waits = tried.slice(1).map((at, n) => (at - tried[n]!) / second)
    expect(waits.slice(0, 9)).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600])
    const others = fleet.record.tried[good.run_id]!
    expect(others.length).toBe(fleet.record.asked.length)
    expect(fleet.record.asked.length).toBe(idle ? tried.length : (5 * hour) / (30 * second))
    fleet.record.broken.clear()
    await fleet.beat(idle, 5 * hour, 7 * hour, asleep)
    fleet.record.broken.add(bad.run_id)
    const before = fleet.record.tried[bad.run_id]!.length
    await fleet.beat(idle, 7 * hour, 9 * hour, asleep)
    const again = fleet.record.tried[bad.run_id]!.slice(before)
    expect(again.slice(1, 3).map((at, n) => (at - again[n]!) / second)).toEqual([30, 60]) // its failures count anew
    vi.restoreAllMocks()
  },
)

test('[FLEET71] a run that is no longer open is forgotten: the record is not asked for its sake', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const { record, look } = open(bad)
  record.broken.add(bad.run_id)
  await look(true, 0)
  record.runs = []
  await look(true, 30 * second)
  await look(true, hour)
  expect(record.asked).toEqual([0, 30 * second])
  await look(true, hour + 30 * second)
  expect(record.asked).toHaveLength(3)
  vi.restoreAllMocks()
})
