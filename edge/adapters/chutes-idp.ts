import * as z from 'zod'
import { type IdpAnswer, type IdpPort, type Person, type Tokens, wantedScopes } from '../sign-in/idp.ts'
import type { SignInConfig } from '../sign-in/sign-in-config.ts'

const timeoutMs = 10_000
const mostChars = 65_536
/** How long the endpoints stand that discovery told, and those that stand in for them while it tells nothing. */
const discoveredMs = 3_600_000
const assumedMs = 300_000
/** Seconds that an access token is taken to be good for where its answer does not say. */
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
 * Sign in with Chutes over its OAuth 2 endpoints. They come from the discovery document, as long as they are at the provider's own site; without one from where
 * Chutes has them. A public client sends no secret.
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

/** Scopes that the answer does not tell are those that were asked for (RFC 6749, 5.1). */
function tokensOf({ access_token, refresh_token, expires_in, scope }: z.infer<typeof TokenAnswer>, askedMs: number): Tokens {
  return {
    access_token,
    refresh_token: refresh_token ?? null,
    expires_at_ms: askedMs + (expires_in ?? usualSeconds) * 1000,
    scope: scope == null ? [...wantedScopes] : typeof scope === 'string' ? scope.split(/[\s,]+/).filter(Boolean) : scope,
  }
}

/** Where Chutes has its endpoints: under `/idp` of its host. */
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

/** Whether an address is the provider's own: its origin, or over TLS a host under the same domain. The client's secret goes nowhere else. */
function isOfSite(url: string, idp_url: string): boolean {
  const [there, here] = [new URL(url), new URL(idp_url)]
  if (there.origin === here.origin) return true
  const site = here.hostname.split('.').slice(-2).join('.')
  const named = /[a-z]$/.test(here.hostname) && here.hostname.includes('.')
  return named && there.protocol === 'https:' && here.protocol === 'https:' && there.hostname.endsWith(`.${site}`)
}

type Fetch = (url: string, init?: RequestInit) => Promise<Response>
type Given = { form?: Record<string, string>; bearer?: string }

/** One question. A redirect, a page or a body without end is no answer; neither a token nor a secret stands in what comes out. */
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
    const said = await readJson(response)
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

/** The JSON of a body of bounded length; undefined where it is none. */
async function readJson(response: Response): Promise<unknown> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let said = ''
  for (;;) {
    const part = await reader?.read()
    if (!part || part.done) break
    said += part.value
    if (said.length > mostChars) {
      await reader!.cancel()
      return undefined
    }
  }
  try {
    return JSON.parse(said)
  } catch {
    return undefined
  }
}
