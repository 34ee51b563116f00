import { mkdirSync } from 'node:fs'
import * as z from 'zod'
import { importHarborJob } from '#fleet/harbor/import-job.ts'
import { NoHarborJob, openHarborJob } from '#fleet/harbor/job-folder.ts'
import { openLocalKey } from '#fleet/local-key.ts'
import { codeVersion } from '#fleet/program.ts'
import { visibilities } from '#shared/contract/run.ts'
import { meansLines } from '#shared/episode/compare-means.ts'
import { NotImportable } from '#shared/episode/import-job.ts'
import { BadKey } from '#shared/export/signing-key.ts'
import { createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { importedLines, importThere } from '../import-there.ts'
import { CommandError, exitCodes, UsageError } from '../io.ts'
import { clean } from '../terminal.ts'

export const importRun = defineCommand({
  name: 'import',
  summary:
    'Reads the results of a Harbor job, a folder or a ZIP of it, as runs of this machine, or with --service or --url of a service, one for each agent and model. Each run is marked as imported; its signature covers the reading, not the work.',
  arguments: ['KIND', 'PATH'],
  words: { KIND: ['harbor'] },
  options: {
    out: { help: 'folder that gets the runs (default runs/)', value: 'DIR', short: 'o' },
    service: { help: 'import it into the service; the same job gives the same runs again' },
    visibility: { help: 'who may read the runs there (private)', value: 'WHO', choices: visibilities },
  },
  values: z.object({ out: z.string().optional(), service: z.boolean().default(false), visibility: z.enum(visibilities).optional() }),
  examples: [
    'bench import harbor jobs/2026-11-24__10-00-00',
    'bench import harbor job.zip -o imported',
    'bench import harbor job.zip --service',
  ],
  async run({ values, positionals, json, url }, io) {
    const [, path = ''] = positionals
    const there = values.service || url !== undefined
    if (there && values.out !== undefined) throw new UsageError('--out is a folder of this machine: leave --service and --url out, or it.')
    if (!there && values.visibility !== undefined) throw new UsageError('--visibility is of runs of a service: add --service or --url.')
    try {
      if (there) {
        const imported = await importThere(path, values.visibility ?? 'private', createClient(io, url))
        const { out, err } = importedLines(imported)
        for (const line of err) io.err(line)
        for (const line of json ? imported.runs.map((run) => JSON.stringify(run)) : out) io.out(line)
        return exitCodes.ok
      }
      const folder = values.out ?? 'runs'
      using opened = await openHarborJob(path)
      for (const { entry, text } of opened.problems) io.err(clean(`${entry} is left out: ${text}`))
      mkdirSync(folder, { recursive: true })
      const key = openLocalKey(folder, io.env.BENCH_SIGNING_PRIVATE_KEY)
      const imported = await importHarborJob(opened, folder, key, io.env.VERSION || codeVersion())
      for (const { spec, head, dir, bundle, left, means } of imported) {
        const { run_id, model } = spec
        if (left > 0) io.err(`${left} files of trials were not taken over: their names or sizes are none that a trial may leave.`)
        if (json) io.out(JSON.stringify({ run_id, model: model.slug, status: head.status, trials: head.done, folder: dir, bundle, means }))
        else {
          io.out(clean(`${dir}  ${model.slug}, ${spec.benchmarks[0]!.profile}: ${head.done} of ${head.total} trials, ${head.status}`))
          for (const line of meansLines(means)) io.out(clean(`  ${line}`))
        }
      }
      return exitCodes.ok
    } catch (cause) {
      if (cause instanceof NoHarborJob || cause instanceof NotImportable || cause instanceof BadKey)
        throw new CommandError(`Nothing was imported: ${clean(cause.message)}.`, 'failed', null, { cause })
      throw cause
    }
  },
})
