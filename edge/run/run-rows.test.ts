import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exampleTrial } from '#db/example-run.ts'
import type { PackedRecord } from '#shared/contract/packed.ts'
import { apply, initialHead } from '#shared/run/apply.ts'
import type { Command } from '#shared/run/command.ts'
import { decide } from '#shared/run/decide.ts'
import { writeEvent } from '#shared/run/packed-event.ts'
import { planTrials } from '#shared/run/plan.ts'
import { toStreamed } from '#shared/run/stream.ts'
import { brief } from '#shared/run/testing/history.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { createMemoryTrials, type Trial } from '#shared/run/trial-store.ts'
import { draws } from '#shared/testing/draws.ts'
import { openRunRows } from './run-rows.ts'
import { openSqliteStorage } from './testing/sqlite-storage.ts'

const kinds = ['hello', 'claim', 'claim', 'report', 'report', 'release', 'leave', 'tick', 'cancel', 'retry_failed'] as const
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  agent: fc.nat(2),
  size: fc.integer({ min: 1, max: 5 }),
  pick: fc.nat(1000),
  wait: fc.constantFrom(1, 5000, 31_000),
})
type Step = { kind: (typeof kinds)[number]; agent: number; size: number; pick: number; wait: number }

function commandOf({ kind, agent, size, pick }: Step, given: [number, number][]): Command {
  const session = `session-${agent}`
  const some = given.length ? Array.from({ length: size }, (_, n) => given[(pick + n) % given.length]!) : []
  if (kind === 'hello') return { type: 'hello', agent_id: `agent-${agent}`, session, holding: some }
  if (kind === 'claim') return { type: 'claim', session, count: size }
  if (kind === 'release') return { type: 'release', session, leases: some }
  if (kind === 'report')
    return {
      type: 'report',
      session,
      results: some.map(([ordinal, attempt]) => brief(ordinal, attempt, pick % 4 === 0 ? 'failed' : 'right')),
    }
  if (kind === 'leave') return { type: 'leave', session }
  return { type: kind === 'cancel' && pick % 5 ? 'tick' : kind }
}

const byOrdinal = (trials: Trial[]): Trial[] => [...trials].sort((a, b) => a.ordinal - b.ordinal)

test('[RUN11] the object keeps in SQLite exactly the rows that the pure core keeps in memory', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 15, maxLength: 60 }), (steps) => {
      const spec = testSpec({ benchmarks: [{ name: 'alpha', items: 6, epochs: 2 }] })
      const memory = createMemoryTrials(planTrials(spec))
      const rows = openRunRows(openSqliteStorage())
      let head = initialHead(spec)
      rows.plan(spec, head)
      const given: [number, number][] = []
      let now = Date.parse('2026-01-01T00:00:00Z')
      for (const each of steps) {
        now += each.wait
        const command = commandOf(each, given)
        const events = decide(head, memory, command, now)
        expect(decide(head, rows.trials, command, now)).toEqual(events)
        for (const event of events) {
          head = apply(head, event)
          memory.write(event)
          rows.trials.write(event)
          if (event.event_type === 'trials_leased') {
            given.push(...event.data.leases)
            expect(rows.leases(event.data.leases).map(({ ordinal, attempt }) => [ordinal, attempt])).toEqual(event.data.leases)
          }
        }
        expect(memory.rows().map((trial) => rows.trials.find(trial.ordinal))).toEqual(memory.rows())
        expect(rows.trials.open(100)).toEqual(memory.open(100))
        const among = [
          { from: 1, to: 3 },
          { from: 5, to: 90 },
        ]
        expect(rows.trials.open(4, among)).toEqual(memory.open(4, among))
        expect([...rows.trials.held()].sort()).toEqual([...memory.held()].filter(([, held]) => held > 0).sort())
        expect(rows.trials.failed()).toEqual(byOrdinal(memory.failed()))
        for (const [ordinal, attempt] of given) {
          expect([rows.trials.lost(ordinal, attempt), rows.trials.refused(ordinal, attempt)]).toEqual([
            memory.lost(ordinal, attempt),
            memory.refused(ordinal, attempt),
          ])
        }
      }
    }),
    draws(150),
  )
})

