import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { type HttpProxy, proxyFor } from './proxy-env.ts'
import { ProxyError, refusedBy, tunnelAgent, unreachableProxy } from './tunnel.ts'

type Env = Record<string, string | undefined>

const connectMs = 10_000
const mostRedirects = 20
const bodiless = new Set([101, 204, 205, 304])
const redirects = new Set([301, 302, 303, 307, 308])

/**
 * `fetch` that goes through the proxies of the environment, and is `direct` for every other address. What it rejects with has a cause that names the
 * proxy. Bodies of requests are read whole before they are sent.
 */
export function createProxiedFetch(direct: typeof fetch, env: Env): typeof fetch {
  const ask = async (input: string | URL | Request, init: RequestInit | undefined, redirectsLeft: number): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input)
    const proxy = /^https?:$/.test(url.protocol) ? proxyFor(url, env) : null
    if (proxy === null) return direct(input, init)
    const request = new Request(input, init)
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer())
    const response = await askThrough(proxy, url, request, body)
    const to = response.headers.get('location')
    if (!redirects.has(response.status) || request.redirect === 'manual' || to === null) return response
    if (request.redirect === 'error' || redirectsLeft === 0)
      throw new TypeError('fetch failed', { cause: new Error(redirectsLeft === 0 ? 'redirect count exceeded' : 'unexpected redirect') })
    await response.body?.cancel()
    const next = new URL(to, url)
    return ask(next, redirected(request, body, response.status, next.origin === url.origin), redirectsLeft - 1)
  }
  return (input, init) => ask(input, init, mostRedirects)
}

/** The request that follows a redirect: without the body where it becomes a GET, without credentials at another origin. */
function redirected(request: Request, body: Uint8Array<ArrayBuffer> | null, status: number, same: boolean): RequestInit {
  const { method, signal } = request
  const headers = new Headers(request.headers)
  if (!same) for (const name of ['authorization', 'cookie', 'proxy-authorization']) headers.delete(name)
  const becomesGet = (status === 303 && method !== 'HEAD') || (status < 303 && method === 'POST')
  return becomesGet ? { headers, signal } : { method, headers, signal, ...(body !== null && { body }) }
}

async function askThrough(proxy: HttpProxy, url: URL, request: Request, body: Uint8Array | null): Promise<Response> {
  request.signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers = { ...Object.fromEntries(request.headers), host: url.host, ...(body !== null && { 'content-length': body.length }) }
  const asked = send(proxy, url, { method: request.method, headers, signal: request.signal }, resolve)
  asked.on('error', (error: NodeJS.ErrnoException) =>
    reject(error instanceof ProxyError || url.protocol === 'https:' ? error : unreachableProxy(proxy, error)),
  )
  asked.end(body ?? undefined)
  const answer = await promise.catch((cause: unknown) => {
    request.signal.throwIfAborted()
    throw new TypeError('fetch failed', { cause })
  })
  if (answer.statusCode === 407) {
    answer.resume()
    throw new TypeError('fetch failed', { cause: refusedBy(proxy, url.host, 407) })
  }
  return responseOf(answer, url, request)
}

/** A plain request names its whole address to the proxy; one over TLS has a tunnel of its own. */
function send(proxy: HttpProxy, url: URL, options: RequestOptions, onAnswer: (answer: IncomingMessage) => void) {
  if (url.protocol === 'https:') return httpsRequest(url, { ...options, agent: tunnelAgent(proxy, true, connectMs) }, onAnswer)
  const { hostname, port, secure, authorization } = proxy
  const headers = {
    ...(options.headers as Record<string, string>),
    ...(authorization !== null && { 'proxy-authorization': authorization }),
  }
  const whole = { ...options, headers, hostname, port, path: `${url.origin}${url.pathname}${url.search}`, agent: false }
  return secure ? httpsRequest(whole, onAnswer) : httpRequest(whole, onAnswer)
}

function responseOf(answer: IncomingMessage, url: URL, request: Request): Response {
  const status = answer.statusCode ?? 502
  const headers = new Headers()
  for (let at = 0; at + 1 < answer.rawHeaders.length; at += 2) headers.append(answer.rawHeaders[at]!, answer.rawHeaders[at + 1]!)
  const empty = bodiless.has(status) || request.method === 'HEAD'
  if (empty) answer.resume()
  const body = empty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>) // Node's own streams are those of the web
  const response = new Response(body, { status, statusText: answer.statusMessage ?? '', headers })
  return Object.defineProperty(response, 'url', { value: url.href })
}
