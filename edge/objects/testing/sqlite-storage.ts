import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

/** An object's SQL storage on Node's own SQLite: the same engine, so that rows can be compared over thousands of histories in seconds. */
export function openSqliteStorage(): DurableObjectStorage {
  const database = new DatabaseSync(':memory:')
  const exec = (query: string, ...bindings: SQLInputValue[]) => {
    if (bindings.length === 0 && /;\s*\S/.test(query.trim())) {
      database.exec(query)
      return { toArray: () => [], [Symbol.iterator]: () => [][Symbol.iterator]() }
    }
    const rows = database.prepare(query).all(...bindings)
    return { toArray: () => rows, one: () => rows[0], [Symbol.iterator]: () => rows[Symbol.iterator]() }
  }
  const transactionSync = <T>(work: () => T): T => {
    database.exec('BEGIN')
    try {
      const done = work()
      database.exec('COMMIT')
      return done
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
  }
  return { sql: { exec }, transactionSync } as unknown as DurableObjectStorage // the part of it that rows and runs use
}
