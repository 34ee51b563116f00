import { Sha256 } from '#shared/contract/ids.ts'
import { withLength } from '../adapters/fixed-length.ts'
import { type ArtifactBucket, BucketAway } from '../artifacts/bucket.ts'
import type { HeldBody } from './hold-body.ts'

const folder = 'tasks/'

/** Where the archive of a task lies: once under its hash, whoever uploaded it. */
export const keyOfArchive = (sha256: string): string => `${folder}${sha256}`

/** The hash of the archive that lies under a key; undefined for what is none. */
export function archiveAt(key: string): string | undefined {
  const sha256 = key.startsWith(folder) ? key.slice(folder.length) : ''
  return Sha256.safeParse(sha256).success ? sha256 : undefined
}

/** Keeps an archive unless it is there. */
export async function keepArchive(body: HeldBody, artifacts: ArtifactBucket): Promise<void> {
  const key = keyOfArchive(body.sha256)
  if ((await artifacts.head(key)) === body.size) return
  const put = await artifacts.put(key, withLength(body.stream(), body.size), { sha256: body.sha256, media_type: 'application/zip' })
  if (put !== 'kept') throw new BucketAway('the archive arrived with other bytes than were sent')
}
