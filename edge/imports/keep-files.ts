import { type ByteSource, type Bytes, gather } from '#shared/export/byte-source.ts'
import { visitJobZip } from '#shared/harbor/survey-job-zip.ts'
import { withLength } from '../adapters/fixed-length.ts'
import { type ArtifactBucket, BucketAway } from '../artifacts/bucket.ts'

/** Where a file of an archive is kept. */
export type KeptFile = { key: string; sha256: string; media_type: string }

/** Files up to this are held to be put several at a time: a store far away answers each after a while, and there are thousands. */
const smallBytes = 2 ** 18
const atOnce = 5

/** Puts files of a job's archive into the store of artifacts, large ones as they are unpacked; `wanted` by their paths. The same bytes are put once. */
export async function keepFiles(body: ByteSource, wanted: ReadonlyMap<string, KeptFile>, artifacts: ArtifactBucket): Promise<void> {
  const begun = new Set<string>()
  const underWay = new Set<Promise<void>>()
  const broken: unknown[] = []
  const put = async ({ key, ...named }: KeptFile, stream: ReadableStream<Uint8Array> | null): Promise<void> => {
    if ((await artifacts.put(key, stream, named)) !== 'kept') throw new BucketAway('a file of the archive arrived with other bytes')
  }
  const refuseBroken = (): void => {
    if (broken.length > 0) throw broken[0]
  }
  await visitJobZip(body, async (path, size, pieces) => {
    const file = wanted.get(path)
    if (!file || begun.has(file.key)) return
    begun.add(file.key)
    if (size > smallBytes) return put(file, withLength(streamOf(pieces), size))
    const bytes = await gather(pieces, size)
    if (underWay.size >= atOnce) await Promise.race(underWay)
    refuseBroken()
    const stream = size > 0 ? withLength(new Response(bytes).body!, size) : null
    const one: Promise<void> = put(file, stream)
      .catch((error: unknown) => void broken.push(error))
      .finally(() => underWay.delete(one))
    underWay.add(one)
  })
  await Promise.all(underWay)
  refuseBroken()
}

/** Pieces are good until the next is asked for, and a stream holds some. */
function streamOf(pieces: AsyncIterable<Bytes>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value.slice())
    },
  })
}
