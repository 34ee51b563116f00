import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { serialize } from 'node:v8'
import * as z from 'zod'
import { Sha256 } from '#shared/contract/ids.ts'
import { systemCode } from './dataset-error.ts'
import { jsonLines } from './json-lines.ts'
import { chunksOf, streamRows } from './rows.ts'

/** Bytes of an entry: where a row begins and where it ends, as 64-bit floats, little-endian. */
export const entryBytes = 16

/** What stands at the end of an index, before its own length in four bytes. `rows_*` tell of the file of rows where there is one. */
const Tail = z.object({
  count: z.int().min(0),
  entries_sha256: Sha256,
  rows_sha256: Sha256.nullable(),
})
export type Tail = z.infer<typeof Tail>
const mostTailBytes = 4096

/** What is to be indexed. `rows` is where the rows are written one after the other; null for JSON lines, which stay where they are. */
export type IndexJob = {
  file: string
  name: string
  columns: readonly string[] | null
  index: string
  rows: string | null
  mostRowBytes: number
}

/**
 * Reads a data file through once and writes where its rows are; rows that do not lie there one by one are written beside it. Both files appear under
 * their names when they are whole, the index last. Gives what stands at its end. Throws `dataset/bad-record` for what does not parse.
 */
export async function buildIndex(job: IndexJob): Promise<Tail> {
  const part = `${job.index}.${randomUUID()}.part`
  const rowsPart = `${job.rows ?? job.index}.${randomUUID()}.part`
  try {
    const tail = job.rows === null ? await indexLines(job, part) : await writeRows(job, part, rowsPart)
    if (job.rows !== null) await rename(rowsPart, job.rows)
    await rename(part, job.index)
    return tail
  } finally {
    await Promise.all([part, rowsPart].map((path) => rm(path, { force: true })))
  }
}

/** Lines of JSON stay where they are. */
async function indexLines({ file, name, mostRowBytes }: IndexJob, part: string): Promise<Tail> {
  await using index = await openIndex(part)
  for await (const { start, end } of jsonLines(chunksOf(file), name, mostRowBytes)) await index.add(start, end)
  return await index.end(null) // before the file is closed
}

async function writeRows({ file, name, columns, mostRowBytes }: IndexJob, part: string, rowsPart: string): Promise<Tail> {
  await using index = await openIndex(part)
  await using rows = await openWriter(rowsPart)
  for await (const row of streamRows(file, name, columns ?? undefined, mostRowBytes)) {
    const start = rows.bytes()
    await rows.write(serialize(row))
    await index.add(start, rows.bytes())
  }
  return await index.end(await rows.sha256())
}

async function openIndex(path: string) {
  const entries = await openWriter(path)
  let count = 0
  return {
    async add(start: number, end: number): Promise<void> {
      count++
      const entry = Buffer.alloc(entryBytes)
      entry.writeDoubleLE(start, 0)
      entry.writeDoubleLE(end, 8)
      await entries.write(entry)
    },
    async end(rows_sha256: string | null): Promise<Tail> {
      const tail: Tail = { count, entries_sha256: await entries.sha256(), rows_sha256 }
      const text = Buffer.from(JSON.stringify(tail))
      const length = Buffer.alloc(4)
      length.writeUInt32LE(text.length)
      await entries.write(Buffer.concat([text, length]))
      return tail
    },
    [Symbol.asyncDispose]: () => entries[Symbol.asyncDispose](),
  }
}

/** The end of an index whose entries are all there, unchanged; undefined where there is no such index. */
export async function readTail(index: string): Promise<Tail | undefined> {
  try {
    const { size } = await stat(index)
    await using file = await open(index)
    const last = Buffer.alloc(Math.min(size, mostTailBytes))
    await file.read(last, 0, last.length, size - last.length)
    const length = last.length < 4 ? 0 : last.readUInt32LE(last.length - 4)
    const tail = Tail.safeParse(parseJson(last.subarray(Math.max(0, last.length - 4 - length), -4).toString('utf8')))
    const entries = size - 4 - length
    if (!tail.success || entries !== tail.data.count * entryBytes) return undefined
    const hash = createHash('sha256')
    if (entries > 0) for await (const chunk of createReadStream(index, { end: entries - 1 })) hash.update(chunk as Uint8Array)
    return hash.digest('hex') === tail.data.entries_sha256 ? tail.data : undefined
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Writes a new file in large pieces. `sha256` is of all that was written until it is asked for. */
async function openWriter(path: string) {
  const file = await open(path, 'wx')
  const hash = createHash('sha256')
  let held: Uint8Array[] = []
  let heldBytes = 0
  let bytes = 0
  const flush = async (): Promise<void> => {
    const piece = Buffer.concat(held)
    held = []
    heldBytes = 0
    hash.update(piece)
    await file.writeFile(piece)
  }
  return {
    bytes: (): number => bytes,
    async write(piece: Uint8Array): Promise<void> {
      held.push(piece)
      heldBytes += piece.length
      bytes += piece.length
      if (heldBytes >= 2 ** 20) await flush()
    },
    async sha256(): Promise<string> {
      await flush()
      return hash.copy().digest('hex')
    },
    /** What is written is on the disk then. */
    async [Symbol.asyncDispose](): Promise<void> {
      try {
        await flush()
        await file.sync()
      } finally {
        await file.close()
      }
    },
  }
}
