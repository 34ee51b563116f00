/** Tokens of one grant. `refresh_token` is null if the provider returns none; `scope` lists the granted scopes. */
export type Tokens = { access_token: string; refresh_token: string | null; expires_at_ms: number; scope: string[] }

/** Result of a request: `refused` has the provider's error code; `away` means that no valid response came. */
export type IdpAnswer<T> = { is: 'ok'; value: T } | { is: 'refused'; code: string } | { is: 'away'; why: string }

export type Person = { id: string; username: string }

/** Client of an identity provider. No method throws. */
export type IdpPort = {
  /** Builds the authorization URL for the browser. */
  authorizeUrl(ask: { redirect_uri: string; state: string; challenge: string }): Promise<string>
  exchange(given: { code: string; redirect_uri: string; verifier: string }): Promise<IdpAnswer<Tokens>>
  refresh(refresh_token: string): Promise<IdpAnswer<Tokens>>
  whoIs(access_token: string): Promise<IdpAnswer<Person>>
  revoke(token: string): Promise<void>
}

/** Requested scopes: identity, model calls paid by the account, and the remaining quota. */
export const wantedScopes = ['openid', 'profile', 'chutes:invoke', 'account:read', 'quota:read'] as const

/** Scope for model calls that the account pays. */
export const invokeScope = 'chutes:invoke'
