import { expect, test } from 'vitest'
import type { ProviderKind } from '#shared/providers/provider.ts'
import { providerDefs } from '#shared/providers/providers.ts'
import { createErrorBody } from './error-body.ts'

function refusalOf(kind: ProviderKind, status: number, body: unknown) {
  const error = createErrorBody({ status, headers: {}, redact: (text) => text, wallMs: 0, refusals: providerDefs[kind] })
  error.push(Buffer.from(JSON.stringify(body)))
  return error.result()
}

test('[PROV4] a refusal is read as its kind of provider means it', () => {
  const flagged = { error: { code: 403, message: 'flagged', metadata: { reasons: ['x'] } } }
  expect(refusalOf('openrouter', 403, flagged).failure).toMatchObject({ reason: 'content-filter', retryable: false, status: 403 })
  expect(refusalOf('openai', 403, flagged).failure).toMatchObject({ reason: 'forbidden' })
  expect(refusalOf('openrouter', 401, { error: { code: 401 } }).failure).toMatchObject({ reason: 'unauthorized' })
  const spent = { detail: { quota_reset_timestamp: '2026-01-02T00:00:00Z' } }
  expect(refusalOf('chutes', 402, spent).reset_at).toBe('2026-01-02T00:00:00.000Z')
  expect(refusalOf('openrouter', 402, spent).reset_at).toBeNull()
})
