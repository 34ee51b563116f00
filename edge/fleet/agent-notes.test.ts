import { expect, test } from 'vitest'
import { openSqliteStorage } from '../objects/testing/sqlite-storage.ts'
import { isNews, keepAgent, noteOf } from './agent-notes.ts'
import { openNotes } from './notes.ts'

const agent = {
  agent_id: 'box-1',
  host: 'box-1',
  version: '0.1.0',
  capabilities: ['llm'],
  slots: 8,
  free_slots: 8,
  running: 0,
  draining: false,
  connected: true,
  first_seen: '2026-01-02T03:04:05.000Z',
}

test('[API105] an agent is written when it comes, drains or leaves, at most every five minutes while its load changes, and never for nothing', () => {
  const storage = openSqliteStorage()
  const notes = openNotes(storage.sql)
  const told = (changes: Partial<typeof agent>, nowMs: number) => {
    const now = { ...agent, ...changes }
    const news = isNews(notes, now, nowMs)
    if (news) keepAgent(notes, now, nowMs)
    return news
  }
  expect(told({}, 0)).toBe(true)
  for (let heartbeat = 1; heartbeat < 2000; heartbeat++) expect(told({}, heartbeat * 10_000)).toBe(false)
  const busy = { free_slots: 1, running: 7 }
  expect([told(busy, 20_000_000), told({ free_slots: 2, running: 6 }, 20_010_000), told(busy, 20_400_000)]).toEqual([true, false, false])
  const less = { free_slots: 2, running: 6 }
  expect([told(less, 20_299_999), told(less, 20_300_000)]).toEqual([false, true])
  expect([told({ draining: true }, 20_400_001), told({ connected: false }, 20_400_002)]).toEqual([true, true])
  notes.drop(noteOf(agent))
  expect(told({ connected: false }, 20_400_003)).toBe(true)
})
