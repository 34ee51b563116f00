import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { datasetError } from './dataset-error.ts'

/**
 * Rows of a Parquet file as plain JSON-like objects, one row group at a time: 64-bit integers become numbers where that is exact (else decimal text),
 * dates ISO text. Without `columns`, embedded media (the hub's image and audio columns: structs of `bytes` and `path`) are left out.
 */
export async function* parquetRows(file: string, name: string, columns?: readonly string[]): AsyncGenerator<unknown> {
  try {
    const buffer = await asyncBufferFromFile(file)
    const metadata = await parquetMetadataAsync(buffer)
    const present = parquetSchema(metadata).children
    const known = new Set(present.map((column) => column.element.name))
    const missing = columns?.filter((column) => !known.has(column)) ?? []
    if (missing.length > 0) throw datasetError('bad-record', `${name}: no column ${missing.join(', ')}`)
    const wanted = columns ?? present.filter((column) => !isMedia(column.children)).map((column) => column.element.name)
    let rowStart = 0
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows)
      const rows = await parquetReadObjects({ file: buffer, metadata, compressors, columns: [...wanted], rowStart, rowEnd })
      for (const row of rows) yield plain(row)
      rowStart = rowEnd
    }
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'DatasetError') throw cause
    throw datasetError('bad-record', `${name}: not a readable Parquet file (${cause instanceof Error ? cause.message : 'unknown'})`, {
      cause,
    })
  }
}

function isMedia(children: readonly { element: { name: string } }[]): boolean {
  const names = children.map((child) => child.element.name).sort()
  return names.length === 2 && names[0] === 'bytes' && names[1] === 'path'
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return value
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
  return value
}
