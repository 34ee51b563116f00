import type { TrialRecord } from '../contract/trial.ts'
import { bundleLimits, bundleZip } from './bundle-limits.ts'
import { type BundleSpec, Results } from './bundle-schema.ts'
import { type ByteSource, type Bytes, gather } from './byte-source.ts'
import { NotCanonical } from './canonical-json.ts'
import { readArtifact } from './enclosed-artifact.ts'
import { linesOf, parseLine, textOf } from './lines.ts'
import { BadArchive, openZip } from './read-zip.ts'
import { scanLegacyJson } from './scan-json.ts'

export type BundleRecords = {
  spec: BundleSpec
  records(): AsyncGenerator<TrialRecord>
  /** An artifact that it encloses, of those that may be held whole. */
  artifact(sha256: string): Promise<Bytes | null>
}

/**
 * What was asked and every record of one of our bundles, each read and parsed when it is its turn. Signature and hashes are not looked at: that
 * is what verification is for. Throws `BadArchive` for anything that is no such bundle, the predecessor's included.
 */
export async function readRecords(source: ByteSource): Promise<BundleRecords> {
  const zip = await openZip(source, bundleZip)
  const results = zip.members.find(({ name }) => name === 'results.json')
  const items = zip.members.find(({ name }) => name === 'items.jsonl')
  if (!results) throw new BadArchive('it has no results.json')
  if (!items) throw new BadArchive("it is no bundle of ours with evidence (the predecessor's carry none)")
  if (results.size > bundleLimits.whole_bytes) throw new BadArchive('its results are too large')
  const parsed = Results.safeParse(JSON.parse(skeletonOf(await gather(zip.read(results), results.size))))
  if (!parsed.success) throw new BadArchive('its results are not what results of ours are')
  return {
    spec: parsed.data.spec,
    records: () => recordsOf(linesOf(zip.read(items), bundleLimits.line_bytes)),
    artifact: (sha256) => readArtifact(zip, sha256),
  }
}

/** Returns the JSON text of the results without their listed items. */
function skeletonOf(bytes: Bytes): string {
  const isItems = (path: readonly (string | number)[]) => path.length === 3 && path[0] === 'benchmarks' && path[2] === 'items'
  try {
    return scanLegacyJson(bytes, { python: true, collect: isItems }).skeleton
  } catch (cause) {
    if (cause instanceof NotCanonical) throw new BadArchive(`its results are not canonical: ${cause.message}`, { cause })
    throw cause
  }
}

async function* recordsOf(lines: AsyncIterable<Bytes>): AsyncGenerator<TrialRecord> {
  let index = 0
  for await (const line of lines) {
    const item = parseLine(textOf(line))
    if (typeof item === 'string') throw new BadArchive(`item ${index} is not what an item is: ${item}`)
    index++
    yield item.record
  }
}
