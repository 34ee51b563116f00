import { mkdirSync } from 'node:fs'
import * as z from 'zod'
import { importHarborJob } from '#fleet/harbor/import-job.ts'
import { NoHarborJob, openHarborJob } from '#fleet/harbor/job-folder.ts'
import { openLocalKey } from '#fleet/local-key.ts'
import { codeVersion } from '#fleet/program.ts'
import { NotImportable } from '#shared/episode/import-job.ts'
import { BadKey } from '#shared/export/signing-key.ts'
import { defineCommand } from '../command.ts'
import { CommandError, exitCodes, UsageError } from '../io.ts'
import { clean } from '../terminal.ts'

export const importRun = defineCommand({
  name: 'import',
  summary:
    'Reads the results of a Harbor job, a folder or a ZIP of it, as runs of this machine, one for each agent and model. They say that they were imported, and the signature says no more than that they were read so.',
  arguments: ['KIND', 'PATH'],
  options: { out: { help: 'folder that gets the runs (default runs/)', value: 'DIR', short: 'o' } },
  values: z.object({ out: z.string().default('runs') }),
  examples: ['bench import harbor jobs/2026-11-24__10-00-00', 'bench import harbor job.zip -o imported'],
  async run({ values, positionals, json }, io) {
    const [kind, path = ''] = positionals
    if (kind !== 'harbor') throw new UsageError('It is: bench import harbor PATH.')
    try {
      using opened = await openHarborJob(path)
      for (const { entry, text } of opened.problems) io.err(clean(`${entry} is left out: ${text}`))
      mkdirSync(values.out, { recursive: true })
      const key = openLocalKey(values.out, io.env.BENCH_SIGNING_PRIVATE_KEY)
      const imported = await importHarborJob(opened, values.out, key, io.env.VERSION || codeVersion())
      for (const { spec, head, dir, bundle, left } of imported) {
        const { run_id, model } = spec
        if (left > 0) io.err(`${left} files of trials were not taken over: their names or sizes are none that a trial may leave.`)
        if (json) io.out(JSON.stringify({ run_id, model: model.slug, status: head.status, trials: head.done, folder: dir, bundle }))
        else io.out(clean(`${dir}  ${model.slug}, ${spec.benchmarks[0]!.profile}: ${head.done} of ${head.total} trials, ${head.status}`))
      }
      return exitCodes.ok
    } catch (cause) {
      if (cause instanceof NoHarborJob || cause instanceof NotImportable || cause instanceof BadKey)
        throw new CommandError(`Nothing was imported: ${clean(cause.message)}.`, 'failed', null, { cause })
      throw cause
    }
  },
})
