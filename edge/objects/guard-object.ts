import { DurableObject } from 'cloudflare:workers'
import { openStrikes, type Standing, type StrikeKind } from '../limits/strikes.ts'
import type { Env } from './env.ts'

/** Strikes of all isolates, in memory only: an object that was idle long enough to be put away has nothing left to remember. */
export class GuardObject extends DurableObject<Env> {
  readonly #strikes = openStrikes()

  async strike(kind: StrikeKind, key: string): Promise<Standing> {
    return this.#strikes.strike(kind, key, Date.now())
  }
}
