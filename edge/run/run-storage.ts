/** A value as SQLite gives it. */
type Cell = ArrayBuffer | string | number | null

/** SQL as an object has it: synchronous, row by row as they are taken, at most 100 parameters a statement. */
export type Sql = {
  exec<T extends Record<string, Cell>>(query: string, ...bindings: (string | number | null)[]): Iterable<T> & { toArray(): T[]; one(): T }
}

/**
 * Rows that are written together or not at all. `deleteAll` empties the storage at once, before its promise resolves, and gives its file back,
 * the alarm with it: rows that are deleted leave a file as large as it ever was. On Cloudflare what a turn deletes and then writes is stored
 * together, so nothing may be waited for in between; workerd on a machine of one's own removes the file at once, and a kill before the turn is
 * stored leaves an empty object behind an ended run, which the record still holds whole.
 */
export type RunStorage = { sql: Sql; transactionSync<T>(work: () => T): T; deleteAll(): Promise<void> }

/** The one moment, in Unix milliseconds, at which an object is woken although nobody asks; it outlives the object's sleep. */
export type AlarmPort = { setAlarm(atMs: number): Promise<void>; deleteAlarm(): Promise<void> }
