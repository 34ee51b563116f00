import { expect, test } from 'vitest'
import { createSeal } from '../auth/seal.ts'
import { sha256Hex } from '../auth/secret.ts'
import type { IdpAnswer, IdpPort, Tokens } from './idp.ts'
import { SessionTokens } from './session-tokens.ts'

const hour = 3_600_000
const seal = createSeal(`v1:${btoa('s'.repeat(32))}`)
const tokensAt = (now: number, n: number, refresh_token: string | null = `crt_${n}`): Tokens => ({
  access_token: `cak_${n}`,
  refresh_token,
  expires_at_ms: now + hour,
  scope: ['chutes:invoke'],
})

/** Opens a session over a persistent shelf and a provider that records its requests. */
function open(answer: (refresh: string) => Promise<IdpAnswer<Tokens>> | IdpAnswer<Tokens>) {
  const shelf = new Map<string, string>()
  const clock = { now: 1_000_000_000_000 }
  const asked: string[] = []
  const revoked: string[] = []
  const idp: IdpPort = {
    authorizeUrl: async () => '',
    exchange: async () => ({ is: 'refused', code: 'invalid_grant' }),
    whoIs: async () => ({ is: 'refused', code: '403' }),
    async refresh(refresh) {
      asked.push(refresh)
      return answer(refresh)
    },
    revoke: async (token) => void revoked.push(token),
  }
  const ports = {
    ...{ session_id: 'one', seal, idp, now: () => clock.now },
    shelf: {
      get: (name: string) => shelf.get(name),
      put: (name: string, text: string) => void shelf.set(name, text),
      clear: () => shelf.clear(),
    },
  }
  return { shelf, clock, asked, revoked, session: new SessionTokens(ports), again: () => new SessionTokens(ports) }
}

test('[SIGN3] a token is given as it is until five minutes before its end, and is refreshed then', async () => {
  const { session, clock, asked } = open(() => ({ is: 'ok', value: tokensAt(clock.now, 2) }))
  await session.keep(tokensAt(clock.now, 1))
  clock.now += hour - 300_001
  expect(await session.token()).toMatchObject({ is: 'token', access_token: 'cak_1' })
  clock.now += 2
  expect(await session.token()).toEqual({ is: 'token', access_token: 'cak_2', until_ms: clock.now + hour })
  expect(asked).toEqual(['crt_1'])
})

test('[SIGN3] two that ask at once wait for one refresh; the new tokens are kept before anybody gets them', async () => {
  const gate = Promise.withResolvers<void>()
  const { session, clock, asked, again } = open(async () => {
    await gate.promise
    return { is: 'ok', value: tokensAt(clock.now, 2) }
  })
  await session.keep(tokensAt(clock.now, 1))
  clock.now += hour
  const both = Promise.all([session.token(), session.token()])
  gate.resolve()
  expect((await both).map((one) => one.is === 'token' && one.access_token)).toEqual(['cak_2', 'cak_2'])
  expect(asked).toEqual(['crt_1'])
  expect(await again().token()).toMatchObject({ access_token: 'cak_2' })
})

test('[SIGN3] a grant that was revoked ends the session for good; any other refusal and silence do not', async () => {
  let answer: IdpAnswer<Tokens> = { is: 'away', why: 'idp.example answers 500' }
  const { session, clock, shelf } = open(() => answer)
  await session.keep(tokensAt(clock.now, 1))
  clock.now += hour - 1
  expect(await session.token()).toMatchObject({ is: 'token', access_token: 'cak_1' }) // still good
  clock.now += 1
  expect(await session.token()).toEqual({ is: 'away', why: 'idp.example answers 500' })
  answer = { is: 'refused', code: 'invalid_client' }
  expect(await session.token()).toMatchObject({ is: 'away', why: expect.stringContaining('invalid_client') })
  answer = { is: 'ok', value: { ...tokensAt(clock.now, 2), refresh_token: null } }
  expect(await session.token()).toMatchObject({ access_token: 'cak_2' })
  clock.now += hour
  answer = { is: 'refused', code: 'invalid_grant' }
  expect(await session.token()).toEqual({ is: 'gone' })
  expect(shelf.size).toBe(0)
})

test('[SIGN3] a token that cannot be refreshed is good until its end', async () => {
  const { session, clock } = open(() => ({ is: 'away', why: 'never asked' }))
  await session.keep(tokensAt(clock.now, 1, null))
  clock.now += hour - 1
  expect(await session.token()).toMatchObject({ access_token: 'cak_1' })
  clock.now += 1
  expect(await session.token()).toEqual({ is: 'gone' })
})

test('[SIGN3] the end of a session revokes and forgets its tokens, and sends those who still ask to the next', async () => {
  const { session, clock, revoked, shelf, again } = open(() => ({ is: 'away', why: 'never asked' }))
  await session.keep(tokensAt(clock.now, 1))
  expect([...shelf.values()].join()).not.toContain('cak_1')
  await session.end('two')
  expect(revoked).toEqual(['crt_1', 'cak_1'])
  expect(await session.token()).toEqual({ is: 'followed', session_id: 'two' })
  await again().end(null)
  expect(await again().token()).toEqual({ is: 'gone' })
  expect(revoked).toHaveLength(2)
})

test('[SIGN15] a token that a provider refused is refreshed before its time, once for all who say so', async () => {
  const { session, clock, asked } = open(() => ({ is: 'ok', value: tokensAt(clock.now, 2) }))
  await session.keep(tokensAt(clock.now, 1))
  const refused = await sha256Hex('cak_1')
  expect(await session.token(await sha256Hex('cak_0'))).toMatchObject({ access_token: 'cak_1' })
  const all = await Promise.all([session.token(refused), session.token(refused), session.token()])
  expect(all.map((one) => one.is === 'token' && one.access_token)).toEqual(['cak_2', 'cak_2', 'cak_2'])
  expect(asked).toEqual(['crt_1'])
})
