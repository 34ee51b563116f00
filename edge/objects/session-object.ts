import { DurableObject } from 'cloudflare:workers'
import { createChutesIdp } from '../adapters/chutes-idp.ts'
import { openSeal } from '../auth/seal.ts'
import type { Tokens } from '../sign-in/idp.ts'
import { SessionTokens, type TokenAnswer } from '../sign-in/session-tokens.ts'
import { readSignIn } from '../sign-in/sign-in-config.ts'
import type { Env } from './env.ts'

/** Durable Object of one session. It alone stores and refreshes the tokens, so refreshes never overlap. */
export class SessionObject extends DurableObject<Env> {
  readonly #tokens: SessionTokens

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const { kv } = ctx.storage
    const sign_in = readSignIn(env)
    this.#tokens = new SessionTokens({
      session_id: ctx.id.name ?? ctx.id.toString(),
      shelf: {
        get: (name) => kv.get<string>(name),
        put: (name, text) => kv.put(name, text),
        clear: () => {
          for (const [name] of [...kv.list()]) kv.delete(name)
        },
      },
      seal: openSeal(env.MASTER_KEY),
      idp: sign_in && createChutesIdp(sign_in, (url, init) => fetch(url, init)),
      now: Date.now,
    })
  }

  async keep(tokens: Tokens): Promise<void> {
    return this.#tokens.keep(tokens)
  }

  async token(refused?: string): Promise<TokenAnswer> {
    return this.#tokens.token(refused)
  }

  async end(next: string | null): Promise<void> {
    return this.#tokens.end(next)
  }
}
