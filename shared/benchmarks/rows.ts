/**
 * The rows of a role in file order, as plain objects, not yet parsed. A row is read when it is asked for: the files may be far larger than memory.
 * `read` rejects with what hinders it from reading.
 */
export type Rows = { readonly count: number; read(index: number): Promise<unknown> }

/** Rows of the data files by role (`test`, `validation` …). */
export type DataRows = Readonly<Record<string, Rows>>

/** Rows that are in memory anyway. */
export const listRows = (rows: readonly unknown[]): Rows => ({ count: rows.length, read: async (index) => rows[index] })

/** Rows of several files, one file after the other. */
export function joinRows(parts: readonly Rows[]): Rows {
  const [only] = parts
  if (only && parts.length === 1) return only
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  return {
    count,
    async read(index) {
      let at = index
      for (const part of parts) {
        if (at < part.count) return part.read(at)
        at -= part.count
      }
      throw new RangeError(`there is no row ${index} of ${count}`)
    },
  }
}
