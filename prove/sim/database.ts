import type { StreamedEvent } from '#shared/contract/event.ts'
import type { RunHead } from '#shared/contract/run.ts'

export type Row = { ordinal: number; attempt: number; payload: string }
export type Batch = { rows: Row[]; events: StreamedEvent[]; head: RunHead }

/** Postgres as the drain sees it: idempotent batches, may be away, may do the work and lose the answer. */
export function createDatabase(onConflict: (text: string) => void, options: { insertOnly: boolean }) {
  const rows = new Map<number, Row>()
  const events = new Map<number, StreamedEvent>()
  let head: RunHead | undefined
  let inserted = 0
  return {
    rows,
    events,
    head: () => head,
    count: () => (options.insertOnly ? inserted : rows.size),
    write(batch: Batch): void {
      for (const row of batch.rows) {
        const stored = rows.get(row.ordinal)
        inserted++
        if (stored && stored.attempt === row.attempt && stored.payload !== row.payload)
          onConflict(`two payloads for trial ${row.ordinal} attempt ${row.attempt}`)
        if (!stored || row.attempt > stored.attempt) rows.set(row.ordinal, row)
      }
      for (const event of batch.events) if (!events.has(event.id)) events.set(event.id, event)
      if (!head || batch.head.seq > head.seq) head = batch.head
    },
  }
}
export type Database = ReturnType<typeof createDatabase>
