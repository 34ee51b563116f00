import { open } from 'node:fs/promises'
import { deserialize } from 'node:v8'
import type { Rows } from '#shared/benchmarks/rows.ts'
import type { Heavy } from '../threads/heavy.ts'
import { openBlocks, readFully } from './file-blocks.ts'
import { entryBytes } from './row-index.ts'
import type { RowLimits } from './row-limits.ts'
import { pickColumns } from './rows.ts'

/** Rows on disk: a file, and an index of where each is. Plain data, by which any thread can open them. */
export type RowStore = {
  file: string
  index: string
  count: number
  /** Lines of JSON as they came, of which only some columns are wanted, or rows that were written by the index. */
  form: 'json' | 'v8'
  columns: readonly string[] | null
}

/** One row of it. */
export type RowJob = { store: RowStore; start: number; end: number }

export type OpenedRows = Rows & { close(): Promise<void> }

/** Opens rows on disk; of them only what was read last is held. A large row is read and parsed on a thread. */
export async function openStore(store: RowStore, { heavy, rows }: { heavy: Heavy; rows: RowLimits }): Promise<OpenedRows> {
  const entries = await openBlocks(store.index)
  const data = await openBlocks(store.file)
  return {
    count: store.count,
    async read(index) {
      if (!(index >= 0 && index < store.count)) throw new RangeError(`there is no row ${index} of ${store.count}`)
      const found = entries.read(index * entryBytes, (index + 1) * entryBytes)
      const entry = Buffer.isBuffer(found) ? found : await found
      const [start, end] = [entry.readDoubleLE(0), entry.readDoubleLE(8)]
      if (end - start > rows.bigRowBytes) return heavy.run('row', { store, start, end })
      const bytes = data.read(start, end)
      return parseRow(Buffer.isBuffer(bytes) ? bytes : await bytes, store)
    },
    async close() {
      await entries.close()
      await data.close()
    },
  }
}

/** One row, read by itself. */
export async function readRow({ store, start, end }: RowJob): Promise<unknown> {
  await using file = await open(store.file)
  const bytes = Buffer.alloc(end - start)
  await readFully(file, bytes, start)
  return parseRow(bytes, store)
}

function parseRow(bytes: Buffer, { form, columns }: RowStore): unknown {
  if (form === 'v8') return deserialize(bytes)
  const row: unknown = JSON.parse(bytes.toString('utf8'))
  return columns === null ? row : pickColumns(row, columns)
}
