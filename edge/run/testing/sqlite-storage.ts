import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { RunStorage, Sql } from '../run-storage.ts'

/** An object's SQL storage on Node's own SQLite: the same engine, so that rows can be compared over thousands of histories in seconds. */
export function openSqliteStorage(): RunStorage {
  const database = new DatabaseSync(':memory:')
  const prepared = new Map<string, StatementSync>()
  const prepare = (query: string): StatementSync => {
    const known = prepared.get(query)
    if (known) return known
    const statement = database.prepare(query)
    prepared.set(query, statement)
    return statement
  }
  const exec = (query: string, ...bindings: SQLInputValue[]) => {
    const known = prepared.has(query)
    if (!known && bindings.length === 0 && /;\s*\S/.test(query.trim())) {
      database.exec(query)
      return { toArray: () => [], [Symbol.iterator]: () => [][Symbol.iterator]() }
    }
    const rows = prepare(query).all(...bindings)
    return { toArray: () => rows, one: () => rows[0], [Symbol.iterator]: () => rows[Symbol.iterator]() }
  }
  const transactionSync = <T>(work: () => T): T => {
    exec('BEGIN')
    try {
      const done = work()
      exec('COMMIT')
      return done
    } catch (error) {
      exec('ROLLBACK')
      throw error
    }
  }
  const deleteAll = async (): Promise<void> => {
    prepared.clear()
    for (const { name } of database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`).all())
      database.exec(`DROP TABLE ${name}`)
  }
  return { sql: { exec: exec as unknown as Sql['exec'] }, transactionSync, deleteAll } // rows as SQLite gives them: whoever asks knows their columns
}
