import { expect, test } from 'vitest'
import { openSqliteStorage } from '../run/testing/sqlite-storage.ts'
import { keptMinutes, openLoadRing } from './load-ring.ts'

const minute = 60_000
const look =
  (working: number, by_agent: Record<string, number> = {}) =>
  () => ({
    ...{ agents: 1, slots: 8, working, running_runs: 1, queued_runs: 0 },
    by_agent,
  })

test('[OPS8] one sample a minute is kept for a day, over the sleep of the object; a minute without news has none', () => {
  const { sql } = openSqliteStorage()
  const ring = openLoadRing(sql)
  ring.note(minute, look(1))
  ring.note(minute + 59_999, look(2))
  ring.note(5 * minute, look(3))
  const again = openLoadRing(sql)
  again.note(5 * minute + 1, look(9))
  expect(again.read(60, 5 * minute).map(({ at_ms, working }) => [at_ms, working])).toEqual([
    [minute, 1],
    [5 * minute, 3],
  ])
  again.note((keptMinutes + 2) * minute, look(4))
  expect(again.read(10_000, (keptMinutes + 2) * minute).map(({ working }) => working)).toEqual([3, 4])
  expect(again.read(30, (keptMinutes + 2) * minute).map(({ working }) => working)).toEqual([4])
})

test('[OPS8] of a large fleet the load of the fifty busiest agents is kept', () => {
  const ring = openLoadRing(openSqliteStorage().sql)
  ring.note(minute, look(0, Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`a${n}`, n]))))
  const [sample] = ring.read(5, minute)
  expect(Object.keys(sample!.by_agent)).toHaveLength(50)
  expect(sample!.by_agent).toMatchObject({ a59: 59, a10: 10 })
})

test('[OPS16] the use of machines is kept beside the load, for the fifty busiest agents and for those that send it', () => {
  const ring = openLoadRing(openSqliteStorage().sql)
  const all = Array.from({ length: 60 }, (_, n) => [`a${n}`, n] as const)
  const half = { cpu_ratio: 0.5, memory_ratio: 0.25, disk_ratio: null }
  const usage = Object.fromEntries(all.filter(([, n]) => n % 2 === 0).map(([name]) => [name, half]))
  ring.note(minute, () => ({ ...look(0, Object.fromEntries(all))(), usage }))
  ring.note(2 * minute, look(0, { a59: 1 }))
  const [first, second] = ring.read(5, 2 * minute)
  expect(Object.keys(first!.usage!)).toHaveLength(25)
  expect([first!.usage!.a58, first!.usage!.a59, first!.usage!.a2]).toEqual([half, undefined, undefined])
  expect(second!.usage).toEqual({})
})
