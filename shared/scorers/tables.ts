import type { TableName } from '../contract/card.ts'

/** Text of a table's files by name. */
export type TableFiles = Readonly<Record<string, string>>

/** A table in the form in which a scorer reads it. */
export type Table<T> = { name: TableName; parse(files: TableFiles): T }

/** The tables at hand. `get` parses on first use, once, and throws `TableMissing` for one that is not there. */
export type Tables = { get<T>(table: Table<T>): T }

/** A scorer needs a table that could not be had here: the answer is neither right nor wrong (`scorer/resource-missing`). */
export class TableMissing extends Error {
  readonly table: TableName
  constructor(table: TableName, why?: string) {
    super(`the table ${table} is not available here${why ? `: ${why}` : ''}`)
    this.table = table
  }
}

/** Tables over the files that could be had; `why` says of others why not. */
export function openTables(files: Partial<Record<TableName, TableFiles>>, why: Partial<Record<TableName, string>> = {}): Tables {
  const parsed = new Map<Table<unknown>, unknown>()
  return {
    get<T>(table: Table<T>): T {
      const found = files[table.name]
      if (!found) throw new TableMissing(table.name, why[table.name])
      if (!parsed.has(table)) parsed.set(table, table.parse(found))
      return parsed.get(table) as T // set from this very table's `parse`
    },
  }
}

/** For scorers that need none, and for places that have none. */
export const noTables: Tables = openTables({})
