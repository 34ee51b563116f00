import { challengeOf } from '../sign-in/flow.ts'

/** A user of the fake identity provider. */
export type FakePerson = { sub: string; username: string }

export type FakeIdpOptions = {
  client_id: string
  client_secret: string
  /** Allowed redirect URIs, compared exactly; null allows every loopback URI. */
  redirect_uris?: string[] | null
  people?: FakePerson[]
  /** Lifetimes of an access token and of a code, in seconds. */
  access_s?: number
  code_s?: number
  /** Seconds by which tokens expire before their announced end, as with a clock that runs ahead. */
  skew_s?: number
  now?(): number
}

type Grant = { person: FakePerson; scope: string[]; revoked: boolean }
type Code = { grant: Grant; redirect_uri: string; challenge: string; until_ms: number; used: boolean }
type Access = { grant: Grant; until_ms: number; revoked: boolean }
type Refresh = { grant: Grant; used: boolean }

export type FakeIdp = {
  /** Answers a request to the OAuth endpoints, `/users/me` or `/users/me/quotas`. */
  answer(request: Request): Promise<Response>
  /** Revokes all grants of a user. */
  revoke(sub: string): void
  /** Number of refreshes, and number of attempts to reuse a refresh token. */
  counts: { refreshed: number; reused: number }
  /** Returns the user of a valid access token, or null. */
  holder(token: string): FakePerson | null
}

/**
 * Identity provider that behaves like Sign in with Chutes. A code works once, for ten minutes, with
 * PKCE. Refresh tokens rotate; reuse of an old token revokes the grant. `userinfo` needs the scope
 * `openid`, `profile` or `account:read`. The consent page asks for no password.
 */
