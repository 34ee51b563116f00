import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { findRunId } from '../find-run.ts'
import { CommandError, exitCodes } from '../io.ts'

const formats = ['zip', 'csv', 'json', 'jsonl'] as const

export const exportRun = defineCommand({
  name: 'export',
  summary: 'Downloads an ended run. The ZIP is signed; anybody can check it with "bench verify".',
  arguments: ['RUN'],
  options: {
    format: { help: 'kind of file (default zip)', value: 'KIND', short: 'f', choices: formats },
    out: { help: 'file to write (default benchmark_results_RUN.KIND)', value: 'FILE', short: 'o' },
    force: { help: 'replace the file if it is there' },
  },
  values: z.object({
    format: z.enum(formats).default('zip'),
    out: z.string().optional(),
    force: z.boolean().default(false),
  }),
  examples: ['bench export last', 'bench export last --format csv -o results.csv'],
  async run({ values, positionals, json, url }, io) {
    const client = createClient(io, url)
    const id = await findRunId(client, positionals[0] ?? '')
    const path = values.out ?? `benchmark_results_${id}.${values.format}`
    if (existsSync(path) && !values.force) throw new CommandError(`${path} is there already; give --force or another --out.`)
    const response = await client.open(`/api/runs/${id}/export?format=${values.format}`)
    const bytes = await save(response, path)
    io.out(json ? JSON.stringify({ run_id: id, file: path, bytes }) : path)
    return exitCodes.ok
  },
})

/** Writes the body beside `path` and renames it when it is whole; gives its size in bytes. */
async function save(response: Response, path: string): Promise<number> {
  const part = `${path}.part`
  const file = createWriteStream(part)
  try {
    await pipeline(response.body ? Readable.fromWeb(response.body) : Readable.from([]), file)
    renameSync(part, path)
    return file.bytesWritten
  } catch (cause) {
    rmSync(part, { force: true })
    throw new CommandError(`The download into ${path} broke off: ${cause instanceof Error ? cause.message : cause}.`, 'failed', null, {
      cause,
    })
  }
}
