import { createHash } from 'node:crypto'
import { writeBundle } from '#shared/export/bundle.ts'
import { benchKey, largeRun } from './large-run.ts'

/** A Worker that answers with the signed ZIP of a made-up run, `?trials=…&bytes=…`. */
export default {
  async fetch(request: Request): Promise<Response> {
    const query = new URL(request.url).searchParams
    const { claims, pages } = largeRun(Number(query.get('trials')), Number(query.get('bytes')))
    const pieces = writeBundle(claims, pages, benchKey, { openSha256: () => createHash('sha256') })
    return new Response(
      new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { done, value } = await pieces.next()
          if (done) controller.close()
          else controller.enqueue(value)
        },
      }),
    )
  },
}
