import * as z from 'zod'
import type { DataRows } from './rows.ts'
import { BadRecord } from './task.ts'

/** The rows of a role as records. `read` rejects with `BadRecord` for a row that does not fit. */
export type Records<T> = { readonly count: number; read(index: number): Promise<T> }

/** The rows of a role as records, each parsed when it is read. Throws `BadRecord` when there are none. */
export function recordsOf<T>(rows: DataRows, role: string, record: z.ZodType<T>): Records<T> {
  const found = rows[role]
  if (!found?.count) throw new BadRecord(role, 0, 'there are no rows of this role')
  return {
    count: found.count,
    async read(index) {
      const row = await found.read(index)
      const parsed = record.safeParse(row)
      if (!parsed.success) throw new BadRecord(role, index, misfit(row, parsed.error), { cause: parsed.error })
      return parsed.data
    },
  }
}

/** Most columns that a message names. */
const mostNamed = 20

/** Says what keeps a row from being a record: `column options is missing; found question, answer`. */
function misfit(row: unknown, error: z.ZodError): string {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return 'the row is no object with columns'
  const found = Object.keys(row)
  const problems = error.issues.map(({ path, message }) => {
    const [column, ...inside] = path.map(String)
    if (column === undefined) return message
    if (!found.includes(column)) return `column ${column} is missing`
    return `column ${[column, ...inside].join('.')}: ${message}`
  })
  const named = [...new Set(problems)].slice(0, mostNamed).join('; ')
  return `${named}; found ${found.slice(0, mostNamed).join(', ') || 'no column'}${found.length > mostNamed ? ', …' : ''}`
}

/** Shows every record once, in order, holding none. Rejects with `BadRecord` for the first row that does not fit. */
export async function eachRecord<T>(records: Records<T>, see: (record: T, index: number) => void = () => undefined): Promise<void> {
  for (let index = 0; index < records.count; index++) see(await records.read(index), index)
}

/** An integer column: Parquet readers give a bigint, JSON lines give a number. */
export const IntegerCell = z.union([z.int(), z.bigint()])

/** An official text of the profile by its pin id; the fetcher has put it there, so its absence is a programming error. */
export function textOf(texts: Record<string, string>, id: string): string {
  const text = texts[id]
  if (text === undefined) throw new Error(`the official text "${id}" is not there`)
  return text
}
