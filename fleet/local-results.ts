import { createWriteStream, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { findCard } from '#shared/benchmarks/cards.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { bundleName, writeBundle } from '#shared/export/bundle.ts'
import { claimsOfRun } from '#shared/export/claims-of-run.ts'
import type { SigningKey } from '#shared/export/signing-key.ts'
import { measureBenchmark } from '#shared/metrics/measure.ts'
import { metricRowOf } from '#shared/metrics/metric-row.ts'
import type { MetricRow } from '#shared/metrics/port.ts'
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

/** Writes the signed bundle and the public key to check it with into the run's folder, and gives the path of the bundle. */
export async function signLocalRun(
  run: Finished,
  folder: Pick<RunFolder, 'dir' | 'trials'>,
  key: SigningKey,
  code_version: string,
): Promise<string> {
  const claims = claimsOfRun(run, { metric_names: metricsOf, code_version, now: new Date() })
  const path = join(folder.dir, bundleName(run.spec.run_id, claims.exported_at))
  await pipeline(Readable.from(writeBundle(claims, folder.trials, key)), createWriteStream(`${path}.part`, { flags: 'wx' }))
  renameSync(`${path}.part`, path)
  writeFileSync(join(folder.dir, 'public_key.txt'), `${key.public_key}\n`)
  return path
}
