import * as z from 'zod'
import type { SealPort } from '../auth/seal.ts'
import { sha256Hex } from '../auth/secret.ts'
import type { IdpPort, Tokens } from './idp.ts'

/** Time before its expiry at which a token is refreshed; a third of the lifetime if that is shorter. */
const marginMs = 300_000

/** Result of `token`: `followed` names the replacement session, `gone` is final, `away` may pass. */
export type TokenAnswer =
  | { is: 'token'; access_token: string; until_ms: number }
  | { is: 'followed'; session_id: string }
  | { is: 'gone' }
  | { is: 'away'; why: string }

/** Stores and refreshes the tokens of sessions. */
export type SessionsPort = {
  keep(session_id: string, tokens: Tokens): Promise<void>
  /** Returns a valid access token. A token whose SHA-256 (hex) is `refused` is refreshed first. */
  token(session_id: string, refused?: string): Promise<TokenAnswer>
  /** Ends a session. Later calls of `token` return the token of the session `next`. */
  end(session_id: string, next: string | null): Promise<void>
}

/** Persistent storage for a few texts. `put` returns after the write is durable. */
export type TextShelf = { get(name: string): string | undefined; put(name: string, text: string): void; clear(): void }

const Kept = z.object({
  access_token: z.string(),
  refresh_token: z.string().nullable(),
  expires_at_ms: z.number(),
  /** Time at which the access token was issued. */
  since_ms: z.number(),
  scope: z.array(z.string()),
})
type Kept = z.infer<typeof Kept>

type Ports = { session_id: string; shelf: TextShelf; seal: SealPort; idp: IdpPort | null; now(): number }

/**
 * Tokens of one session, sealed at rest. A refresh token works once, so concurrent calls wait for the
 * same refresh. New tokens are stored before a caller receives them.
 */
export class SessionTokens {
  readonly #ports: Ports
  #turn: Promise<unknown> = Promise.resolve()

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /** Stores the tokens of a new session. */
  keep(tokens: Tokens): Promise<void> {
    return this.#inTurn(async () => void (await this.#write(tokens)))
  }

  /** Returns a valid access token. A token whose SHA-256 (hex) is `refused` is refreshed first. */
  token(refused?: string): Promise<TokenAnswer> {
    return this.#inTurn(async () => {
      const { now, idp, shelf } = this.#ports
      const next = shelf.get('next')
      if (next !== undefined) return { is: 'followed', session_id: next }
      const kept = await this.#read()
      if (!kept) return { is: 'gone' }
      const margin = Math.min(marginMs, (kept.expires_at_ms - kept.since_ms) / 3)
      const isRefused = refused !== undefined && refused === (await sha256Hex(kept.access_token))
      if (!isRefused && kept.expires_at_ms - now() > margin) return tokenOf(kept)
      const isGood = !isRefused && kept.expires_at_ms > now()
      if (kept.refresh_token === null || idp === null) return isGood ? tokenOf(kept) : this.#lose()
      const answer = await idp.refresh(kept.refresh_token)
      if (answer.is === 'ok') {
        const refresh_token = answer.value.refresh_token ?? kept.refresh_token // one that does not rotate stays
        return tokenOf(await this.#write({ ...answer.value, refresh_token }))
      }
      // Every other error code concerns the client registration, which the operator must fix.
      if (answer.is === 'refused' && answer.code === 'invalid_grant') return this.#lose()
      if (isGood) return tokenOf(kept)
      return { is: 'away', why: answer.is === 'away' ? answer.why : `the identity provider refuses to refresh: ${answer.code}` }
    })
  }

  /** Revokes and deletes the tokens. Later calls of `token` return `followed` with `next`. */
  end(next: string | null): Promise<void> {
    return this.#inTurn(async () => {
      const kept = await this.#read()
      this.#ports.shelf.clear()
      if (next !== null) this.#ports.shelf.put('next', next)
      if (!kept) return
      const { idp } = this.#ports
      for (const token of [kept.refresh_token, kept.access_token]) if (token !== null) await idp?.revoke(token)
    })
  }

  #lose(): TokenAnswer {
    this.#ports.shelf.clear()
    return { is: 'gone' }
  }

  async #write(tokens: Tokens): Promise<Kept> {
    const kept = { ...tokens, since_ms: this.#ports.now() }
    this.#ports.shelf.put('tokens', await this.#ports.seal.seal(JSON.stringify(kept), this.#context()))
    return kept
  }

  /** Returns undefined if no tokens are stored or the seal does not open. */
  async #read(): Promise<Kept | undefined> {
    const sealed = this.#ports.shelf.get('tokens')
    if (sealed === undefined) return undefined
    const text = await this.#ports.seal.open(sealed, this.#context()).catch(() => undefined)
    return text === undefined ? undefined : Kept.parse(JSON.parse(text))
  }

  #context(): string {
    return `session|${this.#ports.session_id}`
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work, work)
    this.#turn = mine.catch(() => undefined)
    return mine
  }
}

const tokenOf = ({ access_token, expires_at_ms }: Kept): TokenAnswer => ({ is: 'token', access_token, until_ms: expires_at_ms })
