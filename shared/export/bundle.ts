import { sha256 } from '@noble/hashes/sha2.js'
import type { TrialRecord } from '../contract/trial.ts'
import { BundleTooLarge, bundleLimits, planTooLarge } from './bundle-limits.ts'
import { type BundleFile, type BundleLine, type BundleSpec, bundleFormat, type Manifest, type Results } from './bundle-schema.ts'
import type { Bytes } from './byte-source.ts'
import { toBase64, toHex } from './bytes.ts'
import { canonicalJson } from './canonical-json.ts'
import { type Contents, countArtifacts, openContents } from './contents.ts'
import { withoutEmptyDetail, withoutText } from './export-item.ts'
import { legacyJson, legacyTime } from './legacy-json.ts'
import { type OpenSha256, openNoble } from './running-sha256.ts'
import type { SigningKey } from './signing-key.ts'
import { type BundleClaims, summariseBenchmark, summariseRun } from './summarise.ts'
import { inBlocks, openArchive } from './write-zip.ts'

/** A trial as the record store pages it. */
export type ExportTrial = { record: TrialRecord; finished_at: string }
/** The finished trials of a benchmark in the order of the plan. */
export type TrialPages = (benchmark: string) => AsyncIterable<readonly ExportTrial[]>
/** Digest of a record whose text is left out, or undefined where the text goes into the bundle. */
export type Withhold = (record: TrialRecord) => string | undefined
/** Where the bytes of artifacts are; they must be those that the hash names. */
export type ArtifactsPort = { open(sha256: string): AsyncIterable<Uint8Array> }

export type BundlePorts = {
  withhold?: Withhold
  /** Without it the bundle names artifacts by hash and size only. */
  artifacts?: ArtifactsPort | Promise<ArtifactsPort | undefined>
  openSha256?: OpenSha256
}

/** The stored trials are not those the run counted, or an artifact is not what its record says: nothing may be signed. */
export class IncompleteRecord extends Error {}

/**
 * Streams the signed bundle in one pass over the record: items, artifacts, results, then manifest,
 * signature and key. Holds one page of trials and some blocks of the packer in memory. Passes on errors of
 * `pages` and `artifacts`; throws `BundleTooLarge` and `IncompleteRecord`.
 */
export function writeBundle(
  claims: BundleClaims,
  pages: TrialPages,
  key: SigningKey,
  ports: BundlePorts = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  return inBlocks(bundlePieces(claims, pages, key, ports))
}

async function* bundlePieces(
  claims: BundleClaims,
  pages: TrialPages,
  key: SigningKey,
  { withhold = () => undefined, artifacts, openSha256 = openNoble }: BundlePorts,
): AsyncGenerator<Bytes> {
  const tooLarge = planTooLarge(claims.spec)
  if (tooLarge) throw new BundleTooLarge(tooLarge)
  const archive = openArchive()
  const whole = openSha256()
  const contents = openContents(claims.spec.benchmarks.length, openSha256)
  const files: BundleFile[] = []
  const file = async function* (name: string, pieces: AsyncIterable<Bytes>) {
    const measured = measure(pieces, openSha256)
    for await (const piece of archive.deflated(name, measured.pieces())) {
      whole.update(piece)
      yield piece
    }
    return { name, ...measured.close() }
  }
  files.push(yield* file('items.jsonl', itemLines(claims, pages, withhold, contents)))
  if (contents.artifacts.size > bundleLimits.artifacts) throw new BundleTooLarge(`more than ${bundleLimits.artifacts} artifacts`)
  const enclosed = await artifacts
  for (const [hash, bytes] of enclosed ? contents.artifacts : []) {
    const found = yield* file(`artifacts/${hash}`, enclosed!.open(hash) as AsyncIterable<Bytes>) // nobody here hands in shared memory
    if (found.sha256 !== hash || found.bytes !== bytes)
      throw new IncompleteRecord(`artifact ${hash} of ${bytes} bytes is stored as ${found.bytes} bytes of ${found.sha256}`)
  }
  const results = resultsOf(claims, contents)
  files.push(yield* file('results.json', once(encode(legacyJson(results)))))
  if (files.some((one) => one.name === 'results.json' && one.bytes > bundleLimits.whole_bytes))
    throw new BundleTooLarge(`the results without their items exceed ${bundleLimits.whole_bytes} bytes`)
  const packed = { bytes: archive.bytes(), sha256: toHex(whole.digest()) }
  const manifest = encode(legacyJson(manifestOf(results, contents, files, packed, !!enclosed, key.fingerprint)))
  yield* archive.stored('manifest.json', manifest)
  yield* archive.stored('signature.txt', encode(toBase64(await key.sign(manifest))))
  yield* archive.stored('public_key.txt', encode(key.public_key))
  yield archive.end()
}

