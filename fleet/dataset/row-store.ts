import { open } from 'node:fs/promises'
import { deserialize } from 'node:v8'
import type { Rows } from '#shared/benchmarks/rows.ts'
import type { Heavy } from '../threads/heavy.ts'
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

/** What is read at once, as rows are mostly read in order. */
const blockBytes = 64 * 1024

export type OpenedRows = Rows & { close(): Promise<void> }

/** Opens rows on disk; of them only what was read last is held. A large row is read and parsed on a thread. */
export async function openStore(store: RowStore, { heavy, rows }: { heavy: Heavy; rows: RowLimits }): Promise<OpenedRows> {
  const entries = await openBlocks(store.index)
  const data = await openBlocks(store.file)
  return {
    count: store.count,
    async read(index) {
      if (!(index >= 0 && index < store.count)) throw new RangeError(`there is no row ${index} of ${store.count}`)
      const entry = await entries.read(index * entryBytes, (index + 1) * entryBytes)
      const [start, end] = [entry.readDoubleLE(0), entry.readDoubleLE(8)]
      if (end - start > rows.bigRowBytes) return heavy.run('row', { store, start, end })
      return parseRow(await data.read(start, end), store)
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

type File = Awaited<ReturnType<typeof open>>

/** Reads parts of a file; what lies just behind a part is there already when it is asked for next. */
async function openBlocks(path: string) {
  const file = await open(path)
  const { size } = await file.stat()
  const none = { start: 0, end: 0, bytes: Promise.resolve(Buffer.alloc(0)) }
  let block = none
  const load = (start: number, end: number): typeof block => {
    const bytes = Buffer.alloc(Math.min(size, Math.max(end, start + blockBytes)) - start)
    const loaded = { start, end: start + bytes.length, bytes: readFully(file, bytes, start).then(() => bytes) }
    loaded.bytes.catch(() => {
      if (block === loaded) block = none
    })
    return loaded
  }
  return {
    async read(start: number, end: number): Promise<Buffer> {
      if (end > size) throw new RangeError(`${path} ends before byte ${end}`)
      if (start < block.start || end > block.end) block = load(start, end)
      const { start: from, bytes } = block
      return (await bytes).subarray(start - from, end - from)
    },
    close: () => file.close(),
  }
}

async function readFully(file: File, into: Buffer, from: number): Promise<void> {
  let have = 0
  while (have < into.length) {
    const { bytesRead } = await file.read(into, have, into.length - have, from + have)
    if (bytesRead === 0) throw new RangeError(`the file ends before byte ${from + into.length}`)
    have += bytesRead
  }
}