export function createFakeIdp(options: FakeIdpOptions): FakeIdp {
  const people = options.people ?? [
    { sub: 'a1b2c3', username: 'ada' },
    { sub: 'd4e5f6', username: 'grace' },
  ]
  const now = options.now ?? Date.now
  const codes = new Map<string, Code>()
  const accesses = new Map<string, Access>()
  const refreshes = new Map<string, Refresh>()
  const grants: Grant[] = []
  const counts = { refreshed: 0, reused: 0 }

  const issue = (grant: Grant): Response => {
    const access = `cak_${crypto.randomUUID()}.${randomText(48)}`
    const refresh = `crt_${crypto.randomUUID()}.${randomText(48)}`
    const access_s = options.access_s ?? 3600
    accesses.set(access, { grant, until_ms: now() + access_s * 1000, revoked: false })
    refreshes.set(refresh, { grant, used: false })
    return Response.json({
      ...{ access_token: access, token_type: 'Bearer', expires_in: access_s },
      ...{ refresh_token: refresh, scope: grant.scope.join(' ') },
    })
  }
  const grantOf = (token: string | null): Grant | null => {
    const access = accesses.get(token ?? '')
    const ahead = (options.skew_s ?? 0) * 1000
    return access && !access.revoked && !access.grant.revoked && access.until_ms > now() + ahead ? access.grant : null
  }
  const isClient = (request: Request, form: URLSearchParams, mayBePublic: boolean): boolean => {
    const basic = /^basic (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    const [id, secret] = basic ? atob(basic).split(':') : [form.get('client_id'), form.get('client_secret')]
    if (id !== options.client_id) return false
    return secret == null ? mayBePublic : secret === options.client_secret
  }
  const mayReturn = (redirect_uri: string): boolean => {
    const { redirect_uris = null } = options
    return redirect_uris ? redirect_uris.includes(redirect_uri) : /^https?:\/\/(127\.0\.0\.1|localhost)(:\d+)?\//.test(redirect_uri)
  }

  const authorize = async (request: Request, url: URL): Promise<Response> => {
    const form = request.method === 'POST' ? await formOf(request) : null
    const asked = form ?? url.searchParams
    const redirect_uri = asked.get('redirect_uri') ?? ''
    if (asked.get('client_id') !== options.client_id || !mayReturn(redirect_uri))
      return page('This application or its address is not known.', 400)
    const back = (answer: Record<string, string>) => redirect(redirect_uri, { ...answer, state: asked.get('state') ?? '' })
    const wrong = asked.get('response_type') !== 'code' || asked.get('code_challenge_method') !== 'S256' || !asked.get('code_challenge')
    if (wrong) return back({ error: 'invalid_request' })
    const scope = (asked.get('scope') ?? '').split(' ').filter(Boolean)
    if (!scope.every((one) => knownScopes.includes(one))) return back({ error: 'invalid_scope' })
    if (!form) return page(consent(asked, scope, people), 200)
    const person = people.find(({ sub }) => sub === form.get('person'))
    if (form.get('deny') !== null || !person) return back({ error: 'access_denied', error_description: 'The user denied access' })
    const granted = scope.filter((one) => form.get(`without:${one}`) === null)
    const grant: Grant = { person, scope: granted, revoked: false }
    grants.push(grant)
    const code = randomText(43)
    codes.set(code, {
      grant,
      redirect_uri,
      challenge: asked.get('code_challenge')!,
      until_ms: now() + (options.code_s ?? 600) * 1000,
      used: false,
    })
    return back({ code })
  }

  const token = async (request: Request): Promise<Response> => {
    const form = await formOf(request)
    if (form.get('grant_type') === 'refresh_token') {
      if (!isClient(request, form, false)) return refusal('invalid_client')
      const refresh = refreshes.get(form.get('refresh_token') ?? '')
      if (!refresh || refresh.grant.revoked) return refusal('invalid_grant')
      if (refresh.used) {
        counts.reused += 1
        refresh.grant.revoked = true // who has an old one may be a thief
        return refusal('invalid_grant')
      }
      refresh.used = true
      counts.refreshed += 1
      return issue(refresh.grant)
    }
    if (form.get('grant_type') !== 'authorization_code') return refusal('unsupported_grant_type')
    if (!isClient(request, form, true)) return refusal('invalid_client')
    const code = codes.get(form.get('code') ?? '')
    if (!code || code.until_ms <= now() || code.redirect_uri !== form.get('redirect_uri')) return refusal('invalid_grant')
    if (code.used) {
      code.grant.revoked = true
      return refusal('invalid_grant')
    }
    code.used = true
    const challenge = await challengeOf(form.get('code_verifier') ?? '')
    return challenge === code.challenge ? issue(code.grant) : refusal('invalid_grant')
  }

  const bearer = (request: Request): Grant | null =>
    grantOf(/^bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null)
  const asPerson = (request: Request, scopes: readonly string[], body: (person: FakePerson) => unknown): Response => {
    const grant = bearer(request)
    if (!grant) return Response.json({ detail: 'Invalid token' }, { status: 401 })
    if (!scopes.some((one) => grant.scope.includes(one))) return Response.json({ detail: 'Insufficient scope' }, { status: 403 })
    return Response.json(body(grant.person))
  }

  const revokeToken = async (request: Request): Promise<Response> => {
    const given = (await formOf(request)).get('token') ?? ''
    const access = accesses.get(given)
    const refresh = refreshes.get(given)
    if (access) access.revoked = true
    if (refresh) refresh.grant.revoked = true
    return Response.json({ revoked: true })
  }

  const introspect = async (request: Request): Promise<Response> => {
    const form = await formOf(request)
    if (!isClient(request, form, false)) return refusal('invalid_client', 401)
    const access = accesses.get(form.get('token') ?? '')
    const grant = grantOf(form.get('token'))
    if (!grant || !access) return Response.json({ active: false })
    const { sub, username } = grant.person
    const exp = Math.floor(access.until_ms / 1000)
    return Response.json({
      active: true,
      token_type: 'Bearer',
      exp,
      scope: grant.scope.join(' '),
      client_id: options.client_id,
      sub,
      username,
    })
  }

  return {
    counts,
    holder: (token) => grantOf(token)?.person ?? null,
    revoke: (sub) => {
      for (const grant of grants) if (grant.person.sub === sub) grant.revoked = true
    },
    async answer(request) {
      const url = new URL(request.url)
      const base = `${url.origin}/idp`
      switch (`${request.method} ${url.pathname}`) {
        case 'GET /.well-known/openid-configuration':
          return Response.json({
            ...{ issuer: url.origin, authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/token` },
            ...{ userinfo_endpoint: `${base}/userinfo`, revocation_endpoint: `${base}/token/revoke` },
            ...{ response_types_supported: ['code'], grant_types_supported: ['authorization_code', 'refresh_token'] },
            ...{ code_challenge_methods_supported: ['plain', 'S256'], claims_supported: ['sub', 'username', 'created_at'] },
          })
        case 'GET /idp/authorize':
        case 'POST /idp/authorize':
          return authorize(request, url)
        case 'POST /idp/token':
          return token(request)
        case 'POST /idp/token/revoke':
          return revokeToken(request)
        case 'POST /idp/token/introspect':
          return introspect(request)
        case 'GET /idp/userinfo':
          return asPerson(request, ['openid', 'profile', 'account:read'], ({ sub, username }) => ({
            sub,
            username,
            created_at: '2026-01-01T00:00:00Z',
          }))
        case 'GET /users/me':
          return asPerson(request, ['account:read'], ({ sub, username }) => ({ user_id: sub, username }))
        case 'GET /users/me/quotas':
          return asPerson(request, ['quota:read'], () => [{ chute_id: '*', quota: 300, used: 12 }])
        default:
          return Response.json({ detail: 'Not Found' }, { status: 404 })
      }
    },
  }
}

const knownScopes = ['openid', 'profile', 'account:read', 'balance:read', 'quota:read', 'usage:read', 'chutes:read', 'chutes:invoke']

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const randomText = (length: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => alphabet[byte % 64]).join('')

async function formOf(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(await request.text())
}

const refusal = (error: string, status = 400): Response => Response.json({ error }, { status })

function redirect(to: string, answer: Record<string, string>): Response {
  const url = new URL(to)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  return new Response(null, { status: 302, headers: { location: url.href } })
}

function page(body: string, status: number): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>Fake identity provider</title><body style="font:16px system-ui;max-width:30rem;margin:3rem auto;padding:0 1rem">${body}</body></html>`
  return new Response(html, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
}

function consent(asked: URLSearchParams, scope: readonly string[], people: readonly FakePerson[]): string {
  const hidden = [...asked].map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`).join('')
  const who = people.map(
    ({ sub, username }, at) =>
      `<label style="display:block"><input type="radio" name="person" value="${escaped(sub)}"${at === 0 ? ' checked' : ''}> ${escaped(username)}</label>`,
  )
  const what = scope.map(
    (one) =>
      `<label style="display:block"><input type="checkbox" name="without:${escaped(one)}"> without <code>${escaped(one)}</code></label>`,
  )
  return `<h1>Fake identity provider</h1><p>This stands in for Chutes on this machine. Nobody is asked for a password.</p><form method="post">${hidden}<fieldset><legend>Who are you?</legend>${who.join('')}</fieldset><fieldset><legend>What is allowed</legend>${what.join('')}</fieldset><p><button name="allow" value="1">Allow</button> <button name="deny" value="1">Deny</button></p></form>`
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
