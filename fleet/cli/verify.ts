import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import * as z from 'zod'
import { openFileSource } from '#fleet/file-source.ts'
import type { TableName } from '#shared/contract/card.ts'
import { toBase64 } from '#shared/export/bytes.ts'
import { fingerprintOf } from '#shared/export/ed25519.ts'
import { parsePublicKey } from '#shared/export/signing-key.ts'
import { verifyBundle, verifyFiles } from '#shared/export/verify.ts'
import type { VerifyOptions } from '#shared/export/verify-options.ts'
import { type Check, TrustedKey, type VerifyReport } from '#shared/export/verify-report.ts'
import type { Recomputation } from '#shared/export/verify-results.ts'
import { runLabels } from '#shared/run/run-labels.ts'
import type { Tables } from '#shared/scorers/tables.ts'
import { openBundleFolder } from './bundle-folder.ts'
import { score } from './numbers.ts'

/** Exit code of `bench verify` for a bundle that is not what it says. */
export const notVerified = 3

export type VerifyFileOptions = {
  keys: readonly TrustedKey[]
  now: Date
  /** Opens tables for scorers that read some; without it their scores are not computed anew. */
  tablesOf?: (names: readonly TableName[]) => Promise<Tables>
  /** Replaces the benchmarks this program carries. */
  recomputation?: Recomputation
  /** Hears how much of the work is done, both in bytes. */
  onProgress?(done: number, total: number): void
}

/** Verifies a bundle on this machine, an archive or the folder that it was unpacked into; only tables that scorers read may come from the network. Throws only when the file cannot be read. */
export async function verifyFile(
  path: string,
  options: VerifyFileOptions,
): Promise<{ report: VerifyReport; lines: string[]; exitCode: number }> {
  const recomputation = options.recomputation ?? (await ownRecomputation(options.tablesOf))
  const verifyOptions: VerifyOptions = {
    ...recomputation,
    trustedKeys: options.keys,
    now: options.now,
    openSha256: () => createHash('sha256'),
    ...(options.onProgress && { onProgress: options.onProgress }),
  }
  const report = (await stat(path)).isDirectory()
    ? await verifyFiles(async () => openBundleFolder(path), verifyOptions)
    : await verifyArchive(path, verifyOptions)
  return { report, lines: describe(path, report), exitCode: report.valid ? 0 : notVerified }
}

async function verifyArchive(path: string, options: VerifyOptions): Promise<VerifyReport> {
  await using source = await openFileSource(path)
  return await verifyBundle(source, options)
}

/** Keys a server says it signs with. Who asks the server trusts the server: pin them (`bench verify --key`) to trust nobody. */
export async function fetchKeys(base_url: string, fetchUrl: (url: string) => Promise<Response> = fetch): Promise<TrustedKey[]> {
  const response = await fetchUrl(new URL('/api/exports/keys', base_url).href)
  if (!response.ok) throw new Error(`${base_url} answered ${response.status} when asked for its keys`)
  return z.object({ keys: z.array(TrustedKey) }).parse(await response.json()).keys
}

/** A key given by hand, as PEM or base64 of its 32 raw bytes. Throws `BadKey`. */
export function pinnedKey(text: string): TrustedKey {
  const bytes = parsePublicKey(text)
  return { fingerprint: fingerprintOf(bytes), public_key: toBase64(bytes), valid_from: '1970-01-01T00:00:00Z', retired_at: null }
}

/** Scorers are loaded one by one, as the bundle names them. */
async function ownRecomputation(tablesOf: VerifyFileOptions['tablesOf']): Promise<Recomputation> {
  const [{ findTask }, { measureBenchmark }, { planTrials }] = await Promise.all([
    import('#shared/benchmarks/tasks.ts'),
    import('#shared/metrics/measure.ts'),
    import('#shared/run/plan.ts'),
  ])
  const opened = new Map<string, Tables>()
  return {
    async tasks(name) {
      const task = await findTask(name)
      const names = [...new Set(task?.card.profiles.flatMap((profile) => profile.tables))]
      if (!task || !tablesOf || names.length === 0) return task
      const tables = opened.get(name) ?? (await tablesOf(names))
      opened.set(name, tables)
      return { score: task.score, card: task.card, tables }
    },
    computeMetrics: measureBenchmark,
    plan: planTrials,
  }
}

const marks = new Map<Check['ok'], string>([
  [true, 'ok  '],
  [false, 'FAIL'],
  [null, '–   '],
])

const labelsOf = ({ labels }: VerifyReport): string =>
  labels.length > 0 ? ` · ${labels.map((name) => runLabels[name].word).join(', ')}` : ''

function describe(path: string, report: VerifyReport): string[] {
  const checks = report.checks.map((check) => `  ${marks.get(check.ok)} ${check.name.padEnd(12)} ${check.detail}`)
  const overall = score({ value: report.overall_score, low: null, high: null })
  const summary =
    report.run_id === null ? [] : [`run ${report.run_id} · ${report.model_slug} · overall score ${overall}${labelsOf(report)}`]
  const proves = 'This shows what was recorded and that the numbers follow from it, not that a provider served the named weights.'
  // What is no archive of ours at all is more often the wrong file than a forged one.
  const strange = report.checks.some(({ name, ok }) => name === 'structure' && ok === false)
  const hint = strange
    ? ['This is no bundle of a run, or a damaged one. A job of Harbor has no signature: `bench import harbor FILE` makes a run of it.']
    : []
  return [path, ...summary, ...checks, ...(report.valid ? ['verified', proves] : ['NOT VERIFIED', ...hint])]
}
