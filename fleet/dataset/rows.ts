import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { parse as csvParser } from 'csv-parse'
import type { Chunks } from './byte-lines.ts'
import { datasetError, systemCode } from './dataset-error.ts'
import { jsonLines } from './json-lines.ts'
import { parquetRows } from './parquet-rows.ts'
import { taskRows } from './task-rows.ts'
import { readZip } from './zip-members.ts'

/** A name as in a card: the archive's own path, or `archive.zip!/member` for one file inside it, or `archive.tar.gz!/folder` for a folder of tasks. */
export function archivePath(name: string): { path: string; member: string | null } {
  const [, path, member] = /^(.*?\.(?:zip|tar\.gz))!\/(.*)$/s.exec(name) ?? []
  return path === undefined || member === undefined ? { path: name, member: null } : { path, member }
}

/** The bytes of a file on disk, in pieces. */
export const chunksOf = (file: string): Chunks => createReadStream(file, { highWaterMark: 2 ** 20 })

/**
 * All rows of a data file on disk, as plain objects in file order, of which few are held at a time; `name` (the path in the card) decides how it is
 * read: `.parquet`, `.jsonl`, `.json` (an array, or an object of one row `{ name, value }` a key), `.csv`, each of the last three also as `.gz`; a `.toml` is
 * one row `{ name, text }`; `.zip!/member`; a whole `.zip` gives one row
 * `{ name, text }` a file, `text` being null for a file that is no UTF-8; a `.h5` one for each of its groups (`hdf5Rows`);
 * `.tar.gz!/folder` one for each task below that folder (`taskRows`). CSV cells stay text. Archives and JSON arrays are held whole.
 * Throws `dataset/bad-record` with the place that does not parse.
 */
export async function* streamRows(
  file: string,
  name: string,
  columns: readonly string[] | undefined,
  mostBytes: number,
): AsyncGenerator<unknown> {
  const { path, member } = archivePath(name)
  if (path.endsWith('.parquet')) return yield* parquetRows(file, name, columns)
  if (path.endsWith('.h5')) return yield* (await import('./hdf5-rows.ts')).hdf5Rows(file, name) // its reader is large, and few need it
  if (path.endsWith('.tar.gz')) return yield* taskRows(await readFile(file), path, member ?? '')
  if (path.endsWith('.toml')) return yield { name: basename(path), text: textOf(await readFile(file)) }
  const rows = path.endsWith('.zip') ? zipRows(await readFile(file), name, member, mostBytes) : parsedRows(chunksOf(file), name, mostBytes)
  for await (const row of rows) yield columns === undefined ? row : pickColumns(row, columns)
}

/** The named columns of a row. */
export function pickColumns(row: unknown, columns: readonly string[]): unknown {
  if (typeof row !== 'object' || row === null) return row
  return Object.fromEntries(Object.entries(row).filter(([name]) => columns.includes(name)))
}

async function* zipRows(bytes: Uint8Array, name: string, member: string | null, mostBytes: number): AsyncGenerator<unknown> {
  const members = readZip(bytes, name, member)
  if (member !== null) return yield* parsedRows(Readable.from([members[0]?.bytes ?? new Uint8Array()]), name, mostBytes)
  for (const entry of members) yield { name: entry.name, text: textOf(entry.bytes) }
}

/** A file as Python's `open(…, encoding="utf-8")` gives it, byte order mark included, but for its line ends; nobody may want one that is no text. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function parsedRows(chunks: Chunks, name: string, mostBytes: number): AsyncGenerator<unknown> {
  const packed = name.endsWith('.gz')
  const plain = packed ? inflated(chunks, name) : chunks
  const form = packed ? name.slice(0, -3) : name
  if (form.endsWith('.jsonl')) return rowsOfLines(plain, form, mostBytes)
  if (form.endsWith('.json')) return jsonArray(plain, form, mostBytes)
  if (form.endsWith('.csv')) return csvRows(plain, form, mostBytes)
  throw datasetError(
    'bad-record',
    `${name}: no reader for this kind of file (known: .parquet, .jsonl, .json, .csv, .gz of these, .toml, .zip, .h5, .tar.gz of tasks)`,
  )
}

async function* inflated(chunks: Chunks, name: string): Chunks {
  try {
    yield* through(chunks, createGunzip())
  } catch (cause) {
    if (systemCode(cause) !== undefined) throw cause
    throw datasetError('bad-record', `${name}: not a whole gzip file`, { cause })
  }
}

async function* rowsOfLines(chunks: Chunks, name: string, mostBytes: number): AsyncGenerator<unknown> {
  for await (const { row } of jsonLines(chunks, name, mostBytes)) yield row
}

async function* jsonArray(chunks: Chunks, name: string, mostBytes: number): AsyncGenerator<unknown> {
  let text = ''
  for await (const part of decoded(chunks, name)) {
    text += part
    if (text.length > mostBytes)
      throw datasetError('bad-record', `${name}: a JSON array of more than ${mostBytes} characters; JSON lines may be larger`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw datasetError('bad-record', `${name}: no JSON`, { cause })
  }
  if (Array.isArray(value)) return yield* value
  if (typeof value !== 'object' || value === null)
    throw datasetError('bad-record', `${name}: a JSON array of rows, or an object, is expected`)
  for (const [key, one] of Object.entries(value)) yield { name: key, value: one }
}

/** As Python's csv module reads it: quotes inside an unquoted cell are text, empty lines are no rows, any line end will do. */
async function* csvRows(chunks: Chunks, name: string, mostBytes: number): AsyncGenerator<unknown> {
  const parser = csvParser({
    ...{ columns: true, bom: true, relax_quotes: true, skip_empty_lines: true, record_delimiter: ['\r\n', '\n', '\r'] },
    max_record_size: mostBytes,
  })
  try {
    yield* through(decoded(chunks, name), parser)
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name === 'DatasetError' || systemCode(cause) !== undefined) throw cause
    throw datasetError('bad-record', `${name}: ${cause.message}`, { cause })
  }
}

async function* through(source: AsyncIterable<unknown>, transform: Transform) {
  const fed = pipeline(Readable.from(source), transform)
  fed.catch(() => undefined) // what it throws, reading throws too
  yield* transform
  await fed
}

/** The text of a file, without its byte order mark. */
async function* decoded(chunks: Chunks, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (bytes?: Uint8Array): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    } catch (cause) {
      throw datasetError('bad-record', `${name}: not UTF-8 text`, { cause })
    }
  }
  for await (const chunk of chunks) yield decode(chunk)
  yield decode()
}
