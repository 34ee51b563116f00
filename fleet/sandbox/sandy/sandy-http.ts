import { request } from 'undici'
import type { Clock } from '#shared/run/clock.ts'
import { agentFor } from '../../proxy/proxy-route.ts'

export type Asked = {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  /** Milliseconds for the whole of it. */
  within_ms: number
  /** Bytes of answer that are read; more is no answer. */
  most?: number
}

/** An answer, or none; `begun`: the service may have had the request, and done it. */
export type Answer = { type: 'answer'; status: number; body: Buffer } | { type: 'none'; begun: boolean; why: string }

/** Failures of Node's network before anything was sent. */
const beforeSending = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])
const connectMs = 10_000
const mostAnswered = 4 * 1024 ** 2

/**
 * Asks Sandy. Each request has a connection of its own: on one that was kept, a service that closes it at that moment could not be told from a
 * command that was cut off. The key goes to this address only; redirects are not followed.
 */
export function createSandyHttp({ base_url, api_key, clock }: { base_url: string; api_key: string; clock: Clock }) {
  const dispatcher = agentFor(new URL(base_url), { pipelining: 0, allowH2: false, headersTimeout: 0, bodyTimeout: 0 }, connectMs)
  const base = base_url.endsWith('/') ? base_url : `${base_url}/`
  return {
    async ask({ method, path, body, within_ms, most = mostAnswered }: Asked, signal: AbortSignal): Promise<Answer> {
      const late = new AbortController()
      const cancel = clock.after(within_ms, () => late.abort())
      try {
        const answered = await request(new URL(path, base), {
          ...{ dispatcher, method, signal: AbortSignal.any([signal, late.signal]) },
          headers: { authorization: `Bearer ${api_key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          body: body === undefined ? null : JSON.stringify(body),
        })
        const parts: Buffer[] = []
        let size = 0
        for await (const part of answered.body as AsyncIterable<Buffer>) {
          // without an encoding, parts are bytes
          size += part.length
          if (size > most) return { type: 'none', begun: true, why: `its answer has more than ${most} bytes` }
          parts.push(part)
        }
        return { type: 'answer', status: answered.statusCode, body: Buffer.concat(parts) }
      } catch (error) {
        if (late.signal.aborted) return { type: 'none', begun: true, why: `no answer within ${within_ms / 1000} s` }
        const { code, message } = error as { code?: unknown; message: string } // as undici rejects; an abort has a number for its code
        const named = typeof code === 'string' ? code : null
        return { type: 'none', begun: named === null || !beforeSending.has(named), why: named ?? message }
      } finally {
        cancel()
      }
    },
    close: (): Promise<void> => dispatcher.destroy(),
  }
}

export type SandyHttp = ReturnType<typeof createSandyHttp>
