import { bundleZip } from './bundle-limits.ts'
import { type ByteSource, bytesSource, counted } from './byte-source.ts'
import { BadArchive, type OpenZip, openZip } from './read-zip.ts'
import type { VerifyOptions } from './verify-options.ts'
import { openReport, type VerifyReport } from './verify-report.ts'
import { verifyStreamed } from './verify-streamed.ts'
import { verifyWhole } from './verify-whole.ts'

/**
 * Verifies a bundle, ours or the predecessor's: offline, never throws for bad input, only what `source` throws. Everything signed is checked
 * first; then, for our bundles, every field, score, cost and aggregate is computed anew from the evidence and compared. Since version 3 a bundle
 * is read as a stream, in memory that grows by some hundred bytes a trial.
 */
export async function verifyBundle(given: ByteSource | Uint8Array, options: VerifyOptions): Promise<VerifyReport> {
  const source = given instanceof Uint8Array ? bytesSource(given) : given
  const { onProgress } = options
  // Twice: as it is packed, for its hash, and as it is unpacked.
  const told = onProgress ? counted(source, (bytes) => onProgress(Math.min(bytes, 2 * source.size), 2 * source.size)) : source
  try {
    const zip = await openZip(told, { ...bundleZip, ...options.limits })
    return isStreamed(zip) ? await verifyStreamed(told, zip, options) : await verifyWhole(told, zip, options)
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error
    const report = openReport()
    report.check('structure', false, error.message)
    return report.close()
  }
}

/** Version 3 is told by its items; of what is signed, its manifest says the same. */
const isStreamed = ({ members }: OpenZip): boolean => members.some(({ name }) => name === 'items.jsonl')
