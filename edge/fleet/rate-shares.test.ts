import { expect, test } from 'vitest'
import { openSqliteStorage } from '../objects/testing/sqlite-storage.ts'
import { openRateShares } from './rate-shares.ts'

test('[FLEET4] grants outlive a restart of the object, and a provider without a limit is free', () => {
  const { sql } = openSqliteStorage()
  const providers = [{ id: 'chutes', rate_limit: 10 }, { id: 'openai' }]
  const ask = (provider: string) => ({ type: 'rate' as const, ask: 7, provider, want: 100 })
  const answer = (session: string, provider = 'chutes') => openRateShares(sql, providers).answer(ask(provider), session, 1000)
  expect(answer('one')).toEqual({ type: 'rate', ask: 7, permits: 10 })
  expect(answer('two')).toEqual({ type: 'rate', ask: 7, permits: 0 })
  expect(answer('two', 'openai')).toEqual({ type: 'rate', ask: 7, permits: null })
})
