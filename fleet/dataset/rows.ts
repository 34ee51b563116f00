import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { parse as parseCsv } from 'csv-parse/sync'
import { datasetError } from './dataset-error.ts'
import { readParquetRows } from './parquet-rows.ts'
import { readZip } from './zip-members.ts'

const MAX_UNPACKED = 4 * 2 ** 30 - 1
const unzip = promisify(gunzip)

/** A name as in a card: the archive's own path, or `archive.zip!/member` for one file inside it. */
export function archivePath(name: string): { path: string; member: string | null } {
  const at = name.indexOf('.zip!/')
  return at < 0 ? { path: name, member: null } : { path: name.slice(0, at + 4), member: name.slice(at + 6) }
}

/**
 * All rows of a data file on disk, as plain objects in file order; `name` (the path in the card) decides how it is read: `.parquet`, `.jsonl`, `.json` (an
 * array), `.csv`, each of the last three also as `.gz`; `.zip!/member`; a whole `.zip` gives one row `{ name, text }` a file, `text` being null for a file that is no UTF-8. CSV cells stay text.
 * Throws `dataset/bad-record` with the place that does not parse.
 */
export async function readRows(file: string, name: string, columns?: readonly string[]): Promise<unknown[]> {
  const { path, member } = archivePath(name)
  if (path.endsWith('.parquet')) return readParquetRows(file, name, columns)
  const bytes = await readFile(file)
  const rows = path.endsWith('.zip') ? await zipRows(bytes, name, member) : await parseRows(bytes, name)
  return columns === undefined ? rows : rows.map((row) => pick(row, columns))
}

async function zipRows(bytes: Uint8Array, name: string, member: string | null): Promise<unknown[]> {
  const members = readZip(bytes, name, member)
  if (member !== null) return parseRows(members[0]?.bytes ?? new Uint8Array(), name)
  return members.map((entry) => ({ name: entry.name, text: textOf(entry.bytes) }))
}

/** A file as Python's `open(…, encoding="utf-8")` gives it, byte order mark included, but for its line ends; nobody may want one that is no text. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

async function parseRows(bytes: Uint8Array, name: string): Promise<unknown[]> {
  if (name.endsWith('.gz')) return parseRows(await inflate(bytes, name), name.slice(0, -3))
  if (name.endsWith('.jsonl')) return jsonLines(decode(bytes, name), name)
  if (name.endsWith('.json')) return jsonArray(decode(bytes, name), name)
  if (name.endsWith('.csv')) return csvRows(decode(bytes, name), name)
  throw datasetError('bad-record', `${name}: no reader for this kind of file (known: .parquet, .jsonl, .json, .csv, .gz of these, .zip)`)
}

async function inflate(bytes: Uint8Array, name: string): Promise<Uint8Array> {
  try {
    return await unzip(bytes, { maxOutputLength: MAX_UNPACKED })
  } catch (cause) {
    throw datasetError('bad-record', `${name}: not a whole gzip file`, { cause })
  }
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw datasetError('bad-record', `${name}: not UTF-8 text`, { cause })
  }
}

function jsonLines(text: string, name: string): unknown[] {
  const rows: unknown[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    try {
      rows.push(JSON.parse(line))
    } catch (cause) {
      throw datasetError('bad-record', `${name} line ${index + 1}: no JSON`, { cause })
    }
  }
  return rows
}

function jsonArray(text: string, name: string): unknown[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw datasetError('bad-record', `${name}: no JSON`, { cause })
  }
  if (!Array.isArray(value)) throw datasetError('bad-record', `${name}: a JSON array of rows is expected`)
  return value
}

/** As Python's csv module reads it: quotes inside an unquoted cell are text, empty lines are no rows, any line end will do. */
function csvRows(text: string, name: string): unknown[] {
  try {
    return parseCsv(text, { columns: true, bom: true, relax_quotes: true, skip_empty_lines: true, record_delimiter: ['\r\n', '\n', '\r'] })
  } catch (cause) {
    throw datasetError('bad-record', `${name}: ${cause instanceof Error ? cause.message : 'no CSV'}`, { cause })
  }
}

function pick(row: unknown, columns: readonly string[]): unknown {
  if (typeof row !== 'object' || row === null) return row
  return Object.fromEntries(Object.entries(row).filter(([name]) => columns.includes(name)))
}
