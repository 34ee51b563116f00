import { existsSync } from 'node:fs'
import * as z from 'zod'
import { checkExport } from '../check-export.ts'
import { createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { download, mebibytes } from '../download.ts'
import { findRunId } from '../find-run.ts'
import { CommandError, exitCodes } from '../io.ts'

const formats = ['zip', 'pdf', 'csv', 'json', 'jsonl'] as const

export const exportRun = defineCommand({
  name: 'export',
  summary: 'Downloads an ended run. The ZIP is signed; anybody can check it with "bench verify". The PDF is a short report for people.',
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
    const from = `/api/runs/${id}/export?format=${values.format}`
    const { bytes, trials } = await download(client, from, path, io, async (part, told) => {
      if (told.trials === null || values.format === 'pdf') return
      io.progress(`${mebibytes(told.bytes)} came; checking ${told.trials} trials`)
      await checkExport(part, values.format, told.trials)
    })
    io.out(json ? JSON.stringify({ run_id: id, file: path, bytes, trials }) : path)
    return exitCodes.ok
  },
})