test('[RUN12] results and events leave in order behind their watermarks, and an ended run gives the rest back', () => {
  const rows = openRunRows(openSqliteStorage())
  const spec = testSpec()
  rows.plan(spec, initialHead(spec))
  for (let n = 1; n <= 5; n++) {
    rows.append({ id: n, event_type: 'run_started', benchmark_name: null, message: 'x', data: {}, created_at: '2026-01-01T00:00:00Z' })
    rows.addResults(n, '2026-01-01T00:00:00Z', [`{"n":${n}}`])
  }
  expect([...rows.results(2, 2)].map((row) => row.record)).toEqual(['{"n":3}', '{"n":4}'])
  expect(rows.events(3, 10).map((event) => event.id)).toEqual([4, 5])
  expect(rows.watermark()).toEqual({ result: 0, event: 0, head: -1, opening: 0 })
  rows.saveWatermark({ result: 5, event: 5, head: 0, opening: 0 })
  expect(rows.watermark()).toEqual({ result: 5, event: 5, head: 0, opening: 0 })
  rows.giveBack()
  expect([[...rows.results(0, 9)], rows.events(0, 9), rows.spec()?.run_id]).toEqual([[], [], spec.run_id])
})

test('[RUN19] an event is given as it was streamed, whether it is still held or read back, and leaves as it is kept', () => {
  const storage = openSqliteStorage()
  const rows = openRunRows(storage)
  const spec = testSpec()
  rows.plan(spec, initialHead(spec))
  const data = { completed: 1, total: 3, current_accuracy: 1, unleased: 0, recovered: 0, results: [brief(0, 1), brief(1, 1)] }
  const event = toStreamed(1, { event_type: 'benchmark_progress', benchmark_name: 'alpha', at: '2026-01-01T00:00:00Z', data })
  rows.append(event)
  const again = openRunRows(storage)
  expect([rows.events(0, 9), again.events(0, 9)]).toEqual([[event], [event]])
  expect(again.writtenEvents(0, 9)).toEqual([{ id: 1, text: writeEvent(event) }])
  expect(rows.writtenEvents(0, 9)).toMatchObject(again.writtenEvents(0, 9))
})

test('[API112] a run is planned while its rows are written: neither the plan nor a statement is held whole', () => {
  const storage = openSqliteStorage()
  const longest: number[] = []
  const { exec } = storage.sql
  storage.sql.exec = ((query: string, ...bindings: unknown[]) => {
    longest.push(...bindings.map((one) => String(one).length))
    return (exec as (...given: unknown[]) => unknown)(query, ...bindings)
  }) as typeof exec
  const spec = testSpec()
  const rows = openRunRows(storage)
  const written = () => exec('SELECT COUNT(*) AS count FROM trial').toArray()[0]!.count
  const seen: unknown[] = []
  const watched = spec.benchmarks.map((one) => ({
    ...one,
    total_items: 10_000,
    sampled_items: 10_000,
    epochs: 3,
    get name() {
      seen.push(written())
      return one.name
    },
  }))
  rows.plan({ ...spec, benchmarks: [watched[0]!, watched[0]!] }, initialHead(spec))
  expect(written()).toBe(60_000)
  // When the second benchmark was looked at, the first one's rows stood already.
  expect(seen).toContain(30_000)
  expect(Math.max(...longest)).toBeLessThan(1_000_000)
})

test('[RUN12] however many events there are, only the newest are held in memory, and any number finds what comes after it', () => {
  const storage = openSqliteStorage()
  const rows = openRunRows(storage)
  const spec = testSpec()
  rows.plan(spec, initialHead(spec))
  let read = 0
  const { exec } = storage.sql
  storage.sql.exec = ((query: string, ...bindings: unknown[]) => {
    if (query.includes('body AS text FROM event')) read++
    return (exec as (...given: unknown[]) => unknown)(query, ...bindings)
  }) as typeof exec
  const idsAfter = (after: number) => rows.events(after, 3).map(({ id }) => id)
  for (let id = 1; id <= 300; id++) {
    rows.append({ id, event_type: 'run_started', benchmark_name: null, message: 'x', data: {}, created_at: '2026-01-01T00:00:00Z' })
    expect(idsAfter(id - 1)).toEqual([id])
  }
  expect(read).toBe(0)
  expect([idsAfter(0), idsAfter(100), idsAfter(200)].flat()).toEqual([1, 2, 3, 101, 102, 103, 201, 202, 203])
  expect(read).toBe(3)
  expect([idsAfter(290), idsAfter(298), idsAfter(300)]).toEqual([[291, 292, 293], [299, 300], []])
  expect(read).toBe(3)
})

