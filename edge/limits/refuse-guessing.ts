import { chutesOwnerId } from '../auth/chutes-owner.ts'
import { chutesKeyPattern, isKey } from '../auth/key-format.ts'
import { sha256Hex } from '../auth/secret.ts'
import { clientAddress, isFromThisMachine } from '../auth/visitor.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { boundedMap } from './bounded-map.ts'
import { allowances, type Standing } from './strikes.ts'

const mostKept = 5_000
const knownMs = 24 * 60 * 60_000

export type GuessGuard = <T>(request: Request, check: () => Promise<T>) => Promise<T>

/**
 * Slows guessing of keys and secrets: an address whose credentials did not hold too often is answered 429 without a look at the next one.
 * Valid credentials pass even from a slowed address: an own key, a Chutes key that has started a run
 * here, and a credential that was valid within the last day. New admin secrets and agent tokens wait, because they may be short enough to guess.
 */
export function createGuessGuard(deps: Pick<Deps, 'config' | 'guard' | 'now' | 'store'>): GuessGuard {
  const blocked = boundedMap<number>(mostKept)
  const held = boundedMap<number>(mostKept)
  return async (request, check) => {
    const credential = credentialOf(request)
    if (credential === null || (deps.config.local && isFromThisMachine(request))) return check()
    const now = deps.now().getTime()
    const address = networkOf(clientAddress(request) ?? '')
    const digest = await sha256Hex(credential)
    const until = blocked.get(address) ?? 0
    const passes = async (): Promise<boolean> => (held.get(digest) ?? 0) > now || isKnownKey(credential, deps)
    if (until > now && !(await passes())) throw tooManyGuesses({ blocked_until_ms: until, remaining: 0 }, now)
    try {
      const checked = await check()
      held.set(digest, now + knownMs)
      return checked
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'unauthorized') throw error
      held.delete(digest)
      const standing = await deps.guard.strike('guess', address)
      if (standing.blocked_until_ms !== null) blocked.set(address, standing.blocked_until_ms)
      throw new Problem('unauthorized', error.message, { cause: error, headers: rateHeaders('guess', standing, now) })
    }
  }
}

/** Looks a key up by its hash. Keys have 178 bits, so the lookup tells a guesser nothing. */
async function isKnownKey(credential: string, { store, now }: Pick<Deps, 'store' | 'now'>): Promise<boolean> {
  const token = /^bearer +(\S{1,400}) *$/i.exec(credential)?.[1] ?? ''
  if (chutesKeyPattern.test(token)) return store.hasOwner(await chutesOwnerId(token))
  const key = isKey(token) ? await store.findKey(await sha256Hex(token)) : undefined
  return key !== undefined && key.revoked_at === null && (key.expires_at === null || new Date(key.expires_at) > now())
}

/** Counts a run that an owner starts. Throws `rate-limited` when he has started too many just now. */
export async function countCreation(owner_id: string, deps: Pick<Deps, 'guard' | 'now'>): Promise<void> {
  const now = deps.now().getTime()
  const standing = await deps.guard.strike('create', owner_id)
  if (standing.blocked_until_ms === null) return
  throw tooMany('create', 'You start runs too quickly.', standing, now)
}

const tooManyGuesses = (standing: Standing, now: number): Problem =>
  tooMany('guess', 'Too many credentials from this address did not hold.', standing, now)

function tooMany(kind: keyof typeof allowances, why: string, standing: Standing, now: number): Problem {
  const retry_after_s = secondsUntil(standing, now)
  const detail = `${why} Try again in ${retry_after_s} s.`
  return new Problem('rate-limited', detail, { retry_after_s, headers: rateHeaders(kind, standing, now) })
}

const secondsUntil = ({ blocked_until_ms }: Standing, now: number): number =>
  Math.max(1, Math.ceil(((blocked_until_ms ?? now) - now) / 1000))

/** Fields of the IETF draft on rate limits, as deployed clients read them. */
function rateHeaders(kind: keyof typeof allowances, standing: Standing, now: number): Record<string, string> {
  const { burst, every_ms } = allowances[kind]
  return {
    'ratelimit-limit': String(burst),
    'ratelimit-remaining': String(standing.remaining),
    'ratelimit-reset': String(standing.blocked_until_ms === null ? Math.ceil(every_ms / 1000) : secondsUntil(standing, now)),
  }
}

function credentialOf(request: Request): string | null {
  const { headers } = request
  const admin = headers.get('x-admin-secret')
  return admin === null ? headers.get('authorization') : `admin ${admin}`
}

/** What one visitor can be expected to have: an IPv4 address, or a /64 of IPv6. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail = ''] = address.toLowerCase().split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const zeros = address.includes('::') ? Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0') : []
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}
