import * as z from 'zod'
import type { SealPort } from '../auth/seal.ts'
import { sha256Hex } from '../auth/secret.ts'
import type { IdpPort, Tokens } from './idp.ts'

/** A token refreshed this long before its end, or in the last third of a shorter life. */
const marginMs = 300_000

/** An access token that is good for now; `gone` for good, with what the person does about it; `away` while the provider says nothing. */
export type TokenAnswer =
  | { is: 'token'; access_token: string; until_ms: number }
  | { is: 'followed'; session_id: string }
  | { is: 'gone' }
  | { is: 'away'; why: string }

/** Keeps the tokens of sessions, and refreshes each in one place. */
export type SessionsPort = {
  keep(session_id: string, tokens: Tokens): Promise<void>
  /** An access token that has some time left, and another than the one with this SHA-256 (hex), which a provider refused. */
  token(session_id: string, refused?: string): Promise<TokenAnswer>
  /** Ends a session; whoever still asks for its token is sent to `next`. */
  end(session_id: string, next: string | null): Promise<void>
}

/** A few texts that outlive the process. Writing is done when `put` has returned. */
export type TextShelf = { get(name: string): string | undefined; put(name: string, text: string): void; clear(): void }

const Kept = z.object({
  access_token: z.string(),
  refresh_token: z.string().nullable(),
  expires_at_ms: z.number(),
  /** When the access token came. */
  since_ms: z.number(),
  scope: z.array(z.string()),
})
type Kept = z.infer<typeof Kept>

type Ports = { session_id: string; shelf: TextShelf; seal: SealPort; idp: IdpPort | null; now(): number }

/**
 * The tokens of one session, sealed at rest, in the one place that refreshes them. A refresh token is good once, so two that ask at the same time
 * wait for the same refresh; what came of it is kept before anybody gets it.
 */
export class SessionTokens {
  readonly #ports: Ports
  #turn: Promise<unknown> = Promise.resolve()

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /** Keeps the tokens of a new session. */
  keep(tokens: Tokens): Promise<void> {
    return this.#inTurn(async () => void (await this.#write(tokens)))
  }

  /** An access token that has some time left, and is not the one with the SHA-256 `refused` (hex). */
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
      // Any other refusal is about this service's client, which its operator mends.
      if (answer.is === 'refused' && answer.code === 'invalid_grant') return this.#lose()
      if (isGood) return tokenOf(kept)
      return { is: 'away', why: answer.is === 'away' ? answer.why : `the identity provider refuses to refresh: ${answer.code}` }
    })
  }

  /** Ends the session: its tokens are revoked and forgotten. Those who still ask are sent to `next`, where the same person has signed in again. */
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

  /** Undefined where there are none, or where they do not open. */
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