test('[RUN12] results of one event share rows, of at most 200,000 characters or one result, and any number finds what comes after it', () => {
  const storage = openSqliteStorage()
  const rows = openRunRows(storage)
  const all: { seq: number; event_id: number; record: string }[] = []
  for (const [event_id, sizes] of [[], [10], [70_000, 70_000, 70_000, 10], [10, 300_000, 10], [199_999], Array(300).fill(20)].entries()) {
    const records = sizes.map((size: number, n: number) => JSON.stringify(`${n}\n${'x'.repeat(size)}`))
    for (const record of records) all.push({ seq: all.length + 1, event_id, record })
    rows.addResults(event_id, '2026-01-01T00:00:00Z', records)
    expect(rows.lastResult()).toBe(all.length)
  }
  const stored = storage.sql.exec<{ chars: number }>('SELECT LENGTH(record) AS chars FROM result').toArray()
  expect(stored.map(({ chars }) => Math.round(chars / 1000))).toEqual([0, 140, 70, 0, 300, 0, 200, 8])
  for (const after of [0, 1, 2, 4, 5, 8, 11, 12, 200, all.length - 1, all.length])
    for (const limit of [1, 3, 999]) {
      const read = [...rows.results(after, limit)].map(({ seq, event_id, record }) => ({ seq, event_id, record }))
      expect([after, limit, read]).toEqual([after, limit, all.slice(after, after + limit)])
    }
})

test('[RUN12] the newest results are held in memory until they have left, within bounds, and any number finds what comes after it', () => {
  const storage = openSqliteStorage()
  const rows = openRunRows(storage)
  rows.plan(testSpec(), initialHead(testSpec()))
  let read = 0
  const { exec } = storage.sql
  storage.sql.exec = ((query: string, ...bindings: unknown[]) => {
    if (query.startsWith('SELECT seq, event_id')) read++
    return (exec as (...given: unknown[]) => unknown)(query, ...bindings)
  }) as typeof exec
  const { record } = exampleTrial(0)
  const add = (ordinal: number, chars: number) => {
    const packed = { ...record, ordinal, answer: 'x'.repeat(chars) } as PackedRecord // it has no opening, so both forms are the same
    rows.addResults(ordinal, '2026-01-01T00:00:00Z', [JSON.stringify(packed)], [packed])
  }
  const after = (seq: number) => [...rows.results(seq, 2)].map((row) => [row.seq, JSON.parse(row.record).ordinal, row.parsed?.ordinal])
  for (let n = 1; n <= 3; n++) add(n, 10)
  expect([after(0), after(2), after(3), read]).toEqual([
    [
      [1, 1, 1],
      [2, 2, 2],
    ],
    [[3, 3, 3]],
    [],
    0,
  ])
  rows.saveWatermark({ result: 2, event: 0, head: 0, opening: 0 })
  add(4, 10) // what has left is let go of
  expect([after(2), read]).toEqual([
    [
      [3, 3, 3],
      [4, 4, 4],
    ],
    0,
  ])
  expect([after(0), read]).toEqual([
    [
      [1, 1, undefined],
      [2, 2, undefined],
    ],
    1,
  ])
  add(5, 3_000_000)
  add(6, 3_000_000)
  add(7, 10) // the oldest are too much
  expect([after(3), after(5), read]).toEqual([
    [
      [4, 4, undefined],
      [5, 5, undefined],
    ],
    [
      [6, 6, 6],
      [7, 7, 7],
    ],
    2,
  ])
  rows.saveWatermark({ result: 7, event: 0, head: 0, opening: 0 })
  rows.giveBack()
  expect([after(0), after(7)]).toEqual([[], []])
})
