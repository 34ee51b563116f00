import type { ProviderReason } from '#shared/contract/failure.ts'
import { noUsage } from '#shared/contract/usage.ts'
import { isOverflowRefusal, namesPace } from '#shared/providers/context-overflow.ts'
import type { Fields, ProviderDef } from '#shared/providers/provider-def.ts'
import { refusalWords } from '#shared/providers/refusal-words.ts'
import type { AskedAt } from './asked-at.ts'
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
  /** The address that was asked, for refusals in which it matters. */
  asked?: AskedAt | undefined
  /** How refusals of this kind of provider are read. */
  refusals: Pick<ProviderDef, 'reasonOf' | 'resetAt' | 'idHeaders'>
}

type FailedCall = Extract<CallResult, { ok: false }>

/** Reads the body of a response that is no answer: up to 64 KiB, for its machine code, its reset time and a line for people. */
export function createErrorBody({ status, headers, redact, wallMs, refusals, asked }: Options): {
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
      const overflows = isOverflowRefusal(status, body, text)
      const told =
        refusals.reasonOf(status, body) ??
        (overflows ? 'context-length' : (paceOf(status, body) ?? (status === 407 ? 'forbidden' : reasonOfStatus(status, code))))
      const reason = mayMeanMoney.has(told) && saysOutOfMoney(status, text) ? 'payment-required' : told
      const failure = providerFailure(reason, redact(`HTTP ${status}${placeOf(status, asked)} ${text}`), status)
      // Asking again follows the same redirect, meets the same encoding, and is as large as before.
      if (status < 400 || status === 413) failure.retryable = false
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

/** Statuses of an address that is not there, or leads elsewhere. */
const ofAddress = new Set([301, 302, 303, 307, 308, 404, 405, 410, 501])

/** The address that was asked, where the status speaks of it or a proxy may have answered in place of the server. */
function placeOf(status: number, asked: AskedAt | undefined): string {
  if (!asked || !(ofAddress.has(status) || asked.proxied)) return ''
  const instead = ofAddress.has(status) && asked.instead !== null ? `; ${asked.instead}` : ''
  return ` (${asked.where}${instead})`
}

/** Groq refuses with 413 what has more tokens than its limit a minute: no body is too large then, and no window. */
const paceOf = (status: number, body: Fields | null): ProviderReason | null =>
  status === 413 && body !== null && namesPace(refusalWords(body)) ? 'rate-limited' : null
/** Refusals whose words may say that the account has no money left. */
const mayMeanMoney = new Set<ProviderReason>(['rate-limited', 'forbidden', 'bad-request', 'unauthorized'])

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
