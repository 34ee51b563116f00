import * as z from 'zod'
import { sha256Hex } from '../auth/secret.ts'
import type { Deps } from '../deps.ts'
import { boundedMap } from '../limits/bounded-map.ts'

const timeoutMs = 8_000
/** How long a good and a bad verdict about a key are kept. */
export const goodMs = 5 * 60_000
export const badMs = 60_000
const awayMs = 5_000
const mostKept = 2_000

/** What Chutes says of a key, with the account it belongs to where it tells that; `away` when it says nothing now, with the reason. */
export type KeyVerdict = { is: 'good'; account: string | null } | { is: 'bad' } | { is: 'away'; why: string }
export type ChutesKeysPort = { check(key: string): Promise<KeyVerdict> }

const Refusal = z.object({ detail: z.unknown() })
const Account = z.object({ user_id: z.string().min(1).max(200) })

/**
 * Asks Chutes whether a key is one of its accounts' (`GET /users/me`). Verdicts are kept by the key's digest: good ones for 5 minutes, bad
 * ones for one; after a failure Chutes is left alone for 5 s.
 */
export function createChutesKeys(deps: Pick<Deps, 'config' | 'fetch' | 'now'>): ChutesKeysPort {
  const kept = boundedMap<{ verdict: KeyVerdict; until_ms: number }>(mostKept)
  let away: { verdict: KeyVerdict; until_ms: number } | undefined
  return {
    async check(key) {
      const now = deps.now().getTime()
      const digest = await sha256Hex(`chutes-key|${key}`)
      const known = kept.get(digest)
      if (known && known.until_ms > now) return known.verdict
      if (away && away.until_ms > now) return away.verdict
      const verdict = await ask(key, deps)
      if (verdict.is === 'away') away = { verdict, until_ms: now + awayMs }
      else kept.set(digest, { verdict, until_ms: now + (verdict.is === 'good' ? goodMs : badMs) })
      return verdict
    },
  }
}

async function ask(key: string, deps: Pick<Deps, 'config' | 'fetch'>): Promise<KeyVerdict> {
  const url = deps.config.access.chutes_key_url
  const host = new URL(url).host
  try {
    const headers = { authorization: `Bearer ${key}`, accept: 'application/json' }
    const response = await deps.fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    const text = await response.text()
    if (response.status === 200) return { is: 'good', account: accountIn(text) }
    if (response.status === 401) return { is: 'bad' }
    // A key that may call models and nothing else is known there, and refused by name; a wall in between says 403 in its own words.
    if (response.status === 403 && Refusal.safeParse(parsed(text)).success) return { is: 'good', account: null }
    return { is: 'away', why: `${host} answered ${response.status}` }
  } catch {
    return { is: 'away', why: `${host} does not answer` }
  }
}

function accountIn(text: string): string | null {
  const { success, data } = Account.safeParse(parsed(text))
  return success ? data.user_id : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
