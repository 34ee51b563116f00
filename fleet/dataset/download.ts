import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { systemCode } from './dataset-error.ts'

const MAX_REDIRECTS = 5

export type DownloadRequest = {
  url: string
  /** Sent as bearer to the first origin only, never to where it redirects. */
  token: string | null
  /** Sent as the token is. */
  headers?: Readonly<Record<string, string>>
  target: string
  maxBytes: number
  idleTimeoutMs: number
  signal: AbortSignal | null
}

/** Why a download did not end well. `status` is null without an HTTP answer; `atOrigin` tells the asked host from one it redirected to. */
export class DownloadError extends Error {
  readonly status: number | null
  readonly errorCode: string | null
  readonly atOrigin: boolean
  constructor(message: string, more: { status?: number; errorCode?: string | null; atOrigin?: boolean; cause?: unknown } = {}) {
    super(message, { cause: more.cause })
    this.name = 'DownloadError'
    this.status = more.status ?? null
    this.errorCode = more.errorCode ?? null
    this.atOrigin = more.atOrigin ?? true
  }
}

/** Streams `url` into the new file `target` and returns the SHA-256 of what was written. Throws `DownloadError`; the file may then be partial. */
export async function download(request: DownloadRequest): Promise<{ sha256: string; bytes: number }> {
  const idle = new AbortController()
  const timer = setTimeout(() => idle.abort(new DownloadError(`nothing arrived for ${request.idleTimeoutMs} ms`)), request.idleTimeoutMs)
  const signal = request.signal ? AbortSignal.any([idle.signal, request.signal]) : idle.signal
  try {
    const response = await follow(request, signal)
    return await writeBody(response, request, () => timer.refresh())
  } catch (error) {
    request.signal?.throwIfAborted()
    if (error instanceof DownloadError || (systemCode(error) && isFileError(error))) throw error
    if (idle.signal.aborted) throw idle.signal.reason
    throw new DownloadError(`the connection failed: ${reasonOf(error)}`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

async function follow(request: DownloadRequest, signal: AbortSignal): Promise<Response> {
  const first = new URL(request.url)
  let url = first
  let own: Record<string, string> = { ...request.headers, ...(request.token !== null && { authorization: `Bearer ${request.token}` }) }
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    if (url.origin !== first.origin) own = {}
    const response = await fetch(url, { headers: own, redirect: 'manual', signal })
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
    if (location === null) return okay(response, url.origin === first.origin)
    await response.body?.cancel()
    url = nextUrl(location, url)
  }
  throw new DownloadError(`more than ${MAX_REDIRECTS} redirects`)
}

function nextUrl(location: string, from: URL): URL {
  const next = URL.canParse(location, from) ? new URL(location, from) : undefined
  if (next === undefined || !/^https?:$/.test(next.protocol)) throw new DownloadError(`redirected to something that is no web address`)
  if (from.protocol === 'https:' && next.protocol === 'http:')
    throw new DownloadError(`redirected from https to http (${next.host}), refused`)
  return next
}

async function okay(response: Response, atOrigin: boolean): Promise<Response> {
  if (response.status === 200) return response
  await response.body?.cancel()
  throw new DownloadError(`HTTP ${response.status}`, { status: response.status, errorCode: response.headers.get('x-error-code'), atOrigin })
}

async function writeBody(response: Response, request: DownloadRequest, onProgress: () => void): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  await using file = await open(request.target, 'wx')
  for await (const chunk of response.body ?? []) {
    onProgress()
    bytes += chunk.byteLength
    if (bytes > request.maxBytes) throw new DownloadError(`larger than ${request.maxBytes} bytes`)
    hash.update(chunk)
    await file.writeFile(chunk)
  }
  await file.sync()
  return { sha256: hash.digest('hex'), bytes }
}

/** Socket errors carry a `syscall` too; only those with a path are about our own files. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && ('path' in error || ['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? ''))
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
