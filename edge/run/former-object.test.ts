import { expect, test } from 'vitest'
import { apply, initialHead } from '#shared/run/apply.ts'
import type { Command } from '#shared/run/command.ts'
import { decide } from '#shared/run/decide.ts'
import { brief } from '#shared/run/testing/history.ts'
import { testSpec } from '#shared/run/testing/test-spec.ts'
import { openRunRows } from './run-rows.ts'
import { openSqliteStorage } from './testing/sqlite-storage.ts'

/** The tables of an object as commit ae21111 made them (protocol 3). */
const formerTables = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS trial (
    ordinal INTEGER PRIMARY KEY, benchmark TEXT NOT NULL, item_id TEXT NOT NULL, epoch INTEGER NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0, deaths INTEGER NOT NULL DEFAULT 0, state INTEGER NOT NULL DEFAULT 0,
    session TEXT, outcome TEXT, failure TEXT, grp TEXT);
  CREATE INDEX IF NOT EXISTS trial_open ON trial (ordinal) WHERE state = 0;
  CREATE INDEX IF NOT EXISTS trial_leased ON trial (session) WHERE state = 1;
  CREATE INDEX IF NOT EXISTS trial_failed ON trial (ordinal) WHERE failure IS NOT NULL;
  CREATE TABLE IF NOT EXISTS spent (ordinal INTEGER, attempt INTEGER, PRIMARY KEY (ordinal, attempt)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS lost (ordinal INTEGER, attempt INTEGER, PRIMARY KEY (ordinal, attempt)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS result (seq INTEGER PRIMARY KEY, event_id INTEGER NOT NULL, finished_at TEXT NOT NULL, record TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS opening (seq INTEGER PRIMARY KEY AUTOINCREMENT, sha256 TEXT NOT NULL UNIQUE, text TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS event (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
`

test('[RUN110] an object of the former version goes on where it stood, and every trial ends once', () => {
  const storage = openSqliteStorage()
  storage.sql.exec(formerTables)
  const spec = testSpec({ benchmarks: [{ name: 'alpha', items: 3, epochs: 1 }] })
  const now = Date.parse('2026-01-01T00:00:00Z')
  // As the former version had left it: the first trial done, the second with an agent that is gone, the third not begun.
  const formerSpec = { ...spec, benchmarks: spec.benchmarks.map((one) => ({ ...one, judge: null })) }
  let head = initialHead(spec)
  const before = openRunRows(openSqliteStorage())
  before.plan(spec, head)
  const first: Command[] = [
    { type: 'hello', agent_id: 'former', session: 'former', holding: [] },
    { type: 'claim', session: 'former', count: 2 },
    { type: 'report', session: 'former', results: [brief(0, 1, 'right')] },
  ]
  for (const command of first)
    for (const event of decide(head, before.trials, command, now)) {
      head = apply(head, event)
      before.trials.write(event)
    }
  const { roles: _, ...withoutRoles } = head
  const meta = { spec: formerSpec, head: { ...withoutRoles, judge: null }, drained: { result: 0, event: 0, opening: 0, head: 0 } }
  for (const [key, value] of Object.entries(meta)) storage.sql.exec('INSERT INTO meta VALUES (?, ?)', key, JSON.stringify(value))
  const insert = 'INSERT INTO trial (ordinal, benchmark, item_id, epoch, attempt, state, session, outcome) VALUES (?, ?, ?, 0, ?, ?, ?, ?)'
  for (const ordinal of [0, 1, 2]) {
    const row = before.trials.find(ordinal)!
    const [state, session, outcome] = ordinal === 0 ? [2, null, 'right'] : ordinal === 1 ? [1, 'former', null] : [0, null, null]
    storage.sql.exec(insert, ordinal, row.benchmark, row.item_id, row.attempt, state!, session!, outcome!)
  }
  storage.sql.exec('INSERT INTO result VALUES (1, 1, ?, ?)', '2026-01-01T00:00:00.000Z', '{"ordinal":0}')

  const rows = openRunRows(storage)
  let going = rows.head()!
  const asked: number[] = []
  const later = now + 120_000
  const take = (command: Command) => {
    for (const event of decide(going, rows.trials, command, later)) {
      going = apply(going, event)
      rows.trials.write(event)
      if (event.event_type === 'trials_leased') asked.push(...event.data.leases.map(([ordinal]) => ordinal))
    }
  }
  take({ type: 'tick' })
  take({ type: 'hello', agent_id: 'present', session: 'present', holding: [] })
  take({ type: 'claim', session: 'present', count: 8 })
  expect(asked.sort()).toEqual([1, 2])
  const given = asked.map((ordinal) => brief(ordinal, rows.trials.find(ordinal)!.attempt, 'right'))
  take({ type: 'report', session: 'present', results: given })
  expect([going.status, going.done, going.benchmarks.alpha?.right]).toEqual(['succeeded', 3, 3])
  expect(storage.sql.exec('SELECT seq FROM result').toArray()).toEqual([{ seq: 1 }])
})
