import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import * as z from 'zod'
import { Quota, SessionList, SignedInUser, type SignInRefusal, SignInStatus, signInRefusals } from '#shared/contract/sign-in.ts'
import { readQuota } from '../adapters/chutes-quota.ts'
import type { AppEnv } from '../app-env.ts'
import { chutesAccountId } from '../auth/chutes-owner.ts'
import { payerOf } from '../auth/own-payment.ts'
import { newSecret, sha256Hex } from '../auth/secret.ts'
import { toTeamPlace } from '../auth/team-access.ts'
import type { Deps, Principal } from '../deps.ts'
import { Problem } from '../problem.ts'
import { type Flow, flowSeconds, newVerifier } from '../sign-in/flow.ts'
import { type IdpPort, invokeScope, type Person, type Tokens } from '../sign-in/idp.ts'
import { returnPath } from '../sign-in/return-path.ts'
import { clearCookie, flowCookie, readCookies, sessionCookie, sessionDays, setCookie } from '../sign-in/session-cookie.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { ownOrigin } from './own-origin.ts'

const text = (meaning: string) => z.string().max(4000).optional().describe(meaning)
const Found = { description: 'Goes on at this address' }

const login = declareRoute({
  method: 'get',
  path: '/api/auth/login',
  access: { who: 'anyone' },
  cost: 'cheap',
  summary: 'Sign in with Chutes: sends the browser there',
  description:
    'Authorization code flow with PKCE (S256). The browser comes back to `/api/auth/callback` and from there to `return_to`, a path of this site. With FRONTEND_URL it comes back to that front end, whose server calls `/api/auth/callback` for it.',
  request: { query: z.object({ return_to: text('Path of this site to come back to; `/` in place of any other address') }) },
  responses: { 302: Found, ...refusals('not-offered', 'unavailable') },
})
const SignedInAnswer = z.object({
  success: z.literal(true),
  session_id: z.string().describe('The session’s secret, for the cookie that the front end sets'),
  user: SignedInUser,
  has_invoke_scope: z.boolean().describe('Whether the account pays for its runs'),
  return_to: z.string().describe('Path to go on at'),
})
const callback = declareRoute({
  method: 'get',
  audits: 'session.begin',
  path: '/api/auth/callback',
  access: { who: 'anyone' },
  cost: 'cheap',
  summary: 'Finish a sign-in: the redirect address of the identity provider',
  description:
    'Redirects to the place where the sign-in began, with the session in a cookie that no script can read. Only the browser that began a sign-in can end it. For a front end of FRONTEND_URL, which ends it from its own server, the answer is JSON instead.',
  request: {
    query: z.object({
      code: text('What the provider gives for tokens, once'),
      state: text('What the sign-in began with'),
      error: text('Why the provider did not sign anybody in'),
      error_description: text('The same in words of the provider; not repeated'),
    }),
  },
  responses: {
    200: json(SignedInAnswer, 'Signed in, for a front end elsewhere'),
    303: Found,
    ...refusals('bad-request', 'forbidden', 'not-offered', 'unavailable'),
  },
})
const status = declareRoute({
  method: 'get',
  path: '/api/auth/status',
  access: { who: 'anyone, more with a key' },
  cost: 'cheap',
  summary: 'Read the sign-in status',
  responses: { 200: json(SignInStatus, 'Who is signed in') },
})
const Me = SignInStatus.omit({ idp_configured: true, pays: true, keeps_settings: true }).extend({
  has_valid_token: z.boolean().describe('Whether your account can be used now; looked at and refreshed by this request'),
})
const me = declareRoute({
  method: 'get',
  path: '/api/auth/me',
  access: { who: 'anyone, more with a key' },
  cost: 'cheap',
  summary: 'Read the signed-in user; 401 without a session',
  responses: { 200: json(Me, 'You'), ...refusals('unauthorized', 'unavailable') },
})
const Done = z.object({ success: z.literal(true), message: z.string() })
const logout = declareRoute({
  method: 'post',
  audits: 'session.end',
  path: '/api/auth/logout',
  access: { who: 'anyone, more with a key' },
  cost: 'cheap',
  summary: 'Sign out: ends the session and revokes its tokens',
  description:
    'Runs that the account of this session pays for are parked at their next call, and go on when their owner has signed in and resumes them.',
  responses: { 200: json(Done, 'Signed out'), ...refusals('unavailable') },
})
const quota = declareRoute({
  method: 'get',
  path: '/api/auth/quota',
  access: { who: 'key holder', scope: 'runs:read' },
  cost: 'cheap',
  summary: 'Read the remaining quota of your Chutes account',
  responses: { 200: json(Quota, 'The quota; null where Chutes does not tell'), ...refusals('unauthorized', 'forbidden', 'unavailable') },
})
const sessions = declareRoute({
  method: 'get',
  path: '/api/auth/sessions',
  access: { who: 'signed in or operator' },
  cost: 'cheap',
  summary: 'List your browser sessions',
  responses: { 200: json(SessionList, 'Your sessions, the one used last first'), ...refusals('unauthorized', 'forbidden', 'unavailable') },
})
const endOne = declareRoute({
  method: 'delete',
  audits: 'session.end',
  path: '/api/auth/sessions/{id}',
  access: { who: 'signed in or operator' },
  cost: 'cheap',
  summary: 'End one of your browser sessions',
  request: { params: z.object({ id: z.string().max(100) }) },
  responses: { 200: json(Done, 'Signed out'), ...refusals('unauthorized', 'forbidden', 'not-found', 'unavailable') },
})

