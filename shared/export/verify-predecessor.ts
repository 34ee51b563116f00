import { sha256 } from '@noble/hashes/sha2.js'
import type { BundleFiles } from './bundle-files.ts'
import { wholeZip } from './bundle-limits.ts'
import { PredecessorManifest, PredecessorResults } from './bundle-schema.ts'
import type { Bytes } from './byte-source.ts'
import { toHex } from './bytes.ts'
import { BadArchive, readExactly } from './read-zip.ts'
import { checkSignature, firstIssue, parseCanonical, scanResults } from './verify-manifest.ts'
import type { VerifyOptions } from './verify-options.ts'
import { openReport, type ReportWriter, type VerifyReport } from './verify-report.ts'

/** The four members of the predecessor's bundle, in their order. */
export const predecessorMembers = ['results.json', 'manifest.json', 'signature.txt', 'public_key.txt'] as const
type Members = Record<(typeof predecessorMembers)[number], Bytes>

/** Verifies signature and hash of a predecessor's bundle, which is read whole. Throws `BadArchive`. */
export async function verifyPredecessor(bundle: BundleFiles, options: VerifyOptions): Promise<VerifyReport> {
  const report = openReport()
  const { packing } = bundle
  if (packing && packing.source.size > wholeZip.in_bytes) throw new BadArchive(`larger than the ${wholeZip.in_bytes} bytes taken here`)
  const total = bundle.members.reduce((sum, { size }) => sum + size, 0)
  if (total > wholeZip.out_bytes) throw new BadArchive(`unpacks to more than the ${wholeZip.out_bytes} bytes taken here`)
  for (const { name, size, packed } of packing?.zip.members ?? [])
    if (size > packed * wholeZip.ratio) throw new BadArchive(`${name} expands more than ${wholeZip.ratio} times`)
  const read = await readExactly(bundle, predecessorMembers)
  const members = Object.fromEntries(read.map(({ name, bytes }) => [name, bytes])) as Members // readExactly gives exactly these
  report.check('structure', true, `${read.length} members, every byte accounted for`)
  const parsed = parseCanonical(members['manifest.json'])
  const manifest = PredecessorManifest.safeParse(parsed)
  if (!manifest.success) {
    report.check('manifest', false, parsed === undefined ? 'it is not canonical JSON' : firstIssue(manifest))
    return report.close()
  }
  const { run_id, generated_at, public_key_fingerprint, results_sha256 } = manifest.data
  report.check('manifest', true, `run ${run_id}, signed ${generated_at}`)
  report.check('archive', null, "packed by the predecessor: the reader's structural checks apply")
  report.set({ format: 'predecessor', public_key_fingerprint })
  checkSignature(members, manifest.data, options.trustedKeys, report)
  const digest = toHex(sha256(members['results.json']))
  const same = digest === results_sha256
  const why = same ? `SHA-256 ${digest}` : `the results are ${digest}, the manifest names ${results_sha256}`
  if (!report.check('hash', same, why)) return report.close()
  const scanned = scanResults(members['results.json'], true, report)
  if (scanned) checkResults(scanned.skeleton, run_id, report)
  return report.close()
}

/** Checks form and run id of the results. Their scores have no evidence and are not recomputed. */
function checkResults(skeleton: string, run_id: string, report: ReportWriter): void {
  const results = PredecessorResults.safeParse(JSON.parse(skeleton))
  if (!report.check('schema', results.success, results.success ? "the predecessor's results, version 1.0" : firstIssue(results))) return
  const { run, exported_at, benchmarks } = results.data!
  const { model_slug, subset_pct, subset_count, subset_seed, overall_score } = run
  const benchmark_count = benchmarks.length
  report.set({ run_id: run.id, model_slug, subset_pct, subset_count, subset_seed, overall_score, exported_at, benchmark_count })
  const same = run.id === run_id
  report.check('consistency', same, same ? 'manifest and results name the same run' : 'manifest and results name different runs')
  for (const name of ['fields', 'scores', 'aggregates', 'metrics', 'costs', 'status', 'artifacts'] as const) {
    report.check(name, null, "the predecessor's format carries no evidence to compute from")
  }
}
