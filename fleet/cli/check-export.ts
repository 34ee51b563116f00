import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { parse } from 'csv-parse'
import { openFileSource } from '#fleet/file-source.ts'
import type { ExportFormat } from '#shared/contract/export-formats.ts'
import { verifyBundle } from '#shared/export/verify.ts'
import { CommandError } from './io.ts'

/** Whether a downloaded export is whole: it ends as its form does and has `trials` rows, or is an archive that holds. Throws `CommandError`. */
export async function checkExport(path: string, format: ExportFormat, trials: number): Promise<void> {
  const found = await counters[format]?.(path)
  if (found === undefined || found === trials) return
  throw new CommandError(`The export is not whole: it has ${found} of ${trials} trials. Try again.`, 'broken-download')
}

const counters: Partial<Record<ExportFormat, (path: string) => Promise<number>>> = {
  zip: countBundle,
  csv: countCsv,
  json: countJson,
  jsonl: async (path) => (await linesOf(path)).count,
}

/** Structure, signature and hashes; `bench verify` computes the scores as well. */
async function countBundle(path: string): Promise<number> {
  await using source = await openFileSource(path)
  const report = await verifyBundle(source, { trustedKeys: [], now: new Date(), openSha256: () => createHash('sha256') })
  // Whose key it is, the file cannot say: that is asked of `bench verify`.
  const failed = report.checks.filter((one) => one.ok === false && one.name !== 'key')
  if (failed.length === 0) return report.items
  throw new CommandError(`The archive does not hold: ${failed.map((one) => one.detail).join('; ')}`, 'broken-download')
}

/** Rows of trials: a run without any is one row that names none. */
async function countCsv(path: string): Promise<number> {
  let rows = 0
  for await (const row of createReadStream(path).pipe(parse({ columns: true }))) {
    if ((row as Record<string, string>).item_id !== '') rows += 1
  }
  return rows
}

const lineFeed = 10

/** One trial a line between the first line, which is the run, and the last. */
async function countJson(path: string): Promise<number> {
  const { count, end } = await linesOf(path)
  return end === ']}\n' ? count - 2 : -1
}

/** Lines that have an end, and the last three characters. Only line feeds count: texts may hold other breaks that editors know. */
async function linesOf(path: string): Promise<{ count: number; end: string }> {
  let count = 0
  let end = ''
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) count += 1
    end = (end + chunk.subarray(-3).toString('latin1')).slice(-3)
  }
  return { count, end }
}
