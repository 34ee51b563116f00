import { expect, test } from 'vitest'
import { challengeOf, createFlowSeal, flowSeconds, newVerifier } from './flow.ts'
import { returnPath } from './return-path.ts'
import { clearCookie, readCookies, readSessionSecret, setCookie } from './session-cookie.ts'
import { readSignIn } from './sign-in-config.ts'

test('[SIGN1] whoever signs in comes back to a place of this site, and to no other', () => {
  for (const path of ['/', '/runs', '/runs/1?tab=items&q=%2F#x', '/a/../runs'])
    expect(returnPath(path)).toBe(path === '/a/../runs' ? '/runs' : path)
  for (const path of [
    ...['//evil.example', '/\\evil.example', '\\\\evil.example', 'https://evil.example/', 'evil.example', 'javascript:alert(1)'],
    ...['/\tevil', '/\n/evil.example', '/.//evil.example', '', `/${'a'.repeat(2001)}`, null, undefined],
  ])
    expect([path, returnPath(path)]).toEqual([path, '/'])
})

test('[SIGN2] a flow opens for ten minutes where it was sealed, and only as it was', async () => {
  const seal = createFlowSeal('v1:master')
  const now = new Date('2026-01-01T00:00:00Z')
  const { verifier, challenge } = await newVerifier()
  const flow = { state: 's'.repeat(43), verifier, redirect_uri: 'https://bench.example/api/auth/callback', return_to: '/runs' }
  const sealed = await seal.seal(flow, now)
  expect(await seal.open(sealed, now)).toEqual(flow)
  expect(sealed).not.toContain(verifier)
  expect(await seal.open(sealed, new Date(now.getTime() + (flowSeconds - 1) * 1000))).toEqual(flow)
  expect(await seal.open(sealed, new Date(now.getTime() + (flowSeconds + 1) * 1000))).toBeUndefined()
  expect(await createFlowSeal('v1:other').open(sealed, now)).toBeUndefined()
  expect(await seal.open(`${sealed.slice(0, -2)}AA`, now)).toBeUndefined()
  expect(await seal.open('', now)).toBeUndefined()
  expect(challenge).toBe(await challengeOf(verifier))
  // RFC 7636, appendix B.
  expect(await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
})

test('[SIGN2] cookies are for no script and no other site; a secret is read from this service’s cookie and from the predecessor’s', () => {
  const secret = 'a'.repeat(64)
  expect(setCookie('x', 'y', { seconds: 60, secure: true })).toBe('x=y; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure')
  expect(clearCookie('x', { secure: false, path: '/api/auth' })).toBe('x=; Path=/api/auth; Max-Age=0; HttpOnly; SameSite=Lax')
  expect(readSessionSecret(`theme=dark; chutes_bench_runner_session=${secret}`)).toBe(secret)
  expect(readSessionSecret(`bench_session=${secret}`)).toBe(secret)
  for (const header of [
    null,
    '',
    'bench_session=',
    `bench_session=${'A'.repeat(64)}`,
    `bench_session=${secret}x`,
    `xbench_session=${secret}`,
  ])
    expect([header, readSessionSecret(header)]).toEqual([header, null])
  expect([...readCookies('a=1; a=2;; =3; b = 4')]).toEqual([
    ['a', '1'],
    ['b', '4'],
  ])
})

test('[SIGN2] the variables are those of the predecessor; without a client id nobody signs in', () => {
  expect(readSignIn({})).toBeNull()
  expect(readSignIn({ CHUTES_CLIENT_ID: ' cid_1 ' })).toEqual({
    client_id: 'cid_1',
    client_secret: null,
    idp_url: 'https://idp.chutes.ai',
    frontend_url: '',
  })
  expect(
    readSignIn({
      CHUTES_CLIENT_ID: 'c',
      CHUTES_CLIENT_SECRET: 's',
      CHUTES_IDP_URL: 'http://127.0.0.1:9/',
      FRONTEND_URL: 'https://ui.example/',
    }),
  ).toEqual({
    client_id: 'c',
    client_secret: 's',
    idp_url: 'http://127.0.0.1:9',
    frontend_url: 'https://ui.example',
  })
})
