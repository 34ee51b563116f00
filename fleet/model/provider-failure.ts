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
 * The reason for an HTTP status. A few machine codes of the error body say more than the status: a prompt over the model's window, a content
 * filter, and an account without money. Message texts are looked at only where an account may be out of money (see `saysOutOfMoney`).
 */
export function reasonOfStatus(status: number, code: string | null): ProviderReason {
  if (code !== null && isMoneyCode(code) && status >= 400 && status < 500) return 'payment-required'
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
  return code !== null && isMoneyCode(code) ? 'payment-required' : null
}

/** Codes by which providers and gateways say that an account has no money left, without case and separators. 1113 is Zhipu's, 30001 SiliconFlow's. */
const moneyCodes = new Set([
  ...[
    'insufficientquota',
    'insufficientuserquota',
    'insufficientbalance',
    'insufficientcredit',
    'insufficientcredits',
    'insufficientfunds',
  ],
  ...['exceededcurrentquotaerror', 'billinghardlimitreached', 'billingnotactive', 'billingerror', 'creditsexhausted', 'outofcredits'],
  ...[
    'budgetexceeded',
    'accountoverdue',
    'accountoverdueerror',
    'arrearage',
    'paymentrequired',
    'preconsumetokenquotafailed',
    '1113',
    '30001',
  ],
])
const isMoneyCode = (code: string): boolean => moneyCodes.has(code.toLowerCase().replace(/[^a-z0-9]/g, ''))

const noMoney = [
  /\binsufficient (?:account |user |token |credit |remaining )?(?:balance|credits?|funds|quota)\b/i,
  /\b(?:balance|credits?|funds|user quota|token quota)\b[^.;\n]{0,40}\b(?:is|are|has been|have been)\b[^.;\n]{0,12}\b(?:insufficient|not enough|too low|exhausted|depleted|used up|negative)\b/i,
  /\b(?:used|spent|exhausted|consumed) (?:up )?(?:all|your|all of your) (?:the |of |your |available |included |monthly |prepaid )*credits?\b/i,
  /\b(?:out of|no|not enough|run out of) (?:more |remaining |prepaid )?(?:credits?|funds|balance)\b(?! limit)/i,
  /\b(?:billing hard limit|monthly spending limit|spending limit|monthly included credits|account balance)\b[^.;\n]{0,40}\b(?:reached|exceeded|negative)\b/i,
  /\b(?:reached|exceeded) (?:its|your|the) (?:billing hard limit|monthly spending limit|spending limit|monthly included credits)\b/i,
  /\baccount\b[^.;\n]{0,30}\b(?:in arrears|overdue|overdue payment)\b/i,
  /余额不足|额度不足|欠费/,
]

/**
 * Whether the text of a refusal says that the account has no money left: 402 in the words of providers that send another status. A rate limit that
 * speaks of billing or of buying credits says no such thing.
 */
export function saysOutOfMoney(status: number, text: string): boolean {
  return moneyStatuses.includes(status) && noMoney.some((words) => words.test(text.slice(0, 4096)))
}

const moneyStatuses: readonly number[] = [400, 401, 403, 412, 429]

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

/** A code or type of an error object that says that the account has no money left: OpenAI tells both, and a gateway may tell a number. */
export function moneyCodeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null
  const { code, type } = error as { code?: unknown; type?: unknown } // guarded: an object; both read as unknown
  return [code, type].map(String).find(isMoneyCode) ?? null
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
