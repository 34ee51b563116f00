import * as z from 'zod'
import { type IdpAnswer, type IdpPort, type Person, type Tokens, wantedScopes } from '../sign-in/idp.ts'
import type { SignInConfig } from '../sign-in/sign-in-config.ts'
import { readJson } from './read-json.ts'

const timeoutMs = 10_000
const mostChars = 65_536
/** Cache lifetimes of discovered endpoints and of default endpoints, in milliseconds. */
const discoveredMs = 3_600_000
const assumedMs = 300_000
/** Lifetime of an access token in seconds if the response has no `expires_in`. */
const usualSeconds = 3600

const Discovery = z.object({
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  userinfo_endpoint: z.url(),
  revocation_endpoint: z.url().optional(),
})
type Endpoints = z.infer<typeof Discovery>

const text = z.string().min(1).max(4096)
const TokenAnswer = z.object({
  access_token: text,
  refresh_token: text.nullish(),
  expires_in: z.coerce.number().positive().max(31_536_000).nullish(),
  scope: z.union([z.string(), z.array(z.string())]).nullish(),
})
const UserInfo = z.object({ sub: z.coerce.string().min(1).max(200), username: z.string().max(200).nullish() })
const Refusal = z.object({ error: z.string().max(100) })

/**
 * OAuth 2 client of Sign in with Chutes. The endpoints come from the discovery document if they are
 * on the provider's own domain. Otherwise the client uses the default paths under `/idp`. A public
 * client sends no secret.
 */
export function createChutesIdp(
  config: SignInConfig,
  fetch: (url: string, init?: RequestInit) => Promise<Response>,
  now: () => number = Date.now,
): IdpPort {
  let known: { endpoints: Endpoints; until_ms: number } | undefined
  const endpoints = async (): Promise<Endpoints> => {
    if (known && known.until_ms > now()) return known.endpoints
    const found = await discover(config.idp_url, fetch)
    known = { endpoints: found ?? usualEndpoints(config.idp_url), until_ms: now() + (found ? discoveredMs : assumedMs) }
    return known.endpoints
  }
  const client = { client_id: config.client_id, ...(config.client_secret !== null && { client_secret: config.client_secret }) }
  const tokens = async (form: Record<string, string>): Promise<IdpAnswer<Tokens>> => {
    const askedMs = now()
    const answer = await ask(fetch, (await endpoints()).token_endpoint, TokenAnswer, { form: { ...form, ...client } })
    return answer.is === 'ok' ? { is: 'ok', value: tokensOf(answer.value, askedMs) } : answer
  }
  return {
    async authorizeUrl({ redirect_uri, state, challenge }) {
      const url = new URL((await endpoints()).authorization_endpoint)
      const wanted = {
        ...{ response_type: 'code', client_id: config.client_id, redirect_uri, state, scope: wantedScopes.join(' ') },
        ...{ code_challenge: challenge, code_challenge_method: 'S256' },
      }
      for (const [name, value] of Object.entries(wanted)) url.searchParams.set(name, value)
      return url.href
    },
    exchange: ({ code, redirect_uri, verifier }) =>
      tokens({ grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier }),
    refresh: (refresh_token) => tokens({ grant_type: 'refresh_token', refresh_token }),
    async whoIs(access_token): Promise<IdpAnswer<Person>> {
      const answer = await ask(fetch, (await endpoints()).userinfo_endpoint, UserInfo, { bearer: access_token })
      return answer.is === 'ok'
        ? { is: 'ok', value: { id: answer.value.sub, username: answer.value.username || answer.value.sub } }
        : answer
    },
    async revoke(token) {
      const { revocation_endpoint: url } = await endpoints()
      if (url) await ask(fetch, url, z.unknown(), { form: { token, ...client } })
    },
  }
}

/** Reads a token response. Without a `scope`, the requested scopes are granted (RFC 6749, 5.1). */
function tokensOf({ access_token, refresh_token, expires_in, scope }: z.infer<typeof TokenAnswer>, askedMs: number): Tokens {
  return {
    access_token,
    refresh_token: refresh_token ?? null,
    expires_at_ms: askedMs + (expires_in ?? usualSeconds) * 1000,
    scope: scope == null ? [...wantedScopes] : typeof scope === 'string' ? scope.split(/[\s,]+/).filter(Boolean) : scope,
  }
}

/** Default endpoints, under `/idp` of the host. */
function usualEndpoints(idp_url: string): Endpoints {
  const base = /\/idp$/.test(idp_url) ? idp_url : `${idp_url}/idp`
  return {
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    userinfo_endpoint: `${base}/userinfo`,
    revocation_endpoint: `${base}/token/revoke`,
  }
}

async function discover(idp_url: string, fetch: Fetch): Promise<Endpoints | undefined> {
  const answer = await ask(fetch, `${new URL(idp_url).origin}/.well-known/openid-configuration`, Discovery, {})
  if (answer.is !== 'ok') return undefined
  const all = Object.values(answer.value).filter((url) => url !== undefined)
  return all.every((url) => isOfSite(url, idp_url)) ? answer.value : undefined
}

/**
 * Whether a URL belongs to the provider: the same origin, or an HTTPS host under the same domain. The
 * client secret is sent to no other host.
 */
function isOfSite(url: string, idp_url: string): boolean {
  const [there, here] = [new URL(url), new URL(idp_url)]
  if (there.origin === here.origin) return true
  const site = here.hostname.split('.').slice(-2).join('.')
  const named = /[a-z]$/.test(here.hostname) && here.hostname.includes('.')
  return named && there.protocol === 'https:' && here.protocol === 'https:' && there.hostname.endsWith(`.${site}`)
}

type Fetch = (url: string, init?: RequestInit) => Promise<Response>
type Given = { form?: Record<string, string>; bearer?: string }

/**
 * Sends one request. A redirect, an HTML page and an oversized body count as `away`. The result never
 * contains a token or the client secret.
 */
async function ask<T>(fetch: Fetch, url: string, schema: z.ZodType<T>, { form, bearer }: Given): Promise<IdpAnswer<T>> {
  const host = new URL(url).host
  try {
    const response = await fetch(url, {
      ...{ redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) },
      ...(form && { method: 'POST', body: new URLSearchParams(form).toString() }),
      headers: {
        accept: 'application/json',
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(bearer && { authorization: `Bearer ${bearer}` }),
      },
    })
    const said = await readJson(response, mostChars)
    if (response.status === 200) {
      const { success, data } = schema.safeParse(said)
      return success ? { is: 'ok', value: data } : { is: 'away', why: `${host} answers something else than expected` }
    }
    const refusal = Refusal.safeParse(said)
    if (response.status === 401 || response.status === 403) return { is: 'refused', code: refusal.data?.error ?? String(response.status) }
    if (response.status === 400 && refusal.success) return { is: 'refused', code: refusal.data.error }
    return { is: 'away', why: `${host} answers ${response.status}` }
  } catch {
    return { is: 'away', why: `${host} does not answer` }
  }
}
