import type * as z from 'zod'
import { type Answer, readAnswer, unreachable } from '../api.ts'

/** Who follows an upload: the share of its bytes that has left, from 0 to 1; `signal` gives it up. */
export type UploadWatch = { progress(share: number): void; signal: AbortSignal }

/** Sends a form and tells how much of it has left, which `fetch` does not; otherwise as `ask`: it never throws. */
export function uploadForm<S extends z.ZodType>(
  schema: S,
  path: string,
  form: FormData,
  { progress, signal }: UploadWatch,
): Promise<Answer<z.infer<S>>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const lost = (why: string) => () => resolve(unreachable(path, why))
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0)
    request.onload = () => resolve(readAnswer(schema, path, responseOf(request)))
    request.onerror = lost('the connection broke')
    request.onabort = lost('given up')
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.open('POST', path)
    request.send(form)
  })
}

function responseOf(request: XMLHttpRequest): Response {
  const request_id = request.getResponseHeader('x-request-id')
  return new Response(request.responseText, {
    status: request.status,
    ...(request_id !== null && { headers: { 'x-request-id': request_id } }),
  })
}
