import type { Context, MiddlewareHandler } from 'hono'
import { scopeNames } from '#shared/contract/scopes.ts'
import { defOf } from '#shared/providers/providers.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps, Principal } from '../deps.ts'
import type { GuessGuard } from '../limits/refuse-guessing.ts'
import { Problem } from '../problem.ts'
import { invokeScope } from '../sign-in/idp.ts'
import { readSessionSecret } from '../sign-in/session-cookie.ts'
import { chutesAccountId, chutesOwnerId, isAccountId } from './chutes-owner.ts'
import { chutesKeyPattern, chutesTokenPattern, isKey } from './key-format.ts'
import { secretsEqual, sha256Hex } from './secret.ts'
import { teamOwnerId } from './team-owner.ts'
import { isFromThisMachine } from './visitor.ts'

export type Scope = Principal['scopes'][number]

/** Least time between two writes of `used_at`, in milliseconds. */
const touchMs = 5 * 60_000

/** Scopes of a principal that pays with its own account or key. */
export const ownScopes = ['runs:read', 'runs:write'] as const satisfies readonly Scope[]

export const anonymous: Principal = { owner_id: null, kind: 'anonymous', scopes: [], credential: null, teams: [] }
const owner = (kind: 'local' | 'admin'): Principal => ({ owner_id: kind, kind, scopes: scopeNames, credential: null, teams: [] })

/**
 * Who sends a request: the admin secret first, then a bearer key (own `cbr_…` or Chutes `cpk_…`), then whoever signed in, then, in local mode, from this machine
 * under a loopback address, the local owner. A secret or key that does not hold is 401, never a quiet step down to anonymous; a session that has ended is none.
 */
export async function principalOf(request: Request, deps: Deps): Promise<Principal> {
  const adminSecret = request.headers.get('x-admin-secret')
  if (adminSecret !== null) return adminOf(adminSecret, deps)
  const token = bearerOf(request)
  if (token !== null) return isForChutes(token, deps.config) ? chutesOwner(token, deps) : keyOwner(token, deps)
  return (await sessionOwner(request, deps)) ?? (deps.config.local && isFromThisMachine(request) ? owner('local') : anonymous)
}

/** Puts the principal beside the request and refuses unsafe requests that another site made the visitor's browser send. */
export function identify(deps: Deps, guard: GuessGuard): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    refuseForeignSite(c, deps.config)
    c.set('principal', await guard(c.req.raw, () => principalOf(c.req.raw, deps)))
    await next()
  }
}

/** The principal's owner id, when it holds the scope; else 401 for nobody and 403 for somebody who may not. */
export function requireOwner(principal: Principal, scope: Scope): string {
  if (principal.owner_id === null) throw new Problem('unauthorized', 'Send a key: Authorization: Bearer cbr_… or cpk_….')
  if (!principal.scopes.includes(scope)) throw new Problem('forbidden', `This needs the scope ${scope}, which your key does not have.`)
  return principal.owner_id
}

/** The token of `Authorization: Bearer …`; null without the header. Any other scheme is 401. */
export function bearerOf(request: Request): string | null {
  const header = request.headers.get('authorization')
  if (header === null) return null
  const match = /^bearer +(\S{1,400}) *$/i.exec(header)
  if (!match) throw new Problem('unauthorized', 'Only Authorization: Bearer <key> is understood.')
  return match[1]!
}

/** Lets an agent in: the shared agent token (compared in constant time) or an own key with the scope `agents:join`. */
export async function requireAgent(request: Request, deps: Deps): Promise<void> {
  const token = bearerOf(request)
  if (token === null) throw new Problem('unauthorized', 'An agent sends its token as Authorization: Bearer <token>.')
  if (deps.config.agent_token !== null && (await secretsEqual(token, deps.config.agent_token))) return
  if (token.startsWith('cpk_') || chutesTokenPattern.test(token)) throw new Problem('forbidden', 'A Chutes key cannot join the fleet.')
  requireOwner(await keyOwner(token, deps), 'agents:join')
}

async function adminOf(secret: string, deps: Deps): Promise<Principal> {
  const expected = deps.config.admin_secret
  if (expected && (await secretsEqual(secret, expected))) return owner('admin')
  throw new Problem('unauthorized', expected ? 'The admin secret is wrong.' : 'No admin secret is configured here.')
}

