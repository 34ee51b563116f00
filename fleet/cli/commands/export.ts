import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import * as z from 'zod'
import { ExportFormat, exportEnding, exportFormatNames } from '#shared/contract/export-formats.ts'
import { checkExport } from '../check-export.ts'
import { createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { download, mebibytes } from '../download.ts'
import { exportHere } from '../export-here.ts'
import { findRunId } from '../find-run.ts'
import { CommandError, exitCodes } from '../io.ts'

export const exportRun = defineCommand({
  name: 'export',
  summary:
    'Writes an ended run of the service, or of a local run\'s folder, to a file. The ZIP is signed; anybody can check it with "bench verify". PDF and Markdown are a short report for people; harbor is a job folder of terminal tasks for Harbor\'s own tools, in a ZIP.',
  arguments: ['RUN'],
  options: {
    format: { help: 'kind of file (default zip)', value: 'KIND', short: 'f', choices: exportFormatNames },
    out: { help: 'file to write (default benchmark_results_RUN.KIND)', value: 'FILE', short: 'o' },
    force: { help: 'replace the file if it is there' },
  },
  values: z.object({
    format: ExportFormat.default('zip'),
    out: z.string().optional(),
    force: z.boolean().default(false),
  }),
  examples: [
    'bench export last',
    'bench export last --format csv -o results.csv',
    'bench export runs/FOLDER --format md',
    'bench export last --format harbor',
  ],
  async run({ values, positionals, json, url }, io) {
    const named = positionals[0] ?? ''
    const fileOf = (id: string) => {
      const path = values.out ?? `benchmark_results_${id}.${exportEnding(values.format)}`
      if (existsSync(path) && !values.force) throw new CommandError(`${path} is there already; give --force or another --out.`)
      return path
    }
    if (isFolder(named)) {
      const dir = resolve(named)
      const path = fileOf(basename(dir))
      const { run_id, trials } = await exportHere(dir, values.format, path, io)
      io.out(json ? JSON.stringify({ run_id, file: path, bytes: statSync(path).size, trials }) : path)
      return exitCodes.ok
    }
    const client = createClient(io, url)
    const id = await findRunId(client, named)
    const path = fileOf(id)
    const from = `/api/runs/${id}/export?format=${values.format}`
    const { bytes, trials } = await download(client, from, path, io, async (part, told) => {
      if (told.trials === null) return
      io.progress(`${mebibytes(told.bytes)} came; checking ${told.trials} trials`)
      await checkExport(part, values.format, told.trials)
    })
    io.out(json ? JSON.stringify({ run_id: id, file: path, bytes, trials }) : path)
    return exitCodes.ok
  },
})

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
