import type { Store } from '#db/store.ts'
import type { ArtifactsPort } from '#shared/export/bundle.ts'
import { type ArtifactBucket, BucketAway, keyOf } from './bucket.ts'

/**
 * What a bundle may enclose, so that one request can make it twice: a Worker may ask for 10,000 things while it answers, and read and pack for
 * five minutes.
 */
export const mostEnclosed = { artifacts: 4000, bytes: 2 ** 30 }

/**
 * Where a bundle of the run takes its artifacts from; undefined where it can name them by hash and size alone, because they are too many, too
 * large, or not all kept any more.
 */
export async function openArtifacts(
  { store, artifacts: bucket }: { store: Pick<Store, 'listArtifacts'>; artifacts: ArtifactBucket | null },
  run_id: string,
  most = mostEnclosed,
): Promise<ArtifactsPort | undefined> {
  if (!bucket) return undefined
  const named = await store.listArtifacts(run_id, most.artifacts + 1)
  const bytes = named.reduce((sum, one) => sum + one.bytes, 0)
  if (named.length === 0 || named.length > most.artifacts || bytes > most.bytes) return undefined
  const kept = await listKept(bucket, run_id)
  if (named.some((one) => kept.get(keyOf(run_id, one.sha256)) !== one.bytes)) return undefined
  return { open: (sha256) => piecesOf(bucket, keyOf(run_id, sha256)) }
}

/** Sizes of all that is kept of a run, by key. */
async function listKept(bucket: ArtifactBucket, run_id: string): Promise<Map<string, number>> {
  const kept = new Map<string, number>()
  for (let after: string | null = null; ; ) {
    const { objects, ended } = await bucket.list(after, keyOf(run_id, ''))
    for (const { key, bytes } of objects) kept.set(key, bytes)
    after = objects.at(-1)?.key ?? null
    if (ended || after === null) return kept
  }
}

async function* piecesOf(bucket: ArtifactBucket, key: string): AsyncGenerator<Uint8Array> {
  const body = await bucket.open(key)
  if (!body) throw new BucketAway(`${key} was there a moment ago`)
  yield* body
}
