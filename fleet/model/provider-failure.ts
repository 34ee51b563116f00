import type { Failure, ProviderReason } from '#shared/contract/failure.ts'
import { createRedactor, keyShapes, redactedMark, shortestSecret } from '#shared/secrets/redactor.ts'

export type ProviderFailure = Extract<Failure, { at: 'provider' }>

/** Which provider failures may go away by asking again. Everything about the request itself or the account never does. */
export const retryableReasons: Record<ProviderReason, boolean> = {
  'rate-limited': true,
  overloaded: true,
  'server-error': true,
  'connect-timeout': true,
  'first-token-timeout': true,
  'idle-timeout': true,
  'total-timeout': true,
  connection: true,
  'cut-stream': true,
  'bad-response': true,
  'empty-response': true,
  'circuit-open': true,
  'too-large': false,
  'bad-request': false,
  'context-length': false,
  unauthorized: false,
  'payment-required': false,
  forbidden: false,
  'not-found': false,
  'content-filter': false,
}

const byStatus: Record<number, ProviderReason> = {
  400: 'bad-request',
  401: 'unauthorized',
  402: 'payment-required',
  403: 'forbidden',
  404: 'not-found',
  408: 'total-timeout',
  413: 'too-large',
  426: 'forbidden',
  429: 'rate-limited',
  500: 'server-error',
  502: 'overloaded',
  503: 'overloaded',
  504: 'total-timeout',
  529: 'overloaded',
}

/**
 * The reason for an HTTP status. Only two machine codes of the error body say more than the status: a prompt over the model's window
 * and a content filter, both delivered as 400. Message texts are never looked at.
 */
export function reasonOfStatus(status: number, code: string | null): ProviderReason {
  if (status === 400) return reasonOfCode(code) ?? 'bad-request'
  const known = byStatus[status]
  if (known) return known
  if (status >= 500) return 'server-error'
  return status >= 400 ? 'bad-request' : 'bad-response'
}

/** The reason that a machine code of an error object names by itself, if it does. */
export function reasonOfCode(code: string | null): ProviderReason | null {
  if (code === 'context_length_exceeded') return 'context-length'
  if (code === 'content_filter') return 'content-filter'
  return null
}

/** A provider failure with the default retryability of its reason; `detail` is redacted and cut by the caller's `redact`. */
export function providerFailure(reason: ProviderReason, detail: string, status: number | null): ProviderFailure {
  return { at: 'provider', reason, retryable: retryableReasons[reason], detail, status }
}

/** The machine code of an error object: `code` as text, or `type` where providers put it there. */
export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null
  const { code, type } = error as { code?: unknown; type?: unknown } // guarded: an object; both read as unknown
  if (typeof code === 'string') return code
  return typeof type === 'string' ? type : null
}

const detailLimit = 600
/** So much of a text is read; the last part of a longer one is dropped with whatever key the cut went through. */
const mostRead = 65_536
const cutMargin = 2048

/**
 * Builds the cleaner of details for people: secrets in any form, everything shaped like a key and short keys as they are go, the rest is cut.
 */
export function createRedact(secrets: readonly string[]): (text: string) => string {
  const redact = createRedactor(secrets)
  const short = secrets.filter((secret) => secret.length >= 4 && secret.length < shortestSecret)
  return (text) => {
    let clean = redact(text.slice(0, mostRead).replaceAll('\\/', '/'))
    if (text.length > mostRead) clean = clean.slice(0, -cutMargin)
    for (const secret of short) clean = clean.replaceAll(secret, redactedMark)
    clean = clean.replace(keyShapes, redactedMark).replace(/\s+/g, ' ').trim()
    return clean.length > detailLimit ? `${clean.slice(0, detailLimit - 1)}…` : clean
  }
}
