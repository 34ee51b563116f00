import { sha256 } from '@noble/hashes/sha2.js'
import type { RunSpec } from '../contract/run.ts'
import { BundleItem, Manifest, PredecessorManifest, PredecessorResults, Results } from './bundle-schema.ts'
import { fromBase64, toHex } from './bytes.ts'
import { NotCanonical } from './canonical-json.ts'
import { fingerprintOf, verifyStrict } from './ed25519.ts'
import { BadArchive, readZip, type ZipLimits, zipLimits } from './read-zip.ts'
import { type Span, scanLegacyJson } from './scan-json.ts'
import { openReport, type ReportWriter, type TrustedKey, type VerifyReport } from './verify-report.ts'
import { type Recomputation, verifyResults } from './verify-results.ts'
import { isOurArchive, type MemberName, memberNames, packer } from './zip.ts'

export type VerifyOptions = Recomputation & {
  /** Keys pinned beforehand, the only ones trusted. `public_key.txt` inside a bundle is never trusted. */
  trustedKeys: readonly TrustedKey[]
  limits?: ZipLimits
  now?: Date
}

type Members = Record<MemberName, Uint8Array>

/**
 * Verifies a bundle, ours or the predecessor's: pure, offline, never throws for bad input. Everything signed is checked first;
 * then, for our bundles, every field, score and aggregate is computed anew from the evidence and compared.
 */
export async function verifyBundle(bytes: Uint8Array, options: VerifyOptions): Promise<VerifyReport> {
  const report = openReport()
  const read = readMembers(bytes, report, options.limits ?? zipLimits)
  if (!read) return report.close()
  const manifest = readManifest(read.members, read.ours, report)
  if (!manifest) return report.close()
  report.set({ format: manifest.ours ? 'bundle' : 'predecessor', public_key_fingerprint: manifest.signed.public_key_fingerprint })
  checkSignature(read.members, manifest.signed, options.trustedKeys, report)
  const digest = toHex(sha256(read.members['results.json']))
  const told = manifest.signed.results_sha256
  if (
    !report.check('hash', digest === told, digest === told ? `SHA-256 ${digest}` : `the results are ${digest}, the manifest names ${told}`)
  ) {
    return report.close()
  }
  const scanned = scan(read.members['results.json'], !manifest.ours, report)
  if (!scanned) return report.close()
  if (manifest.ours) await verifyOurs(read.members['results.json'], scanned, manifest.ours, options, report)
  else verifyPredecessor(scanned.skeleton, manifest.signed, report)
  return report.close()
}

function readMembers(bytes: Uint8Array, report: ReportWriter, limits: ZipLimits): { members: Members; ours: boolean } | undefined {
  try {
    const read = readZip(bytes, memberNames, limits)
    const list = memberNames.map((name) => read.find((member) => member.name === name)!) // readZip gives exactly these
    report.check('structure', true, `${list.length} members, every byte accounted for`)
    return { members: Object.fromEntries(list.map((member) => [member.name, member.bytes])) as Members, ours: isOurArchive(bytes, list) }
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error
    report.check('structure', false, error.message)
    return undefined
  }
}

type ReadManifest = { signed: PredecessorManifest; ours: Manifest | null }

/** Which kind of bundle it is is decided by the signed manifest alone; ours must be packed as our writer packs. */
function readManifest(members: Members, packedByUs: boolean, report: ReportWriter): ReadManifest | undefined {
  const parsed = parse(members['manifest.json'])
  const ours = Manifest.safeParse(parsed)
  const plain = PredecessorManifest.safeParse(parsed)
  if (!plain.success || (isNamed(parsed) && !ours.success)) {
    const why = parsed === undefined ? 'it is not canonical JSON' : firstIssue(ours.success ? plain : ours)
    report.check('manifest', false, why)
    return undefined
  }
  report.check('manifest', true, `run ${plain.data.run_id}, signed ${plain.data.generated_at}`)
  if (!ours.success) report.check('archive', null, "packed by the predecessor: the reader's structural checks apply")
  else if (ours.data.packer === packer)
    report.check('archive', packedByUs, packedByUs ? 'rebuilt byte for byte' : 'rebuilding it gives other bytes')
  else report.check('archive', false, `packed with ${ours.data.packer}; this verifier rebuilds ${packer} only`)
  return { signed: plain.data, ours: ours.success ? ours.data : null }
}

const isNamed = (parsed: unknown): boolean => typeof parsed === 'object' && parsed !== null && 'format' in parsed

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(scanLegacyJson(bytes, { python: true }).skeleton)
  } catch {
    return undefined
  }
}

