import { mostReadBytes } from '../run/evidence-apart.ts'
import type { BundleFiles } from './bundle-files.ts'
import { type Bytes, gather } from './byte-source.ts'

/** An artifact that an archive encloses under its hash; null where there is none or more than may be held whole. Throws `BadArchive`. */
export async function readArtifact(zip: Pick<BundleFiles, 'members' | 'read'>, sha256: string): Promise<Bytes | null> {
  const member = zip.members.find(({ name }) => name === `artifacts/${sha256}`)
  if (!member || member.size > mostReadBytes) return null
  return gather(zip.read(member), member.size)
}