export function signInRoutes(deps: Deps) {
  const isSecure = (c: Context) => ownOrigin(c, deps).startsWith('https:')
  return new OpenAPIHono<AppEnv>()
    .openapi(login, async (c) => {
      const idp = offered(deps)
      const own = ownOrigin(c, deps)
      const front = new URL(deps.config.sign_in?.frontend_url || own).origin
      const isElsewhere = front !== own
      const return_to = returnPath(c.req.valid('query').return_to)
      // The callback needs the flow cookie, so the flow must start on the callback's host.
      if (!isElsewhere && new URL(own).host !== new URL(c.req.url).host) {
        c.header('location', `${own}/api/auth/login?return_to=${encodeURIComponent(return_to)}`)
        return c.body(null, 302)
      }
      const { verifier, challenge } = await newVerifier()
      const state = (await newVerifier()).verifier
      const flow = { state, verifier, redirect_uri: `${front}/api/auth/callback`, return_to }
      const sealed = await deps.flows.seal(flow, deps.now())
      // The server of another front end has no flow cookie, so `state` carries the sealed flow.
      const told = isElsewhere ? sealed : state
      c.header('location', await idp.authorizeUrl({ redirect_uri: flow.redirect_uri, state: told, challenge }))
      c.header('cache-control', 'no-store')
      if (!isElsewhere)
        c.header('set-cookie', setCookie(flowCookie, sealed, { seconds: flowSeconds, secure: isSecure(c), path: '/api/auth' }))
      return c.body(null, 302)
    })
    .openapi(callback, async (c) => {
      const idp = offered(deps)
      c.header('cache-control', 'no-store')
      const { code, state, error } = c.req.valid('query')
      const begun = state === undefined ? undefined : await findFlow(c, state, deps)
      const came = begun ? await redeem({ code, error }, begun.flow, idp) : 'state'
      if (!begun || typeof came === 'string') {
        if (begun?.isElsewhere || !isForPeople(c)) throw refused(typeof came === 'string' ? came : 'state')
        c.set('touched', null)
        c.header('location', `/settings?sign_in=${came}`)
        return c.body(null, 303)
      }
      const { tokens, person } = came
      const secret = await openSession(tokens, person, c, deps)
      if (begun.isElsewhere) {
        const has_invoke_scope = tokens.scope.includes(invokeScope)
        return c.json({ success: true as const, session_id: secret, user: person, has_invoke_scope, return_to: begun.flow.return_to }, 200)
      }
      const secure = isSecure(c)
      c.header('set-cookie', setCookie(sessionCookie, secret, { seconds: sessionDays * 86_400, secure }), { append: true })
      c.header('set-cookie', clearCookie(flowCookie, { secure, path: '/api/auth' }), { append: true })
      c.header('location', begun.flow.return_to)
      return c.body(null, 303)
    })
    .openapi(status, (c) => {
      const principal = c.get('principal')
      const keeps_settings = principal.session !== undefined || principal.kind === 'local'
      return c.json({ idp_configured: deps.idp !== null, ...whoIs(principal), keeps_settings, pays: payerOf(principal, deps.config) }, 200)
    })
    .openapi(me, async (c) => {
      const { session } = c.get('principal')
      if (!session) throw new Problem('unauthorized', 'You are not signed in: GET /api/auth/login.')
      const answer = await deps.sessions.token(session.id)
      return c.json({ ...whoIs(c.get('principal')), has_valid_token: answer.is === 'token' }, 200)
    })
    .openapi(logout, async (c) => {
      const { session, owner_id } = c.get('principal')
      if (session && owner_id !== null) await close(session.id, owner_id, deps)
      c.set('touched', session ? { target: `session:${session.id}` } : null)
      c.header('set-cookie', clearCookie(sessionCookie, { secure: isSecure(c) }))
      return c.json({ success: true as const, message: 'Logged out successfully' }, 200)
    })
    .openapi(quota, async (c) => {
      const session_id = c.get('principal').account?.session_id
      const answer = session_id ? await deps.sessions.token(session_id) : undefined
      const token = answer?.is === 'token' ? answer.access_token : null
      return c.json(token === null ? { total: null, left: null } : await readQuota(token, deps), 200)
    })
    .openapi(sessions, async (c) => {
      const current = c.get('principal').session?.id
      const found = await deps.store.listSessions(c.get('owner_id'), deps.now().toISOString())
      return c.json(SessionList.parse({ sessions: found.map((one) => ({ ...one, current: one.id === current })) }), 200)
    })
    .openapi(endOne, async (c) => {
      const done = await close(c.req.valid('param').id, c.get('owner_id'), deps)
      if (!done) throw new Problem('not-found', 'You have no such session.')
      return c.json({ success: true as const, message: 'That browser is signed out' }, 200)
    })
}

