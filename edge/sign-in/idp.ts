/** Tokens of one grant. `refresh_token` is null where the provider gives none; `scope` are the scopes that were granted. */
export type Tokens = { access_token: string; refresh_token: string | null; expires_at_ms: number; scope: string[] }

/** An answer of the identity provider: `refused` with its own code, or `away` when it says nothing that counts, with the reason. */
export type IdpAnswer<T> = { is: 'ok'; value: T } | { is: 'refused'; code: string } | { is: 'away'; why: string }

export type Person = { id: string; username: string }

/** What is asked of an identity provider. Nothing throws. */
export type IdpPort = {
  /** Where a browser goes to sign in. */
  authorizeUrl(ask: { redirect_uri: string; state: string; challenge: string }): Promise<string>
  exchange(given: { code: string; redirect_uri: string; verifier: string }): Promise<IdpAnswer<Tokens>>
  refresh(refresh_token: string): Promise<IdpAnswer<Tokens>>
  whoIs(access_token: string): Promise<IdpAnswer<Person>>
  revoke(token: string): Promise<void>
}

/** What is asked for: who it is, and leave to call models at that account's cost and to read what is left of its quota. */
export const wantedScopes = ['openid', 'profile', 'chutes:invoke', 'account:read', 'quota:read'] as const

/** The scope that lets a run be paid by the account. */
export const invokeScope = 'chutes:invoke'
