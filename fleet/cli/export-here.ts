import { dirname } from 'node:path'
import { openLocalKey } from '#fleet/local-key.ts'
import { exportLocalRun } from '#fleet/local-results.ts'
import { codeVersion } from '#fleet/program.ts'
import { readLocalRun } from '#fleet/run-local.ts'
import { type ExportFormat, exportFormats } from '#shared/contract/export-formats.ts'
import { isTerminal } from '#shared/contract/run.ts'
import { IncompleteRecord } from '#shared/export/bundle.ts'
import { BundleTooLarge } from '#shared/export/bundle-limits.ts'
import type { ExportRun } from '#shared/export/formats/format.ts'
import { NoEpisodes } from '#shared/export/formats/harbor.ts'
import { BadKey } from '#shared/export/signing-key.ts'
import { RunRefused } from '#shared/run/run-refused.ts'
import { CommandError, type Io } from './io.ts'

/** Writes an ended local run in one form to `path`, by the same writers as the service. Throws `CommandError`. */
export async function exportHere(
  dir: string,
  format: ExportFormat,
  path: string,
  io: Pick<Io, 'env' | 'now'>,
  janus?: ExportRun['janus'],
): Promise<{ run_id: string; trials: number }> {
  const { folder, ...run } = await readLocalRun(dir).catch((error: unknown) => {
    throw error instanceof RunRefused ? new CommandError(error.message, error.code, null, { cause: error }) : error
  })
  try {
    const { status, run_id, done } = run.head
    if (!isTerminal(status)) throw new CommandError(`The run is ${status}. It can be exported when it has ended.`, 'export-not-ready')
    const key = exportFormats[format].signs ? openLocalKey(dirname(dir), io.env.BENCH_SIGNING_PRIVATE_KEY) : null
    await exportLocalRun(run, folder, format, path, { key, code_version: codeVersion(), now: new Date(io.now()), ...(janus && { janus }) })
    return { run_id, trials: done }
  } catch (cause) {
    if (cause instanceof NoEpisodes)
      throw new CommandError('None of its benchmarks is made of terminal tasks: take another form.', 'export-no-episodes', null, { cause })
    if (cause instanceof BundleTooLarge || cause instanceof IncompleteRecord || cause instanceof BadKey)
      throw new CommandError(`Nothing was written to ${path}: ${cause.message}.`, 'failed', null, { cause })
    throw cause
  } finally {
    folder.close()
  }
}
