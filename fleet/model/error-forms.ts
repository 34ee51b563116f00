import type { ProviderReason } from '#shared/contract/failure.ts'
import { type Fields, isFields } from './json-fields.ts'
import { codeOf, reasonOfCode, reasonOfStatus } from './provider-failure.ts'

/**
 * The error that a chunk or a body under status 200 tells, in any common form; null where it is none. `event` is the name of its server-sent event.
 * A `code`, `detail` or `message` beside choices is a field of an answer and no error.
 */
export function errorIn(chunk: Fields, event: string | null): unknown {
  if (chunk.error && !isEmpty(chunk.error)) return chunk.error
  if (chunk.object === 'error' || chunk.type === 'error' || event === 'error') return wordsOf(chunk)
  if (Array.isArray(chunk.errors) && chunk.errors.length > 0) return chunk.errors[0] ?? chunk
  if (chunk.success === false || chunk.base_resp !== undefined) {
    const told = refusedByFlag(chunk)
    if (told !== null) return told
  }
  return hasChoices(chunk) ? null : errorWithoutChoices(chunk)
}

/** MiniMax tells the outcome of every call in `base_resp`, zero for success; gateways tell `success: false`. */
function refusedByFlag(chunk: Fields): unknown {
  const { base_resp } = chunk
  if (isFields(base_resp)) {
    const status = Number(base_resp.status_code ?? 0)
    if (status !== 0) return { code: miniMaxCodes[status] ?? base_resp.status_code, message: base_resp.status_msg, status_code: status }
  }
  return chunk.success === false ? wordsOf(chunk) : null
}

const benignCodes: readonly unknown[] = ['', 0, '0', 200, '200', 'ok', 'success', '20000', 20000]

function errorWithoutChoices(chunk: Fields): unknown {
  const { code, detail, status } = chunk
  if (detail && !isEmpty(detail)) return isFields(detail) ? detail : chunk
  const said = [chunk.message, chunk.msg, chunk.error_msg, chunk.error_message].find((text) => typeof text === 'string' && text !== '')
  const told = code ?? chunk.status_code ?? chunk.error_code
  const coded = told !== undefined && told !== null && !benignCodes.includes(typeof told === 'string' ? told.toLowerCase() : told)
  if (said === undefined) return coded && statusOf(chunk) !== null ? chunk : null
  const named = typeof chunk.type === 'string' && /error|exception/i.test(chunk.type)
  const failed = typeof status === 'number' ? status >= 400 : typeof status === 'string' && /^(?:error|fail)/i.test(status)
  return coded || named || failed ? { ...chunk, message: said } : null
}

/** An error under `data` of an error frame, or the chunk itself. */
const wordsOf = (chunk: Fields): unknown => (isFields(chunk.data) && chunk.message === undefined ? chunk.data : chunk)

const hasChoices = ({ choices }: Fields): boolean => Array.isArray(choices) && choices.length > 0

/** Machine codes and types by which servers name a failure that no status tells. */
const namedReasons: Record<string, ProviderReason> = {
  overloaded_error: 'overloaded',
  overloaded: 'overloaded',
  service_unavailable: 'overloaded',
  rate_limit_error: 'rate-limited',
  rate_limit_exceeded: 'rate-limited',
  rate_limit_reached_error: 'rate-limited',
  too_many_requests: 'rate-limited',
  insufficient_quota: 'payment-required',
  insufficient_balance: 'payment-required',
  billing_error: 'payment-required',
  authentication_error: 'unauthorized',
  invalid_api_key: 'unauthorized',
  permission_error: 'forbidden',
  not_found_error: 'not-found',
  model_not_found: 'not-found',
  request_too_large: 'too-large',
  content_policy_violation: 'content-filter',
  invalid_request_error: 'bad-request',
  badrequesterror: 'bad-request',
}

/** Status codes of MiniMax's `base_resp`, by the machine codes above or as HTTP statuses. */
const miniMaxCodes: Record<number, string | number> = {
  1001: 504,
  1002: 'rate_limit_exceeded',
  1004: 'authentication_error',
  1008: 'insufficient_balance',
  1026: 'content_filter',
  1027: 'content_filter',
  1039: 'rate_limit_exceeded',
  1041: 'rate_limit_exceeded',
  1042: 'invalid_request_error',
  2013: 'invalid_request_error',
  2045: 'rate_limit_exceeded',
  2049: 'invalid_api_key',
}

/** The HTTP status that an error names, as a number or a text. */
function statusOf(error: unknown): number | null {
  if (!isFields(error)) return null
  const told = [error.code, error.status, error.status_code, error.statusCode].map(Number)
  return told.find((status) => Number.isInteger(status) && status >= 400 && status < 600) ?? null
}

/** The reason for an error under status 200: by its machine code, by the status that it names, else `server-error`. */
export function reasonOfError(error: unknown): ProviderReason {
  const named = reasonOfCode(codeOf(error))
  if (named) return named
  const status = statusOf(error)
  if (status !== null) return reasonOfStatus(status, null)
  if (!isFields(error)) return 'server-error'
  for (const name of [error.code, error.type]) {
    const reason = typeof name === 'string' ? namedReasons[name.toLowerCase()] : undefined
    if (reason) return reason
  }
  return 'server-error'
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() === '' : typeof value === 'object' && value !== null && Object.keys(value).length === 0
