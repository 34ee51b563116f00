import { sha256 } from '@noble/hashes/sha2.js'
import { namedBy } from './bundle.ts'
import { type BundleFiles, packedAnew } from './bundle-files.ts'
import { wholeZip } from './bundle-limits.ts'
import { BundleItem, bundleFormats, Manifest2, PredecessorManifest, PredecessorResults, Results } from './bundle-schema.ts'
import type { Bytes } from './byte-source.ts'
import { toHex } from './bytes.ts'
import { openContents } from './contents.ts'
import { exportItem } from './export-item.ts'
import { legacyJson } from './legacy-json.ts'
import { textOf } from './lines.ts'
import { BadArchive, readExactly } from './read-zip.ts'
import { openNoble } from './running-sha256.ts'
import type { Span } from './scan-json.ts'
import { checkSignature, firstIssue, isNamed, parseCanonical, scanResults } from './verify-manifest.ts'
import type { VerifyOptions } from './verify-options.ts'
import { openReport, type ReportWriter, type VerifyReport } from './verify-report.ts'
import { checkManifest, openResultChecks } from './verify-results.ts'
import { isOurArchive, type MemberName, memberNames, packer } from './version-2-zip.ts'

type Members = Record<MemberName, Bytes>

/** Verifies a bundle of a version before 3, which is read whole. Throws `BadArchive`. */
export async function verifyWhole(bundle: BundleFiles, options: VerifyOptions): Promise<VerifyReport> {
  const report = openReport()
  const { packing } = bundle
  if (packing && packing.source.size > wholeZip.in_bytes) throw new BadArchive(`larger than the ${wholeZip.in_bytes} bytes taken here`)
  const total = bundle.members.reduce((sum, { size }) => sum + size, 0)
  if (total > wholeZip.out_bytes) throw new BadArchive(`unpacks to more than the ${wholeZip.out_bytes} bytes taken here`)
  for (const { name, size, packed } of packing?.zip.members ?? [])
    if (size > packed * wholeZip.ratio) throw new BadArchive(`${name} expands more than ${wholeZip.ratio} times`)
  const read = await readExactly(bundle, memberNames)
  const list = memberNames.map((name) => read.find((member) => member.name === name)!) // readExactly gives exactly these
  const members = Object.fromEntries(list.map(({ name, bytes }) => [name, bytes])) as Members // the same
  report.check('structure', true, `${list.length} members, every byte accounted for`)
  const packedByUs = packing && isOurArchive(await packing.source.read(0, packing.source.size), list)
  const manifest = readManifest(members, packedByUs, report)
  if (!manifest) return report.close()
  report.set({ format: manifest.ours ? 'bundle' : 'predecessor', public_key_fingerprint: manifest.signed.public_key_fingerprint })
  checkSignature(members, manifest.signed, options.trustedKeys, report)
  const digest = toHex(sha256(members['results.json']))
  const told = manifest.signed.results_sha256
  const why = digest === told ? `SHA-256 ${digest}` : `the results are ${digest}, the manifest names ${told}`
  if (!report.check('hash', digest === told, why)) return report.close()
  const scanned = scanResults(members['results.json'], !manifest.ours, report)
  if (!scanned) return report.close()
  if (manifest.ours) await verifyOurs(members['results.json'], scanned, manifest.ours, options, report)
  else verifyPredecessor(scanned.skeleton, manifest.signed, report)
  return report.close()
}

type ReadManifest = { signed: PredecessorManifest; ours: Manifest2 | null }

/** Which kind of bundle it is is decided by the signed manifest alone; of ours it is told whether our writer packed it. */
function readManifest(members: Members, packedByUs: boolean | null, report: ReportWriter): ReadManifest | undefined {
  const parsed = parseCanonical(members['manifest.json'])
  const ours = Manifest2.safeParse(parsed)
  const plain = PredecessorManifest.safeParse(parsed)
  if (!plain.success || (isNamed(parsed) && !ours.success)) {
    const why = parsed === undefined ? 'it is not canonical JSON' : firstIssue(ours.success ? plain : ours)
    report.check('manifest', false, why)
    return undefined
  }
  report.check('manifest', true, `run ${plain.data.run_id}, signed ${plain.data.generated_at}`)
  if (!ours.success) report.check('archive', null, "packed by the predecessor: the reader's structural checks apply")
  else if (!packedByUs) report.check('archive', null, packedAnew)
  else if (ours.data.packer === packer) report.check('archive', true, 'rebuilt byte for byte')
  else report.check('archive', false, `packed with ${ours.data.packer}; this verifier rebuilds ${packer} only`)
  return { signed: plain.data, ours: ours.success ? ours.data : null }
}

async function verifyOurs(
  bytes: Bytes,
  { spans, skeleton }: { spans: Span[]; skeleton: string },
  manifest: Manifest2,
  options: VerifyOptions,
  report: ReportWriter,
): Promise<void> {
  const results = Results.safeParse(JSON.parse(skeleton))
  const known = results.success && results.data.format === bundleFormats[2]
  if (!report.check('schema', known, results.success ? results.data.format : firstIssue(results)) || !results.data) return
  const contents = openContents(results.data.benchmarks.length, openNoble)
  const checks = openResultChecks(results.data, contents, options, async () => null)
  for (const { parent, start, end } of spans) {
    const line = bytes.subarray(start, end)
    const text = textOf(line)
    const item = BundleItem.safeParse(JSON.parse(text))
    if (!item.success) checks.odd(firstIssue(item))
    else {
      const { record, created_at, withheld_sha256 } = item.data
      const same = legacyJson(exportItem(record, created_at, withheld_sha256)) === text
      await checks.add(Number(parent[1]), { record, created_at, withheld_sha256 }, line, same)
    }
  }
  checks.close(skeleton, report)
  const expected: Manifest2 = {
    ...namedBy(results.data, manifest.results_sha256, manifest.public_key_fingerprint),
    format: bundleFormats[2],
    packer,
    results_bytes: bytes.length,
  }
  checkManifest(expected, manifest, report)
  report.check('artifacts', null, 'bundles of this version name none')
}

/** The predecessor's results carry no evidence: what was signed can be checked, what it says cannot be computed anew. */
function verifyPredecessor(skeleton: string, manifest: PredecessorManifest, report: ReportWriter): void {
  const results = PredecessorResults.safeParse(JSON.parse(skeleton))
  if (!report.check('schema', results.success, results.success ? "the predecessor's results, version 1.0" : firstIssue(results))) return
  const { run, exported_at, benchmarks } = results.data!
  const { model_slug, subset_pct, subset_count, subset_seed, overall_score } = run
  const benchmark_count = benchmarks.length
  report.set({ run_id: run.id, model_slug, subset_pct, subset_count, subset_seed, overall_score, exported_at, benchmark_count })
  const same = run.id === manifest.run_id
  report.check('consistency', same, same ? 'manifest and results name the same run' : 'manifest and results name different runs')
  for (const name of ['fields', 'scores', 'aggregates', 'metrics', 'costs', 'status', 'artifacts'] as const) {
    report.check(name, null, "the predecessor's format carries no evidence to compute from")
  }
}
