import type { TrialRecord } from '../contract/trial.ts'
import { BundleItem, type BundleSpec, Results } from './bundle-schema.ts'
import { NotCanonical } from './canonical-json.ts'
import { BadArchive, readZip, type ZipLimits, zipLimits } from './read-zip.ts'
import { scanLegacyJson } from './scan-json.ts'
import { memberNames } from './zip.ts'

/**
 * What was asked and every record of one of our bundles, each parsed when it is its turn. Signature and hashes are not looked at: that is
 * what verification is for. Throws `BadArchive` for anything that is no such bundle, the predecessor's included.
 */
export function readRecords(archive: Uint8Array, limits: ZipLimits = zipLimits): { spec: BundleSpec; records: Iterable<TrialRecord> } {
  const bytes = readZip(archive, memberNames, limits).find((member) => member.name === 'results.json')!.bytes // readZip gives exactly these
  const { spans, skeleton } = scan(bytes)
  const results = Results.safeParse(JSON.parse(skeleton))
  if (!results.success) throw new BadArchive("it is no bundle of ours with evidence (the predecessor's carry none)")
  return { spec: results.data.spec, records: itemsOf(bytes, spans) }
}

function scan(bytes: Uint8Array): ReturnType<typeof scanLegacyJson> {
  const isItems = (path: readonly (string | number)[]) => path.length === 3 && path[0] === 'benchmarks' && path[2] === 'items'
  try {
    return scanLegacyJson(bytes, { python: true, collect: isItems })
  } catch (cause) {
    if (cause instanceof NotCanonical) throw new BadArchive(`its results are not canonical: ${cause.message}`, { cause })
    throw cause
  }
}

function* itemsOf(bytes: Uint8Array, spans: readonly { start: number; end: number }[]): Generator<TrialRecord> {
  const decoder = new TextDecoder()
  for (const [index, { start, end }] of spans.entries()) {
    const item = BundleItem.safeParse(JSON.parse(decoder.decode(bytes.subarray(start, end))))
    if (!item.success) throw new BadArchive(`item ${index} is not what an item is: /${item.error.issues[0]?.path.join('/')}`)
    yield item.data.record
  }
}
