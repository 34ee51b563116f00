import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { type ArtifactBucket, BucketAway } from '../artifacts/bucket.ts'

/** What the bucket of the tests holds; tests look at it and write into it. */
export type MemoryObjects = ReturnType<typeof emptyBucket>
export function emptyBucket() {
  return { away: false, objects: new Map<string, { bytes: Uint8Array<ArrayBuffer>; uploaded_at: Date }>() }
}

/** An `ArtifactBucket` over a map, with its promises; `away` makes every call throw `BucketAway`. `now` dates what is put there. */
export function memoryBucket(held: MemoryObjects, now: () => Date): ArtifactBucket {
  const { objects } = held
  const bucket: ArtifactBucket = {
    head: async (key) => objects.get(key)?.bytes.length,
    async put(key, body, named) {
      const bytes = new Uint8Array(await new Response(body).arrayBuffer())
      if (bytesToHex(sha256(bytes)) !== named.sha256) return 'other bytes'
      objects.set(key, { bytes, uploaded_at: now() })
      return 'kept'
    },
    async open(key, { from, to } = { from: 0, to: Number.MAX_SAFE_INTEGER }) {
      const found = objects.get(key)
      return found && (new Response(found.bytes.slice(from, to)).body ?? undefined)
    },
    async delete(keys) {
      for (const key of keys) objects.delete(key)
    },
    async list(after, prefix = '') {
      const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && (after === null || key > after)).sort()
      const listed = keys.slice(0, 1000).map((key) => {
        const { bytes, uploaded_at } = objects.get(key)!
        return { key, bytes: bytes.length, uploaded_at }
      })
      return { objects: listed, ended: keys.length <= 1000 }
    },
  }
  return new Proxy(bucket, {
    get(target, name: keyof ArtifactBucket) {
      if (held.away) return () => Promise.reject(new BucketAway('away'))
      return target[name]
    },
  })
}
