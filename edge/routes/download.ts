import { toBase64 } from '#shared/export/bytes.ts'
import { withLength } from '../adapters/fixed-length.ts'
import type { Part } from '../artifacts/bucket.ts'
import { Problem } from '../problem.ts'
import type { MeasuredFile } from './export-file.ts'

/**
 * A measured file as a download that cannot be mistaken when it breaks: its length and SHA-256 come first, nothing on the way may repack
 * it, and `Range` (with `If-Range`) goes on where an earlier one ended. Throws `range-not-satisfiable`.
 */
export function answerDownload(request: Request, measured: MeasuredFile): Response {
  const { file, bytes, sha256, kept } = measured
  const digest = toBase64(sha256)
  const etag = `"${digest}"`
  const part = partOf(request, etag, bytes)
  const { from, to } = part ?? { from: 0, to: bytes }
  const headers = {
    'content-type': file.type,
    'content-disposition': `attachment; filename="${file.name}"`,
    'content-length': String(to - from),
    // Packed anew on its way, a body loses its length, and with it the sign that it broke.
    'content-encoding': 'identity',
    'cache-control': 'no-store, no-transform',
    'accept-ranges': 'bytes',
    etag,
    'repr-digest': `sha-256=:${digest}:`,
    ...(file.trials !== null && { 'x-trials': String(file.trials) }),
    ...(part && { 'content-range': `bytes ${from}-${to - 1}/${bytes}` }),
  }
  const status = part ? 206 : 200
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const body = kept ? kept.subarray(from, to) : withLength(streamOf(sliceOf(file.pieces(), from, to)), to - from)
  return new Response(body, { status, headers })
}

/** The one part of so many bytes that a request asks for; undefined for the whole file, also when the file is another one by now. Throws `range-not-satisfiable`. */
export function partOf({ headers, method }: Request, etag: string, bytes: number): Part | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('range')?.trim() ?? '')
  const condition = headers.get('if-range')
  if (method !== 'GET' || !match || (condition !== null && condition !== etag)) return undefined
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return undefined
  const from = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const to = first === '' || last === '' ? bytes : Math.min(bytes, Number(last) + 1)
  if (from < to) return { from, to }
  throw new Problem('range-not-satisfiable', `The file has ${bytes} bytes.`)
}

async function* sliceOf(pieces: AsyncGenerator<Uint8Array>, from: number, to: number): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const piece of pieces) {
    const cut = piece.subarray(Math.max(0, from - at), Math.max(0, to - at))
    at += piece.length
    if (cut.length > 0) yield cut
    if (at >= to) return
  }
}

function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
}
