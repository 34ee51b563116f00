import { expect, test } from 'vitest'
import { defOf } from '#shared/providers/providers.ts'
import { createErrorBody } from './error-body.ts'
import { toldUsage } from './told-usage.ts'

const read = (status: number, body: unknown) => {
  const error = createErrorBody({ status, headers: {}, redact: (text) => text, wallMs: 0, refusals: defOf({ kind: 'openai' }) })
  error.push(Buffer.from(JSON.stringify(body)))
  return error.result()
}
const openai = (message: string, code: string | number | null, type = 'error') => ({ error: { message, code, type } })

test.each([
  [429, openai('You exceeded your current quota, please check your plan and billing details.', 'insufficient_quota', 'insufficient_quota')],
  [429, openai('Your account is not active', null, 'exceeded_current_quota_error')],
  [429, { errors: { message: 'insufficient balance' } }],
  [403, openai('Sorry, your account balance is insufficient', 30001)],
  [403, openai('Your team has used all available credits or reached its monthly spending limit.', null)],
  [400, openai('Your credit balance is too low to access the API.', null, 'invalid_request_error')],
  [429, openai('余额不足或无可用资源包,请充值。', '1113')],
  [402, openai('Insufficient Balance', 'invalid_request_error', 'unknown_error')],
])('[FAIL330] a refusal for want of money halts the run, whatever its status: %i %j', (status, body) => {
  expect(read(status, body).failure).toMatchObject({ reason: 'payment-required', retryable: false })
})

test.each([
  openai('Rate limit reached for requests. Visit https://example.com/billing to add a payment method and raise it.', 'rate_limit_exceeded'),
  openai(
    'You exceeded your current quota, please check your plan and billing details. Quota: requests per minute',
    429,
    'RESOURCE_EXHAUSTED',
  ),
  openai('Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day', 429),
  openai('Allocated quota exceeded, please increase your quota limit.', 'Throttling.AllocationQuota'),
])('[FAIL330] an ordinary rate limit is asked again: %j', (body) => {
  expect(read(429, body).failure).toMatchObject({ reason: 'rate-limited', retryable: true })
})

test('[MODEL330] figures that no answer can have are not told, a part of them is kept, and a refusal took nothing', () => {
  const answer = { text: 'A', reasoning: null, usage_known: true }
  const usage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0 }
  expect(toldUsage({ ...answer, usage })).toBeNull()
  expect(toldUsage({ ...answer, usage: { ...usage, input_tokens: 5 } })).toMatchObject({ input_tokens: 5, untold_calls: 1 })
  expect(toldUsage({ ...answer, text: '', usage: { ...usage, input_tokens: 5 } })).not.toHaveProperty('untold_calls')
  expect(toldUsage({ ...answer, usage_known: false, usage: { ...usage, input_tokens: 5, output_tokens: 1 } })).toBeNull()
  expect([429, 500, 504].map((status) => read(status, {}).usage)).toEqual([usage, usage, null])
})
