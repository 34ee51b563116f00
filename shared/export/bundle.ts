import { sha256 } from '@noble/hashes/sha2.js'
import { buildResults, type TrialPages, type Withhold } from './build-results.ts'
import { type BundleSpec, bundleFormat, type Manifest, type Results } from './bundle-schema.ts'
import { toBase64, toHex } from './bytes.ts'
import { canonicalJson } from './canonical-json.ts'
import { legacyJson } from './legacy-json.ts'
import { zipLimits } from './read-zip.ts'
import type { SigningKey } from './signing-key.ts'
import type { BundleClaims } from './summarise.ts'
import { createZip, packer } from './zip.ts'

// The first piece leaves after the first pages are read, so that a store that is away is still an error and not a cut download.
const pieceSize = 65_536

/** A running SHA-256, for platforms that bring a faster one. */
export type Sha256 = { update(bytes: Uint8Array): unknown; digest(): Uint8Array }

/** A results document larger than any verifier takes. */
export class BundleTooLarge extends Error {}

/**
 * The signed bundle as a stream of bytes: results, manifest, signature, public key, packed deterministically. Only one page of
 * trials and one block of the packer are in memory, so a run of any size fits a Worker. Errors of `pages` pass through.
 */
export async function* writeBundle(
  claims: BundleClaims,
  pages: TrialPages,
  key: SigningKey,
  { withhold, openSha256 = () => sha256.create() }: { withhold?: Withhold; openSha256?: () => Sha256 } = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const made: Uint8Array[] = []
  let pending = 0
  const zip = createZip((chunk) => {
    made.push(chunk)
    pending += chunk.length
  })
  const member = (name: string, bytes: Uint8Array) => {
    zip.open(name)
    zip.push(bytes)
    zip.close()
  }
  const encoder = new TextEncoder()
  const digest = openSha256()
  const document = buildResults(claims, pages, withhold)
  let size = 0
  zip.open('results.json')
  let step = await document.next()
  for (; !step.done; step = await document.next()) {
    const bytes = encoder.encode(step.value)
    size += bytes.length
    if (size > zipLimits.out_bytes - 2 ** 20) throw new BundleTooLarge(`the results exceed ${zipLimits.out_bytes - 2 ** 20} bytes`)
    digest.update(bytes)
    zip.push(bytes)
    if (pending >= pieceSize) {
      pending = 0
      yield concat(made)
    }
  }
  zip.close()
  const manifest = encoder.encode(legacyJson(manifestOf(step.value, toHex(digest.digest()), size, key.fingerprint)))
  member('manifest.json', manifest)
  member('signature.txt', encoder.encode(toBase64(await key.sign(manifest))))
  member('public_key.txt', encoder.encode(key.public_key))
  zip.end()
  yield concat(made)
}

/** `benchmark_results_<run>_<YYYYMMDD_HHMMSS>.zip`, in UTC, as the predecessor named it. */
export function bundleName(run_id: string, exported_at: string): string {
  const stamp = exported_at.slice(0, 19).replace(/[-:]/g, '').replace('T', '_')
  return `benchmark_results_${run_id}_${stamp}.zip`
}

/** Digest of the plan: SHA-256 over its RFC 8785 form. */
export function specDigest(spec: BundleSpec): string {
  return toHex(sha256(new TextEncoder().encode(canonicalJson(spec))))
}

/** The manifest that belongs to results of this digest and size. */
export function manifestOf(results: Results, results_sha256: string, results_bytes: number, fingerprint: string): Manifest {
  return {
    schema_version: '1.0',
    run_id: results.run.id,
    generated_at: results.exported_at,
    results_sha256,
    signature_algorithm: 'ed25519',
    public_key_fingerprint: fingerprint,
    format: bundleFormat,
    packer,
    results_bytes,
    spec_sha256: specDigest(results.spec),
    code_version: results.run.code_version,
    trials: results.totals.trials,
    overall_score: results.run.overall_score,
    benchmarks: results.benchmarks.map(({ plan, score }) => {
      return { name: plan.name, version: plan.version, profile: plan.profile, data: plan.data, score }
    }),
  }
}

/** Joins the pieces and empties the list. */
function concat(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces.splice(0)) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}
