import { noUsage } from '#shared/contract/usage.ts'
import type { Fields, ProviderDef } from '#shared/providers/provider-def.ts'
import type { CallResult } from './call-result.ts'
import { codeOf, moneyCodeOf, providerFailure, reasonOfStatus, saysOutOfMoney } from './provider-failure.ts'
import { idsIn, knownBy } from './request-ids.ts'
import { retryAfterMs } from './retry-after.ts'

const mostErrorBytes = 64 * 1024

type Options = {
  status: number
  headers: Record<string, string | string[] | undefined>
  redact: (text: string) => string
  wallMs: number
  /** How refusals of this kind of provider are read. */
  refusals: Pick<ProviderDef, 'reasonOf' | 'resetAt' | 'idHeaders'>
}

type FailedCall = Extract<CallResult, { ok: false }>

/** Reads the body of a response that is no answer: up to 64 KiB, for its machine code, its reset time and a line for people. */
export function createErrorBody({ status, headers, redact, wallMs, refusals }: Options): {
  push(chunk: Buffer): boolean
  result(): FailedCall
} {
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
      const code = moneyCodeOf(body?.error) ?? codeOf(body?.error) ?? codeOf(body?.detail) ?? moneyCodeOf(body) ?? codeOf(body)
      const told = refusals.reasonOf(status, body) ?? reasonOfStatus(status, code)
      const failure = providerFailure(
        ['rate-limited', 'forbidden', 'bad-request', 'unauthorized'].includes(told) && saysOutOfMoney(status, text)
          ? 'payment-required'
          : told,
        redact(`HTTP ${status} ${text}`),
        status,
      )
      // Asking again follows the same redirect and meets the same encoding.
      if (status < 400) failure.retryable = false
      return {
        ok: false,
        failure: knownBy(failure, idsIn(headers, refusals.idHeaders, redact)),
        retry_after_ms: retryAfterMs(headers, wallMs),
        reset_at: failure.reason === 'payment-required' ? refusals.resetAt(body) : null,
        usage: mayHaveWorked(status) ? null : noUsage,
      }
    },
  }
}

/** A gateway that waited in vain for its model, or an answer that cannot be read: the model may have been at work. Every other status is a refusal. */
const mayHaveWorked = (status: number): boolean => status < 300 || status === 408 || status === 504 || status === 524

function parseObject(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Fields) : null // any object may be read by name as unknown
  } catch {
    return null
  }
}
