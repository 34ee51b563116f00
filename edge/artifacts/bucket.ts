/** A stretch of bytes: `from` is in it, `to` is not. */
export type Part = { from: number; to: number }
export type ListedObject = { key: string; bytes: number; uploaded_at: Date }

/** Where the bytes are that trials left behind. Every method throws `BucketAway` when it does not answer. */
export type ArtifactBucket = {
  /** How many bytes lie under a key; undefined where nothing does. */
  head(key: string): Promise<number | undefined>
  /** Takes a body whose length is known, as it comes; null is an empty one. Other bytes than those of the hash are not kept. */
  put(key: string, body: ReadableStream<Uint8Array> | null, named: { sha256: string; media_type: string }): Promise<'kept' | 'other bytes'>
  /** The bytes, or a part of them, as they are read; undefined where nothing lies under the key. */
  open(key: string, part?: Part): Promise<ReadableStream<Uint8Array> | undefined>
  delete(keys: readonly string[]): Promise<void>
  /** What lies there in the order of keys, from the first after `after` on: at most 1000, all of which begin with `prefix`. */
  list(after: string | null, prefix?: string): Promise<{ objects: ListedObject[]; ended: boolean }>
}

/** The store of artifacts does not answer: callers answer 503 or try again later. */
export class BucketAway extends Error {}

/** Where a run's bytes lie: once under their hash, whichever of its trials left them, and apart from those of every other run. */
export function keyOf(run_id: string, sha256: string): string {
  return `${run_id}/${sha256}`
}
