import { openSqliteStorage as open } from '../../run/testing/sqlite-storage.ts'

/** The part of an object's storage that its tables use, on Node's own SQLite. */
export function openSqliteStorage(): DurableObjectStorage {
  return open() as unknown as DurableObjectStorage
}
