import { type ArtifactBucket, BucketAway } from '../artifacts/bucket.ts'

/** R2's number for bytes that do not have the promised hash. A Worker finds it at the end of the error's sentence and nowhere else. */
const badDigest = /\(10037\)$/

/** Artifacts in an R2 bucket. Bodies pass through without being read here. */
export function openR2Bucket(bucket: R2Bucket): ArtifactBucket {
  return {
    head: (key) => asked(async () => (await bucket.head(key))?.size),
    put: (key, body, { sha256, media_type }) =>
      asked(async () => {
        try {
          await bucket.put(key, body, { sha256, httpMetadata: { contentType: media_type } })
          return 'kept'
        } catch (error) {
          if (error instanceof Error && badDigest.test(error.message)) return 'other bytes'
          throw error
        }
      }),
    open: (key, part) =>
      asked(async () => {
        const range = part && { offset: part.from, length: part.to - part.from }
        return (await bucket.get(key, range && { range }))?.body
      }),
    delete: (keys) => asked(() => bucket.delete([...keys])),
    list: (after, prefix) =>
      asked(async () => {
        const { objects, truncated } = await bucket.list({ ...(after !== null && { startAfter: after }), ...(prefix && { prefix }) })
        return { objects: objects.map(({ key, size, uploaded }) => ({ key, bytes: size, uploaded_at: uploaded })), ended: !truncated }
      }),
  }
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    throw new BucketAway('the store of artifacts does not answer', { cause })
  }
}
