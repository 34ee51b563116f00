import { sha256Hex } from '../auth/secret.ts'
import { clientAddress, isFromThisMachine } from '../auth/visitor.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { boundedMap } from './bounded-map.ts'
import { allowances, type Standing } from './strikes.ts'

const mostKept = 5_000
const knownMs = 10 * 60_000

export type GuessGuard = <T>(request: Request, check: () => Promise<T>) => Promise<T>

/**
 * Slows guessing of keys and secrets: an address whose credentials did not hold too often is answered 429 without a look at the next one.
 * A credential that held lately is looked at all the same, so that its holder is not shut out by a neighbour of the same address;
 * who sends none, and the owner on this machine, are not concerned.
 */
export function createGuessGuard(deps: Pick<Deps, 'config' | 'guard' | 'now'>): GuessGuard {
  const blocked = boundedMap<number>(mostKept)
  const held = boundedMap<number>(mostKept)
  return async (request, check) => {
    const credential = credentialOf(request)
    if (credential === null || (deps.config.local && isFromThisMachine(request))) return check()
    const now = deps.now().getTime()
    const address = networkOf(clientAddress(request) ?? '')
    const digest = await sha256Hex(credential)
    const until = blocked.get(address) ?? 0
    if (until > now && (held.get(digest) ?? 0) <= now) throw tooManyGuesses({ blocked_until_ms: until, remaining: 0 }, now)
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