function checkSignature(members: Members, signed: PredecessorManifest, keys: readonly TrustedKey[], report: ReportWriter): void {
  const text = (name: MemberName) => String.fromCharCode(...members[name].subarray(0, 200))
  const fingerprint = signed.public_key_fingerprint
  const enclosed = fromBase64(text('public_key.txt'))
  const trusted = keys.find((key) => key.fingerprint === fingerprint)
  const publicKey = trusted && fromBase64(trusted.public_key)
  const signature = fromBase64(text('signature.txt'))
  if (enclosed?.length !== 32 || fingerprintOf(enclosed) !== fingerprint) {
    report.check('key', false, 'public_key.txt is not the key the manifest names')
  } else if (!trusted || !publicKey || fingerprintOf(publicKey) !== fingerprint) {
    report.check('key', false, `key ${fingerprint} is not one of the ${keys.length} pinned keys`)
  } else if (trusted.retired_at !== null && !(Date.parse(signed.generated_at) <= Date.parse(trusted.retired_at))) {
    report.check('key', false, `key ${fingerprint} was retired on ${trusted.retired_at}; this was not signed before`)
  } else report.check('key', true, trusted.retired_at ? `pinned; retired on ${trusted.retired_at}` : 'pinned')
  const byWhom = publicKey ?? enclosed
  const valid = !!signature && !!byWhom && verifyStrict(signature, members['manifest.json'], byWhom)
  report.check('signature', valid, valid ? `Ed25519, by key ${fingerprint}` : 'the manifest does not carry a valid signature of this key')
}

function scan(bytes: Uint8Array, python: boolean, report: ReportWriter): { spans: Span[]; skeleton: string } | undefined {
  const isItems = (path: readonly (string | number)[]) => path.length === 3 && path[0] === 'benchmarks' && path[2] === 'items'
  try {
    const scanned = scanLegacyJson(bytes, { python, collect: isItems })
    report.check('canonical', true, 'the results are in the one form that says what they say')
    return scanned
  } catch (error) {
    if (!(error instanceof NotCanonical)) throw error
    report.check('canonical', false, error.message)
    return undefined
  }
}

async function verifyOurs(
  bytes: Uint8Array,
  scanned: { spans: Span[]; skeleton: string },
  manifest: Manifest,
  options: VerifyOptions,
  report: ReportWriter,
): Promise<void> {
  const results = Results.safeParse(JSON.parse(scanned.skeleton))
  if (!report.check('schema', results.success, results.success ? results.data.format : firstIssue(results))) return
  const { run, exported_at, benchmarks } = results.data!
  report.set({
    run_id: run.id,
    model_slug: run.model_slug,
    subset_pct: run.subset_pct,
    subset_count: run.subset_count,
    subset_seed: run.subset_seed,
    overall_score: run.overall_score,
    exported_at,
    benchmark_count: benchmarks.length,
    labels: labelsOf(results.data!.spec),
  })
  const late = Date.parse(exported_at) - (options.now?.getTime() ?? Number.POSITIVE_INFINITY)
  report.check('dates', options.now ? late < 86_400_000 : null, late < 86_400_000 ? exported_at : `exported in the future (${exported_at})`)
  const items = scanned.spans.map(({ parent, start, end }) => ({
    benchmark: Number(parent[1]),
    text: () => new TextDecoder().decode(bytes.subarray(start, end)),
    parse: (text: string) => BundleItem.safeParse(JSON.parse(text)),
  }))
  await verifyResults({ results: results.data!, skeleton: scanned.skeleton, bytes: bytes.length, manifest, items }, options, report)
}

function labelsOf(spec: Pick<RunSpec, 'model' | 'benchmarks'>): VerifyReport['labels'] {
  const labels = new Set<VerifyReport['labels'][number]>(spec.model.provider === 'demo' ? ['demo'] : [])
  for (const { data } of spec.benchmarks) if (data.source !== 'pinned') labels.add(data.source)
  return [...labels]
}

/** The predecessor's results carry no evidence: what was signed can be checked, what it says cannot be computed anew. */
function verifyPredecessor(skeleton: string, manifest: PredecessorManifest, report: ReportWriter): void {
  const results = PredecessorResults.safeParse(JSON.parse(skeleton))
  if (!report.check('schema', results.success, results.success ? "the predecessor's results, version 1.0" : firstIssue(results))) return
  const { run, exported_at, benchmarks } = results.data!
  const { model_slug, subset_pct, subset_count, subset_seed, overall_score } = run
  report.set({
    run_id: run.id,
    model_slug,
    subset_pct,
    subset_count,
    subset_seed,
    overall_score,
    exported_at,
    benchmark_count: benchmarks.length,
  })
  const same = run.id === manifest.run_id
  report.check('consistency', same, same ? 'manifest and results name the same run' : 'manifest and results name different runs')
  for (const name of ['fields', 'scores', 'aggregates', 'metrics'] as const) {
    report.check(name, null, "the predecessor's format carries no evidence to compute from")
  }
}

function firstIssue(result: { error?: { issues: readonly { path: PropertyKey[]; message: string }[] } | undefined }): string {
  const issue = result.error?.issues[0]
  return issue ? `/${issue.path.join('/')}: ${issue.message}` : 'it does not fit the schema'
}
