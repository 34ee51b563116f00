import fc from 'fast-check'
import { expect, test } from 'vitest'
import { failureReasons, haltingReasons, type ProviderReason } from '#shared/contract/failure.ts'
import { defaultLimits } from '#shared/contract/limits.ts'
import { createRedact, providerFailure, reasonOfStatus, retryableReasons } from './provider-failure.ts'
import { defaultRetryPolicy, nextStep, ranOut, retryPolicy } from './retry.ts'
import { longestWaitMs, retryAfterMs } from './retry-after.ts'

const wall = Date.parse('2026-11-21T12:00:00Z')

test('[FAIL1] a wait is read from seconds, an HTTP date and the millisecond headers, and is capped at ten minutes', () => {
  expect(retryAfterMs({ 'retry-after': '7' }, wall)).toBe(7000)
  expect(retryAfterMs({ 'retry-after': ' 0.5 ' }, wall)).toBe(500)
  expect(retryAfterMs({ 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }, wall)).toBe(30_000)
  expect(retryAfterMs({ 'retry-after-ms': '250', 'retry-after': '9' }, wall)).toBe(250)
  expect(retryAfterMs({ 'x-ms-retry-after-ms': '1500' }, wall)).toBe(1500)
  expect(retryAfterMs({ 'retry-after': '1000000000' }, wall)).toBe(longestWaitMs)
  expect(retryAfterMs({ 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' }, wall)).toBe(longestWaitMs)
})

test('[FAIL1] a date is measured against the date of the response, because clocks differ', () => {
  const headers = { date: 'Sat, 21 Nov 2026 15:00:00 GMT', 'retry-after': 'Sat, 21 Nov 2026 15:00:05 GMT' }
  expect(retryAfterMs(headers, wall)).toBe(5000)
  expect(retryAfterMs({ 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, wall)).toBe(0)
})

test('[FAIL1] nonsense and absence are no wait', () => {
  for (const value of ['', 'soon', '-5', 'NaN', '1e9', '5 s', undefined]) expect(retryAfterMs({ 'retry-after': value }, wall)).toBeNull()
  expect(retryAfterMs({ 'retry-after': ['1', '2'] }, wall)).toBeNull()
})

const anyReason = fc.constantFrom(...failureReasons.provider)
const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const asked = fc.option(fc.double({ min: 0, max: 1e12, noNaN: true }))

test('[FAIL2] no trial is tried more than five times or begun again after ten minutes, and every wait is bounded', () => {
  fc.assert(
    fc.property(
      anyReason,
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      asked,
      unit,
      (reason, tries, elapsed, wait, random) => {
        const step = nextStep(providerFailure(reason, '', 500), { attempts: tries, timeouts: 0 }, elapsed, wait, random)
        const over = tries >= defaultRetryPolicy.attempts || elapsed >= defaultRetryPolicy.patience_ms || !retryableReasons[reason]
        expect(step.type).toBe(over ? 'give-up' : 'wait')
        if (step.type !== 'wait') return
        expect(step.wait_ms).toBeLessThanOrEqual(longestWaitMs * 1.11)
        expect(step.wait_ms).toBeGreaterThanOrEqual(wait === null ? 500 : Math.min(wait, longestWaitMs))
      },
    ),
  )
})

test('[FAIL2] waits double, with half of them left to chance', () => {
  const failure = providerFailure('server-error', '', 500)
  const wait = (tries: number, random: number) => nextStep(failure, { attempts: tries, timeouts: 0 }, 0, null, random)
  expect([1, 2, 3, 4].map((tries) => wait(tries, 0))).toEqual([500, 1000, 2000, 4000].map((wait_ms) => ({ type: 'wait', wait_ms })))
  expect(wait(1, 0.5)).toEqual({ type: 'wait', wait_ms: 750 })
})

test('[FAIL30] a trial may run into a time limit twice, whichever it is; a gateway that answers 504 has not run into one of ours', () => {
  const hung = (reason: ProviderReason, status: number | null) => ranOut(providerFailure(reason, '', status))
  for (const reason of ['connect-timeout', 'first-token-timeout', 'idle-timeout', 'total-timeout'] as const) {
    expect([hung(reason, null), hung(reason, 504)]).toEqual([true, false])
    const step = (timeouts: number) => nextStep(providerFailure(reason, '', null), { attempts: timeouts, timeouts }, 0, null, 0).type
    expect([step(1), step(2)]).toEqual(['wait', 'give-up'])
  }
  expect(hung('server-error', null)).toBe(false)
  const patient = retryPolicy({ ...defaultLimits, timeouts: 4 })
  expect(nextStep(providerFailure('idle-timeout', '', null), { attempts: 3, timeouts: 3 }, 0, null, 0, patient).type).toBe('wait')
})

test('[FAIL3] reasons that halt a run, and all that lie in the request itself, are never tried again', () => {
  const never = [...haltingReasons, 'bad-request', 'context-length', 'content-filter', 'too-large'] as const
  for (const reason of never)
    expect(nextStep(providerFailure(reason, '', null), { attempts: 1, timeouts: 0 }, 0, 1, 0)).toEqual({ type: 'give-up' })
})

test('[FAIL4] every status has one reason, and only two machine codes of a 400 say more', () => {
  const table = {
    'bad-request': [400, 405, 409, 415, 422, 451],
    unauthorized: [401],
    'payment-required': [402],
    forbidden: [403, 426],
    'not-found': [404],
    'total-timeout': [408, 504],
    'too-large': [413],
    'rate-limited': [429],
    'server-error': [500, 501, 505, 520, 599],
    overloaded: [502, 503, 529],
    'bad-response': [201, 204, 301, 302, 307, 308],
  }
  for (const [reason, statuses] of Object.entries(table)) {
    for (const status of statuses) {
      expect(reasonOfStatus(status, null)).toBe(reason)
      if (status !== 400) expect(reasonOfStatus(status, 'context_length_exceeded')).toBe(reason)
    }
  }
  expect(reasonOfStatus(400, 'context_length_exceeded')).toBe('context-length')
  expect(reasonOfStatus(400, 'content_filter')).toBe('content-filter')
  expect(reasonOfStatus(400, 'rate_limit_exceeded')).toBe('bad-request')
})

test('[FAIL5] details for people hold no key and are cut', () => {
  const key = 'custom-secret-value'
  const redact = createRedact([key, ''])
  const chutes = `cpk_${'a'.repeat(32)}.${'b'.repeat(32)}.${'c'.repeat(32)}`
  const text = redact(`no ${key}, ${chutes}, sk-proj-abcdefghijk, Authorization: Bearer abc.def-ghi`)
  for (const secret of [key, chutes.slice(4, 20), 'abcdefghijk', 'abc.def']) expect(text).not.toContain(secret)
  expect(text).toBe('no [redacted], [redacted], [redacted], Authorization: [redacted]')
  expect(redact('x y '.repeat(5000)).length).toBeLessThanOrEqual(600)
})
