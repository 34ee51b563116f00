import type { Sql } from '../run/run-storage.ts'

export type Note = { text: string; at_ms: number }

/** What an object last wrote or read elsewhere, and when; kept while it sleeps, so that nothing is done again for nothing. */
export function openNotes(sql: Sql) {
  sql.exec('CREATE TABLE IF NOT EXISTS note (name TEXT PRIMARY KEY, text TEXT NOT NULL, at_ms INTEGER NOT NULL) WITHOUT ROWID')
  return {
    find(name: string): Note | undefined {
      const row = sql.exec('SELECT text, at_ms FROM note WHERE name = ?', name).toArray()[0]
      return row && { text: String(row.text), at_ms: Number(row.at_ms) }
    },
    keep(name: string, text: string, at_ms: number): void {
      sql.exec(
        'INSERT INTO note VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET text = excluded.text, at_ms = excluded.at_ms',
        name,
        text,
        at_ms,
      )
    },
    drop(name: string): void {
      sql.exec('DELETE FROM note WHERE name = ?', name)
    },
  }
}
export type Notes = ReturnType<typeof openNotes>
