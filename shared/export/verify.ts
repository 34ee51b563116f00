import { openBundleInZip } from '../harbor/bundle-in-zip.ts'
import type { BundleFiles } from './bundle-files.ts'
import { bundleLimits, bundleZip } from './bundle-limits.ts'
import { type ByteSource, bytesSource, counted } from './byte-source.ts'
import { BadArchive, openZip } from './read-zip.ts'
import { isNamed, parseCanonical } from './verify-manifest.ts'
import type { VerifyOptions } from './verify-options.ts'
import { verifyPredecessor } from './verify-predecessor.ts'
import { openReport, type VerifyReport } from './verify-report.ts'
import { verifyStreamed } from './verify-streamed.ts'

/**
 * Verifies a bundle, ours or the predecessor's, offline. Reports bad input and throws only errors of
 * `source`. Checks signature and hashes first. For our bundles it then recomputes every field, score, cost
 * and aggregate from the evidence, and reads the items as a stream: memory grows by some hundred bytes a
 * trial. If another program packed the archive, every file must be as signed; the check `archive` says so
 * and neither passes nor fails.
 */
export async function verifyBundle(given: ByteSource | Uint8Array, options: VerifyOptions): Promise<VerifyReport> {
  const source = given instanceof Uint8Array ? bytesSource(given) : given
  const { onProgress } = options
  // Twice: as it is packed, for its hash, and as it is unpacked.
  const told = onProgress ? counted(source, (bytes) => onProgress(Math.min(bytes, 2 * source.size), 2 * source.size)) : source
  const limits = { ...bundleZip, ...options.limits }
  const packed = async (): Promise<BundleFiles> => {
    const zip = await openZip(told, limits)
    return { ...zip, packing: { source: told, zip } }
  }
  const report = await verified(packed, options)
  if (report instanceof BadArchive) return verifyFiles(() => openBundleInZip(told, limits), options)
  return report
}

/** The same of files that lie somewhere else, such as in a folder. Never throws `BadArchive`: it is told in the report. */
export async function verifyFiles(open: () => Promise<BundleFiles>, options: VerifyOptions): Promise<VerifyReport> {
  const found = await verified(open, options)
  if (!(found instanceof BadArchive)) return found
  const report = openReport()
  report.check('structure', false, found.message)
  return report.close()
}

async function verified(open: () => Promise<BundleFiles>, options: VerifyOptions): Promise<VerifyReport | BadArchive> {
  try {
    const files = await open()
    return (await isOurs(files)) ? await verifyStreamed(files, options) : await verifyPredecessor(files, options)
  } catch (error) {
    if (error instanceof BadArchive) return error
    throw error
  }
}

/** Tells whether the bundle is ours: it has `items.jsonl`, or its manifest names a format. */
async function isOurs(files: BundleFiles): Promise<boolean> {
  if (files.members.some(({ name }) => name === 'items.jsonl')) return true
  const manifest = files.members.find(({ name, size }) => name === 'manifest.json' && size <= bundleLimits.whole_bytes)
  const read = manifest && parseCanonical(await files.readWhole(manifest))
  return isNamed(read)
}
