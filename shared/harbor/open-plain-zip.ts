import type { ByteSource } from '../export/byte-source.ts'
import { readEntries, type ZipEntry } from './zip-entries.ts'
import { checkDistinct } from './zip-entry-name.ts'
import { RefusedZip, type TaskZipLimits } from './zip-problem.ts'

/** The entries of an archive by place, and where they end, once all that its directory says has been checked. Throws `RefusedZip`. */
export async function openPlainZip(source: ByteSource, limits: TaskZipLimits): Promise<{ entries: ZipEntry[]; end: number }> {
  const { entries, end } = await readEntries(source, limits)
  let unpacked = 0
  for (const { path, size, packed } of entries) {
    unpacked += size
    if (size >= limits.ratio_from_bytes && size > packed * limits.ratio)
      throw new RefusedZip('expands-too-much', path, `it expands more than ${limits.ratio} times`)
  }
  if (unpacked > limits.unpacked_bytes)
    throw new RefusedZip('unpacks-too-large', null, `it unpacks to more than ${limits.unpacked_bytes} bytes`)
  if (unpacked >= limits.all_ratio_from_bytes && unpacked > limits.all_ratio * source.size)
    throw new RefusedZip('expands-too-much', null, `it expands more than ${limits.all_ratio} times as a whole`)
  await checkDistinct(entries, source)
  return { entries, end }
}

/** What macOS packs beside the files themselves. */
export const isOfMac = (path: string): boolean => path.startsWith('__MACOSX/')