async function keyOwner(token: string, deps: Deps): Promise<Principal> {
  const key = isKey(token) ? await deps.store.findKey(await sha256Hex(token)) : undefined
  const alive = key && key.revoked_at === null && (key.expires_at === null || new Date(key.expires_at) > deps.now())
  if (!alive) throw new Problem('unauthorized', 'This key is unknown, expired or revoked.')
  const now = deps.now()
  if (key.used_at === null || now.getTime() - Date.parse(key.used_at) > touchMs)
    deps.later(0, () => deps.store.touchKey(key.id, now.toISOString()))
  const own = {
    owner_id: key.owner_id,
    kind: 'key',
    key_id: key.id,
    scopes: scopeNames.filter((scope) => key.scopes.includes(scope)),
    credential: null,
    teams: [],
    ...(key.made_by !== null && { payer: key.made_by }),
  } as const
  const payer = key.made_by ?? (isAccountId(key.owner_id) ? key.owner_id : null)
  return payer === null ? own : { ...own, account: { session_id: await payingSession(payer, deps) } }
}

/** Returns the principal of the session cookie; undefined without an active session. */
async function sessionOwner(request: Request, deps: Deps): Promise<Principal | undefined> {
  const secret = deps.idp && readSessionSecret(request.headers.get('cookie'))
  if (!secret) return undefined
  const session = await deps.store.findSession(await sha256Hex(secret))
  const now = deps.now()
  if (!session || session.ended_at !== null || new Date(session.expires_at) <= now) return undefined
  if (now.getTime() - Date.parse(session.used_at) > touchMs) deps.later(0, () => deps.store.touchSession(session.id, now.toISOString()))
  const { id, owner_id, user_id, username } = session
  const signedIn = { id, user: { id: user_id, username }, invokes: session.scopes.includes(invokeScope) }
  const account = { session_id: signedIn.invokes ? id : null }
  const teams = session.teams.map((team) => ({ ...team, owner_id: teamOwnerId(team.id) }))
  return { owner_id, kind: 'session', scopes: ownScopes, credential: null, session: signedIn, account, teams }
}

/** Returns the most recently used active session with the scope `chutes:invoke`, or null. */
async function payingSession(owner_id: string, { store, now }: Deps): Promise<string | null> {
  const sessions = await store.listSessions(owner_id, now().toISOString())
  return sessions.find((one) => one.scopes.includes(invokeScope))?.id ?? null
}

const isForChutes = (token: string, { access }: Deps['config']): boolean =>
  token.startsWith('cpk_') || chutesTokenPattern.test(token) || (access.any_chutes_key && !token.startsWith('cbr_'))

/**
 * Whoever has a key that Chutes knows owns what it started; the id is a hash under its own label, so it says nothing about the key.
 * A key is told to Chutes alone, and only where Chutes is one of the providers. A token of Sign in with Chutes is good for an hour: what was started with it
 * belongs to its account, so that the next one opens it.
 */
async function chutesOwner(token: string, deps: Deps): Promise<Principal> {
  if (token.startsWith('cpk_') && !chutesKeyPattern.test(token)) throw new Problem('unauthorized', 'This does not look like a Chutes key.')
  if (!deps.config.providers.some((provider) => defOf(provider).ownersKeys))
    throw new Problem('unauthorized', 'No model here is served by Chutes, so a Chutes key is of no use. Send a key of this service: cbr_….')
  const verdict = await deps.chutesKeys.check(token)
  if (verdict.is === 'bad') throw new Problem('unauthorized', 'Chutes does not know this key: it is mistyped or revoked.')
  if (verdict.is === 'away')
    throw new Problem(
      'unavailable',
      `Whether this Chutes key is good cannot be told now: ${verdict.why}. Try again in a minute; if it lasts, the operator must look at Chutes and at CHUTES_KEY_URL.`,
      { retry_after_s: 10 },
    )
  const passing = chutesTokenPattern.test(token)
  if (passing && verdict.account === null)
    throw new Problem('forbidden', 'Chutes does not say whose token this is: ask for it with the scope account:read.')
  const owner_id = await (passing ? chutesAccountId(verdict.account!) : chutesOwnerId(token)) // a token without an account was refused
  return { owner_id, kind: 'chutes-key', scopes: ownScopes, credential: token, teams: [] }
}

function refuseForeignSite(c: Context, { public_url, access }: Deps['config']): void {
  const unsafe = !['GET', 'HEAD', 'OPTIONS'].includes(c.req.method)
  if (!unsafe || c.req.header('authorization') !== undefined || c.req.header('x-admin-secret') !== undefined) return
  const site = c.req.header('sec-fetch-site')
  const origin = c.req.header('origin')
  if (origin !== undefined && access.cors_origins.includes(origin)) return
  const foreignSite = site !== undefined && site !== 'same-origin' && site !== 'none'
  const foreignOrigin = origin !== undefined && ![new URL(c.req.url).origin, originOf(public_url)].includes(origin)
  if (foreignSite || foreignOrigin) throw new Problem('forbidden', 'Another site may not act in your name.')
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null
}
