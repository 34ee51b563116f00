import type { CallResult } from './call-result.ts'
import { codeOf, providerFailure, reasonOfStatus } from './provider-failure.ts'
import { retryAfterMs } from './retry-after.ts'

const mostErrorBytes = 64 * 1024

type Options = {
  status: number
  headers: Record<string, string | string[] | undefined>
  redact: (text: string) => string
  wallMs: number
}

type FailedCall = Extract<CallResult, { ok: false }>

/** Reads the body of a response that is no answer: up to 64 KiB, for its machine code, its reset time and a line for people. */
export function createErrorBody({ status, headers, redact, wallMs }: Options): { push(chunk: Buffer): boolean; result(): FailedCall } {
  const chunks: Buffer[] = []
  let size = 0
  return {
    /** False when there is more than anybody will read. */
    push(chunk) {
      size += chunk.length
      if (size <= mostErrorBytes) chunks.push(Buffer.from(chunk))
      return size <= mostErrorBytes
    },
    result() {
      const text = Buffer.concat(chunks).toString('utf8')
      const body = parseObject(text)
      const code = codeOf(body?.error) ?? codeOf(body?.detail) ?? codeOf(body)
      const failure = providerFailure(reasonOfStatus(status, code), redact(`HTTP ${status} ${text}`), status)
      // Asking again follows the same redirect and meets the same encoding.
      if (status < 400) failure.retryable = false
      return {
        ok: false,
        failure,
        retry_after_ms: retryAfterMs(headers, wallMs),
        reset_at: status === 402 ? resetAt(body) : null,
        usage: null,
      }
    },
  }
}

type Fields = Record<string, unknown>

function parseObject(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Fields) : null // any object may be read by name as unknown
  } catch {
    return null
  }
}

/** When the quota is filled again: `detail.quota_reset_timestamp`, an ISO time or Unix seconds or milliseconds, as an ISO time. */
function resetAt(body: Fields | null): string | null {
  const detail = body?.detail
  if (typeof detail !== 'object' || detail === null) return null
  const { quota_reset_timestamp: stamp } = detail as Fields // checked above: an object
  const seconds = typeof stamp === 'number' ? stamp : typeof stamp === 'string' && /^\d+(\.\d+)?$/.test(stamp) ? Number(stamp) : null
  const ms = seconds === null ? (typeof stamp === 'string' ? Date.parse(stamp) : Number.NaN) : seconds > 1e11 ? seconds : seconds * 1000
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : null
}
