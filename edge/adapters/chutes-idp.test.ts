import { expect, test } from 'vitest'
import { createFakeIdp } from '../local/fake-idp.ts'
import { challengeOf, newVerifier } from '../sign-in/flow.ts'
import { createChutesIdp } from './chutes-idp.ts'

const config = { client_id: 'cid_test', client_secret: 'csc_test', idp_url: 'https://idp.example.org', frontend_url: '' }
const redirect_uri = 'http://127.0.0.1:1/api/auth/callback'

/** Opens a client of the fake provider. `change` replaces answers; `asked` lists the requests. */
function open(change: (request: Request) => Response | undefined = () => undefined, over: Partial<typeof config> = {}) {
  const clock = { now: Date.parse('2026-01-01T00:00:00Z') }
  const idp = createFakeIdp({ ...config, ...over, now: () => clock.now })
  const asked: string[] = []
  const fetch = async (url: string, init?: RequestInit) => {
    const request = new Request(url, init)
    asked.push(`${request.method} ${url}`)
    return change(request) ?? idp.answer(request)
  }
  return { idp, asked, clock, port: createChutesIdp({ ...config, ...over }, fetch, () => clock.now) }
}

async function codeOf({ idp, port }: ReturnType<typeof open>, verifier: string): Promise<string> {
  const url = new URL(await port.authorizeUrl({ redirect_uri, state: 'state', challenge: await challengeOf(verifier) }))
  const form = new URLSearchParams([...url.searchParams, ['person', 'a1b2c3']])
  const back = await idp.answer(new Request(`${url.origin}${url.pathname}`, { method: 'POST', body: form }))
  return new URL(back.headers.get('location')!).searchParams.get('code')!
}

test('[SIGN11] a code becomes tokens, tokens say whose they are, refresh rotates, revoking ends them', async () => {
  const opened = open()
  const { port, idp, clock } = opened
  const { verifier } = await newVerifier()
  const code = await codeOf(opened, verifier)
  const tokens = await port.exchange({ code, redirect_uri, verifier })
  if (tokens.is !== 'ok') expect.unreachable()
  expect(tokens.value).toMatchObject({ access_token: expect.stringMatching(/^cak_/), refresh_token: expect.stringMatching(/^crt_/) })
  expect([tokens.value.expires_at_ms, tokens.value.scope.includes('chutes:invoke')]).toEqual([clock.now + 3_600_000, true])
  expect(await port.whoIs(tokens.value.access_token)).toEqual({ is: 'ok', value: { id: 'a1b2c3', username: 'ada' } })
  const fresh = await port.refresh(tokens.value.refresh_token!)
  if (fresh.is !== 'ok') expect.unreachable()
  expect(fresh.value.refresh_token).not.toBe(tokens.value.refresh_token)
  await port.revoke(fresh.value.access_token)
  expect(await port.whoIs(fresh.value.access_token)).toEqual({ is: 'refused', code: '401' })
  await port.revoke(fresh.value.refresh_token!)
  expect(await port.refresh(fresh.value.refresh_token!)).toEqual({ is: 'refused', code: 'invalid_grant' })
  expect(idp.counts).toEqual({ refreshed: 1, reused: 0 })
})

test('[SIGN11] what does not fit is refused by its code: a used code, a wrong verifier, an old one, a wrong secret, a refresh token that came before', async () => {
  const opened = open()
  const { port, clock } = opened
  const { verifier } = await newVerifier()
  const refused = { is: 'refused', code: 'invalid_grant' }
  const code = await codeOf(opened, verifier)
  expect(await port.exchange({ code: await codeOf(opened, verifier), redirect_uri, verifier: 'x'.repeat(43) })).toEqual(refused)
  expect(await port.exchange({ code, redirect_uri: 'http://localhost:2/', verifier })).toEqual(refused)
  const first = await port.exchange({ code, redirect_uri, verifier })
  if (first.is !== 'ok') expect.unreachable()
  const second = await port.refresh(first.value.refresh_token!)
  expect(await port.refresh(first.value.refresh_token!)).toEqual(refused)
  // Reuse of an old refresh token revokes the grant.
  expect(second.is === 'ok' && (await port.refresh(second.value.refresh_token!))).toEqual(refused)
  const late = await codeOf(opened, verifier)
  clock.now += 600_000
  expect(await port.exchange({ code: late, redirect_uri, verifier })).toEqual(refused)
  const stranger = createChutesIdp({ ...config, client_secret: 'csc_wrong' }, async (url, init) =>
    opened.idp.answer(new Request(url, init)),
  )
  expect(await stranger.refresh('crt_any')).toEqual({ is: 'refused', code: 'invalid_client' })
})