async function* itemLines(claims: BundleClaims, pages: TrialPages, withhold: Withhold, contents: Contents): AsyncGenerator<Bytes> {
  for (const [index, plan] of claims.spec.benchmarks.entries()) {
    for await (const page of pages(plan.name)) {
      for (const { record, finished_at } of page) {
        const digest = withhold(record)
        const shown = digest === undefined ? record : withoutText(record)
        const item: BundleLine = { created_at: legacyTime(finished_at), record: shown, withheld_sha256: digest ?? null }
        const line = encode(lineText(item))
        if (line.length > bundleLimits.line_bytes)
          throw new BundleTooLarge(
            `${plan.name} item ${record.item_id} has ${line.length} bytes, more than the ${bundleLimits.line_bytes} of a line`,
          )
        const odd = contents.add(index, item, line)
        if (odd) throw new IncompleteRecord(odd)
        yield line
        yield lineEnd
      }
    }
    const { right, wrong, failed } = contents.sums[index]!
    const counted = claims.benchmarks[plan.name]!.completed_items
    if (right + wrong + failed !== counted)
      throw new IncompleteRecord(`${plan.name}: ${counted} trials are counted, ${right + wrong + failed} are stored`)
  }
}

const lineEnd = Uint8Array.of(0x0a)

/** A trial in the one form of a line. */
export function lineText({ created_at, record, withheld_sha256 }: BundleLine): string {
  return legacyJson({ created_at, record: withoutEmptyDetail(record), withheld_sha256 })
}

/** `results.json` as it follows from what is claimed and what the items add up to. */
export function resultsOf(claims: BundleClaims, { sums, listed }: Pick<Contents, 'sums' | 'listed'>): Results {
  const items = listed()
  const benchmarks = claims.spec.benchmarks.flatMap((plan, index) => {
    const own = claims.benchmarks[plan.name]
    return own && sums[index] ? [{ ...summariseBenchmark(plan, own, claims.spec.subset, sums[index]), items: items?.[index] ?? [] }] : []
  })
  const results = summariseRun(claims, benchmarks, sums)
  return !items ? { ...results, schema_version: '1.1', items_file: 'items.jsonl' } : results
}

/** `benchmark_results_<run>_<YYYYMMDD_HHMMSS>.zip`, in UTC, as the predecessor named it. */
export function bundleName(run_id: string, exported_at: string): string {
  const stamp = exported_at.slice(0, 19).replace(/[-:]/g, '').replace('T', '_')
  return `benchmark_results_${run_id}_${stamp}.zip`
}

/** Digest of the plan: SHA-256 over its RFC 8785 form. */
export function specDigest(spec: BundleSpec): string {
  return toHex(sha256(encode(canonicalJson(spec))))
}

/** The manifest that belongs to these contents. */
export function manifestOf(
  results: Results,
  contents: Pick<Contents, 'items' | 'artifacts'>,
  files: readonly BundleFile[],
  archive: Manifest['archive'],
  enclosed: boolean,
  fingerprint: string,
): Manifest {
  return {
    ...namedBy(results, files.find((file) => file.name === 'results.json')!.sha256, fingerprint),
    format: bundleFormat,
    files: files.filter((file) => !file.name.startsWith('artifacts/')),
    items: contents.items(),
    artifacts: countArtifacts(contents.artifacts, enclosed ? contents.artifacts.size : 0),
    archive,
  }
}

/** Returns the fields of a manifest that repeat facts of the results. */
function namedBy(
  results: Results,
  results_sha256: string,
  fingerprint: string,
): Omit<Manifest, 'format' | 'files' | 'items' | 'artifacts' | 'archive'> {
  return {
    schema_version: '1.0',
    run_id: results.run.id,
    generated_at: results.exported_at,
    results_sha256,
    signature_algorithm: 'ed25519',
    public_key_fingerprint: fingerprint,
    spec_sha256: specDigest(results.spec),
    code_version: results.run.code_version,
    trials: results.totals.trials,
    overall_score: results.run.overall_score,
    benchmarks: results.benchmarks.map(({ plan, score }) => {
      return { name: plan.name, version: plan.version, profile: plan.profile, data: plan.data, score }
    }),
  }
}

function measure(pieces: AsyncIterable<Bytes>, openSha256: OpenSha256) {
  const digest = openSha256()
  let bytes = 0
  return {
    async *pieces(): AsyncGenerator<Bytes> {
      for await (const piece of pieces) {
        digest.update(piece)
        bytes += piece.length
        yield piece
      }
    },
    close: () => ({ bytes, sha256: toHex(digest.digest()) }),
  }
}

const encode = (text: string): Bytes => new TextEncoder().encode(text) as Bytes // an encoder makes its own buffers

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value
}
