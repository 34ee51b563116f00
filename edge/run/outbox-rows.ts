import type { StreamedEvent } from '#shared/contract/event.ts'
import type { PackedRecord } from '#shared/contract/packed.ts'
import { readEvent, type WrittenEvent, writeEvent } from '#shared/run/packed-event.ts'
import type { RunStorage } from './run-storage.ts'

export const outboxSchema = `
  CREATE TABLE IF NOT EXISTS result (seq INTEGER PRIMARY KEY, event_id INTEGER NOT NULL, finished_at TEXT NOT NULL, record TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS opening (seq INTEGER PRIMARY KEY AUTOINCREMENT, sha256 TEXT NOT NULL UNIQUE, text TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS event (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
`

/** A row of `result` holds some results of one event, a line each, and the number of the last: a run of 100,000 trials writes a thousand rows. */
type StoredResults = Omit<ResultRow, 'parsed'>

/** A result that waits for Postgres; `record` is the JSON text of its `TrialRecord`, `parsed` what it says where that is still at hand. */
export type ResultRow = { seq: number; event_id: number; finished_at: string; record: string; parsed?: PackedRecord }

/** A numbered event as it leaves for the record. */
export type EventRow = WrittenEvent & { id: number }

export type OpeningRow = { seq: number; sha256: string; text: string }

/** Characters of results that stand in one row, which may hold two megabytes; a batch that ends amid a row has the next one read it again. */
const mostInRow = 200_000

/** Events kept in memory beside their rows, at least; each holds up to a frame of results. */
const mostRecent = 32

/** Characters of results that are kept in memory beside their rows until they have left; while the database is away they are more. */
const mostFresh = 4_000_000

/**
 * What a run has for viewers and for Postgres: numbered events, results and the openings of prompts. Their ascending numbers are the outbox;
 * `drained` gives the number of the last result that has left.
 */
export function openOutboxRows({ sql }: Pick<RunStorage, 'sql'>, drained: () => number) {
  /** The newest events as they were appended: viewers and the drain take them within moments, and need no copy read back for that. */
  let recent: (EventRow & { event: StreamedEvent })[] = []
  const recentAfter = (after: number): typeof recent | undefined => {
    const first = recent[0]?.id
    return first !== undefined && first <= after + 1 ? recent.slice(after + 1 - first) : undefined
  }

  const eventRows = (after: number, limit: number): EventRow[] =>
    sql.exec<EventRow>('SELECT id, body AS text FROM event WHERE id > ? ORDER BY id LIMIT ?', after, limit).toArray()

  /** The newest results as they were reported: the drain takes them within moments, and need not read and parse them again. */
  let fresh: (ResultRow & { parsed: PackedRecord })[] = []
  let freshChars = 0
  const keepFresh = (row: (typeof fresh)[number]): void => {
    fresh.push(row)
    freshChars += row.record.length
  }
  /** Lets go of what has left, and of the oldest where it is too much. */
  const thinFresh = (): void => {
    const left = drained()
    let gone = 0
    while (gone < fresh.length && (fresh[gone]!.seq <= left || freshChars > mostFresh)) freshChars -= fresh[gone++]!.record.length
    if (gone > 0) fresh = fresh.slice(gone)
  }
  const freshAfter = (after: number): ResultRow[] | undefined => {
    const first = fresh[0]?.seq
    return first !== undefined && first <= after + 1 ? fresh.slice(after + 1 - first) : undefined
  }

  /** Numbers are given here, which costs less than SQLite's own counter, and never twice: rows may be gone behind the watermark. */
  const readLastResult = (): number => Math.max(sql.exec('SELECT COALESCE(MAX(seq), 0) AS seq FROM result').one().seq as number, drained())
  let lastResult = readLastResult()

  return {
    append(event: StreamedEvent): void {
      const text = writeEvent(event)
      sql.exec('INSERT INTO event (id, body) VALUES (?, ?)', event.id, text)
      recent.push({ id: event.id, text, event })
      if (recent.length > 2 * mostRecent) recent = recent.slice(-mostRecent)
    },
    /** Everything since the last commit was rolled back: what is kept here besides the rows is read anew. */
    forgetRecent(): void {
      recent = []
      fresh = []
      freshChars = 0
      lastResult = readLastResult()
    },
    /** Results of one event, in their order; `records` holds the JSON text of each, `parsed` what it says where that is at hand. */
    addResults(event_id: number, finished_at: string, records: readonly string[], parsed: readonly PackedRecord[] = []): void {
      thinFresh()
      for (const [at, one] of parsed.entries())
        keepFresh({ seq: lastResult + 1 + at, event_id, finished_at, record: records[at]!, parsed: one })
      for (const some of rowsOf(records)) {
        lastResult += some.length
        sql.exec(
          'INSERT INTO result (seq, event_id, finished_at, record) VALUES (?, ?, ?, ?)',
          lastResult,
          event_id,
          finished_at,
          some.join('\n'),
        )
      }
    },
    addOpening(sha256: string, text: string): void {
      sql.exec('INSERT OR IGNORE INTO opening (sha256, text) VALUES (?, ?)', sha256, text)
    },
    hasOpening: (sha256: string): boolean => sql.exec('SELECT 1 FROM opening WHERE sha256 = ?', sha256).toArray().length > 0,
    openings(after: number): Iterable<OpeningRow> {
      return sql.exec<OpeningRow>('SELECT seq, sha256, text FROM opening WHERE seq > ? ORDER BY seq', after)
    },
    events(after: number, limit: number): StreamedEvent[] {
      const kept = recentAfter(after)
      if (kept) return kept.slice(0, limit).map(({ event }) => event)
      return eventRows(after, limit).map(readEvent)
    },
    /** The same events as they leave for the record. */
    writtenEvents: (after: number, limit: number): EventRow[] => recentAfter(after)?.slice(0, limit) ?? eventRows(after, limit),
    /** Number of the first event that is still here; undefined where all have left for the record. */
    firstEvent: () => (sql.exec('SELECT MIN(id) AS id FROM event').one().id as number | null) ?? undefined,
    /** Read row by row as the caller takes them: records are large, and a batch may be full long before `limit`. */
    results(after: number, limit: number): Iterable<ResultRow> {
      return freshAfter(after)?.slice(0, limit) ?? readResults(sql, after, limit)
    },
    lastOpening: () => sql.exec('SELECT COALESCE(MAX(seq), 0) AS seq FROM opening').one().seq as number,
    lastResult: () => lastResult,
  }
}

/** Records as they share rows, in their order. */
function rowsOf(records: readonly string[]): string[][] {
  const rows: string[][] = []
  let chars = Number.POSITIVE_INFINITY
  for (const record of records) {
    chars += record.length
    if (chars > mostInRow) {
      rows.push([])
      chars = record.length
    }
    rows.at(-1)!.push(record)
  }
  return rows
}

function* readResults(sql: RunStorage['sql'], after: number, limit: number): Iterable<ResultRow> {
  let left = limit
  for (const row of sql.exec<StoredResults>('SELECT seq, event_id, finished_at, record FROM result WHERE seq > ? ORDER BY seq', after)) {
    const records = row.record.split('\n')
    const before = row.seq - records.length
    for (const [at, record] of records.entries()) {
      const seq = before + 1 + at
      if (seq <= after) continue
      if (left-- === 0) return
      yield { ...row, seq, record }
    }
  }
}
