import { createHash } from 'node:crypto'
import { createWriteStream, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { cards, findCard } from '#shared/benchmarks/cards.ts'
import type { ExportFormat } from '#shared/contract/export-formats.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { bundleName } from '#shared/export/bundle.ts'
import { claimsOfRun } from '#shared/export/claims-of-run.ts'
import type { ExportRun } from '#shared/export/formats/format.ts'
import { formatWriters } from '#shared/export/formats/formats.ts'
import type { SigningKey } from '#shared/export/signing-key.ts'
import { measureBenchmark } from '#shared/metrics/measure.ts'
import { metricRowOf } from '#shared/metrics/metric-row.ts'
import type { MetricRow } from '#shared/metrics/port.ts'
import { viewFor } from '#shared/run/audience.ts'
import { viewRun } from '#shared/run/run-view.ts'
import { artifactsDir, readFolderStore } from './artifacts/folder-store.ts'
import type { RunFolder } from './coordinator/run-folder.ts'

export type LocalMetrics = Record<string, ReturnType<typeof measureBenchmark>>
type Finished = { spec: RunSpec; head: RunHead; metrics: LocalMetrics }

const metricsOf = (benchmark: string): readonly string[] => findCard(benchmark)?.metrics ?? []

/** Every metric of every benchmark over the trials that are there; the headline comes first. */
export async function measureLocalRun(spec: RunSpec, folder: Pick<RunFolder, 'trials'>): Promise<LocalMetrics> {
  const measured: LocalMetrics = {}
  for (const planned of spec.benchmarks) {
    const { name } = planned
    const rows: MetricRow[] = []
    for await (const page of folder.trials(name)) for (const { record } of page) rows.push(metricRowOf(record))
    measured[name] = measureBenchmark(metricsOf(name), rows, planned)
  }
  return measured
}

/**
 * Writes a local run in one form to `path`, beside it first; nothing is left where it fails. `now` is when it was exported. Throws the errors of
 * the file system and of the form's writer.
 */
export async function exportLocalRun(
  run: Finished,
  folder: Pick<RunFolder, 'dir' | 'trials'>,
  format: ExportFormat,
  path: string,
  { key, code_version, now, janus }: { key: SigningKey | null; code_version: string; now: Date; janus?: ExportRun['janus'] },
): Promise<void> {
  const { spec } = run
  const exported: ExportRun = {
    view: viewRun(run, { cards, seen: viewFor(spec, 'owner'), mine: true, demo: spec.model.provider === 'demo' }),
    claims: claimsOfRun(run, { metric_names: metricsOf, code_version, now }),
    withheld: format === 'janus' ? new Set() : privateIn(spec), // a report is scored from what was said
    key,
    artifacts: readFolderStore(artifactsDir(folder.dir)),
    openSha256: () => createHash('sha256'),
    service_url: '',
    ...(janus && { janus }),
  }
  const part = `${path}.part`
  try {
    await pipeline(Readable.from(formatWriters[format](exported, folder.trials), { objectMode: false }), createWriteStream(part))
    renameSync(part, path)
  } finally {
    rmSync(part, { force: true })
  }
}

/** Benchmarks on rows that are nobody else's: what is handed on of a run has no texts of theirs. */
const privateIn = ({ benchmarks }: RunSpec): ReadonlySet<string> =>
  new Set(benchmarks.flatMap(({ name, data }) => (data.private ? [name] : [])))

/** Writes the signed bundle and the public key to check it with into the run's folder, and gives the path of the bundle. */
export async function signLocalRun(
  run: Finished,
  folder: Pick<RunFolder, 'dir' | 'trials'>,
  key: SigningKey,
  code_version: string,
): Promise<string> {
  const now = new Date()
  const path = join(folder.dir, bundleName(run.spec.run_id, now.toISOString()))
  await exportLocalRun(run, folder, 'zip', path, { key, code_version, now })
  writeFileSync(join(folder.dir, 'public_key.txt'), `${key.public_key}\n`)
  return path
}
