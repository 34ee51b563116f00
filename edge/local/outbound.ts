import { type Request as WorkerRequest, Response as WorkerResponse } from 'miniflare'
import { proxyFor } from '#fleet/proxy/proxy-env.ts'

/** Headers that speak of a body as it travelled; the Worker gets it decoded. */
const ofTravel = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection'])

type Outbound = (request: WorkerRequest) => Promise<WorkerResponse>

/**
 * Makes the Worker's own calls with this process's `fetch`, which goes through the proxies of `env`: workerd knows none. Undefined where no proxy is
 * configured, so that workerd calls by itself.
 */
export function outboundThrough(env: NodeJS.ProcessEnv): Outbound | undefined {
  if (['http://proxied.invalid', 'https://proxied.invalid'].every((url) => proxyFor(url, env) === null)) return undefined
  return async (request) => {
    const { url, method } = request
    const body = request.body === null ? null : await request.arrayBuffer()
    const answer = await fetch(url, { method, headers: [...request.headers], redirect: 'manual', ...(body !== null && { body }) })
    const headers = [...answer.headers].filter(([name]) => !ofTravel.has(name))
    const empty = answer.body === null || [204, 205, 304].includes(answer.status)
    return new WorkerResponse(empty ? null : new Uint8Array(await answer.arrayBuffer()), { status: answer.status, headers })
  }
}