test('[SIGN11] what is no answer is told as silence with its reason, and no token or secret stands in it', async () => {
  const answers: [() => Response, string][] = [
    [() => new Response('<html>', { status: 200 }), 'answers something else'],
    [() => Response.json({}, { status: 200 }), 'answers something else'],
    [() => new Response('busy', { status: 503 }), 'answers 503'],
    [() => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/' } }), 'answers 302'],
    [() => new Response('bad', { status: 400 }), 'answers 400'],
    [() => Response.json({ access_token: 'x', scope: 'y'.repeat(100_000) }), 'answers something else'],
    [() => { throw new TypeError('csc_test') }, 'does not answer'], // biome-ignore format: one a line
  ]
  for (const [answer, why] of answers) {
    const { port } = open((request) => (request.url.endsWith('/token') ? answer() : undefined))
    const told = await port.refresh('crt_secret')
    expect(told).toMatchObject({ is: 'away', why: expect.stringContaining(why) })
    expect(JSON.stringify(told)).not.toMatch(/crt_secret|csc_test/)
  }
})

test('[SIGN11] endpoints come from discovery as long as they are the provider’s own, else from where Chutes has them', async () => {
  const told = (base: string) => () =>
    Response.json({
      authorization_endpoint: `${base}/a`,
      token_endpoint: `${base}/t`,
      userinfo_endpoint: `${base}/u`,
      revocation_endpoint: `${base}/r`,
    })
  const endpointOf = async (answer: () => Response, idp_url: string) => {
    const { port } = open((request) => (request.url.includes('.well-known') ? answer() : undefined), { idp_url })
    return (await port.authorizeUrl({ redirect_uri, state: 's', challenge: 'c' })).split('?')[0]
  }
  const missing = () => new Response(null, { status: 404 })
  expect(await endpointOf(told('https://auth.chutes.ai/x'), 'https://idp.chutes.ai')).toBe('https://auth.chutes.ai/x/a')
  expect(await endpointOf(told('https://chutes.evil.example'), 'https://idp.chutes.ai')).toBe('https://idp.chutes.ai/idp/authorize')
  expect(await endpointOf(told('https://evilchutes.ai'), 'https://idp.chutes.ai')).toBe('https://idp.chutes.ai/idp/authorize')
  expect(await endpointOf(told('http://auth.chutes.ai'), 'https://idp.chutes.ai')).toBe('https://idp.chutes.ai/idp/authorize')
  expect(await endpointOf(told('http://127.0.0.1:5'), 'http://127.0.0.1:6')).toBe('http://127.0.0.1:6/idp/authorize')
  expect(await endpointOf(missing, 'https://api.chutes.ai/idp')).toBe('https://api.chutes.ai/idp/authorize')
  expect(await endpointOf(missing, 'https://idp.chutes.ai')).toBe('https://idp.chutes.ai/idp/authorize')
})

test('[SIGN11] discovery is asked once in an hour', async () => {
  const { port, asked, clock } = open()
  const ask = () => port.authorizeUrl({ redirect_uri, state: 's', challenge: 'c' })
  await ask()
  await ask()
  expect(asked).toHaveLength(1)
  clock.now += 3_600_001
  await ask()
  expect(asked).toHaveLength(2)
})