function offered({ idp }: Deps): IdpPort {
  if (idp) return idp
  throw new Problem(
    'not-offered',
    'Nobody signs in here: the operator has set no CHUTES_CLIENT_ID. Send a key: Authorization: Bearer <key>.',
  )
}

const whoIs = ({ session, teams }: Principal): Omit<SignInStatus, 'idp_configured' | 'pays' | 'keeps_settings'> => ({
  authenticated: session !== undefined,
  user: session?.user ?? null,
  has_invoke_scope: session?.invokes ?? false,
  teams: teams.map(toTeamPlace),
})

/** Finds the flow of a `state`: in the browser's cookie, or sealed in `state` for another front end. */
async function findFlow(c: Context, state: string, deps: Deps): Promise<{ flow: Flow; isElsewhere: boolean } | undefined> {
  const now = deps.now()
  const kept = readCookies(c.req.header('cookie') ?? null).get(flowCookie)
  const own = kept === undefined ? undefined : await deps.flows.open(kept, now)
  if (own?.state === state) return { flow: own, isElsewhere: false }
  const sent = await deps.flows.open(state, now)
  const isElsewhere = sent !== undefined && new URL(sent.redirect_uri).origin !== ownOrigin(c, deps)
  return isElsewhere ? { flow: sent, isElsewhere } : undefined
}

const isForPeople = (c: Context): boolean => (c.req.header('accept') ?? '').includes('text/html')

function refused(why: SignInRefusal): Problem {
  const { status, text } = signInRefusals[why]
  return new Problem(status === 400 ? 'bad-request' : status === 403 ? 'forbidden' : 'unavailable', text)
}

/** Exchanges a code for tokens and reads the user, or returns the reason for the refusal. */
async function redeem(
  { code, error }: { code: string | undefined; error: string | undefined },
  flow: Flow,
  idp: IdpPort,
): Promise<{ tokens: Tokens; person: Person } | SignInRefusal> {
  if (error !== undefined || code === undefined) return error === 'access_denied' ? 'denied' : 'client'
  const tokens = await idp.exchange({ code, redirect_uri: flow.redirect_uri, verifier: flow.verifier })
  if (tokens.is === 'away') return 'away'
  if (tokens.is === 'refused') return tokens.code === 'invalid_grant' ? 'code' : 'client'
  const person = await idp.whoIs(tokens.value.access_token)
  if (person.is === 'ok') return { tokens: tokens.value, person: person.value }
  await idp.revoke(tokens.value.refresh_token ?? tokens.value.access_token) // no session will use these tokens
  return person.is === 'away' ? 'away' : 'profile'
}

/**
 * Creates a session with a new secret and ends the previous session of the browser. Runs of the same
 * user continue with the new session.
 */
async function openSession(tokens: Tokens, person: Person, c: Context<AppEnv>, deps: Deps): Promise<string> {
  const [secret, id, now, owner_id] = [newSecret(), deps.newId(), deps.now(), await chutesAccountId(person.id)]
  await deps.sessions.keep(id, tokens)
  const session = {
    ...{ id, owner_id, user_id: person.id, username: person.username, scopes: tokens.scope, sha256: await sha256Hex(secret) },
    browser: (c.req.header('user-agent') ?? '').slice(0, 300),
    ...{ created_at: now.toISOString(), used_at: now.toISOString(), ended_at: null },
    expires_at: new Date(now.getTime() + sessionDays * 86_400_000).toISOString(),
  }
  try {
    await deps.store.ensureOwner({ id: owner_id, name: person.username, kind: 'chutes' })
    await deps.store.createSession(session)
    c.set('touched', { target: `session:${id}`, owner_id, actor: { actor_id: owner_id, actor_kind: 'session' } })
  } catch (error) {
    await deps.sessions.end(id, null)
    throw error
  }
  const before = c.get('principal')
  if (before.session && before.owner_id !== null)
    await close(before.session.id, before.owner_id, deps, before.owner_id === owner_id ? id : null)
  return secret
}

/** Ends a session of this owner. Returns false if no such session is active. */
async function close(id: string, owner_id: string, deps: Deps, next: string | null = null): Promise<boolean> {
  const done = await deps.store.endSession(id, owner_id, deps.now().toISOString())
  if (done) await deps.sessions.end(id, next)
  return done
}
