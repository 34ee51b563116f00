/** Limits are on requests in any window of this length. */
export const rateWindowMs = 1000
/** How long an agent may use what it was granted, from the moment it asked. Agents ask again long before. */
export const rateGrantMs = 6000
export const rateAskMs = 2000

/** What one agent holds of a key: what it wants, and every grant that may still be in use or seen in a window. */
type Holder = { session: string; want: number; heard_ms: number; grants: readonly { permits: number; until_ms: number }[] }

/** A key's limit over the whole fleet, in requests per window, and who holds which part of it. Times are of the object's clock. */
export type RateShares = { limit: number; holders: readonly Holder[] }

export const noShares = (limit: number): RateShares => ({ limit, holders: [] })

/**
 * An agent asks how many requests it may send in any window; it may do so for `rateGrantMs` from when it asked. Everybody gets an equal part,
 * what one does not want goes to the others, and no grant rises before what it takes from others can no longer be in use: the sum of all that
 * agents may send in any window is never above the limit, whatever is lost, late or restarted.
 */
export function shareRate(shares: RateShares, session: string, want: number, nowMs: number): { shares: RateShares; permits: number } {
  const others = shares.holders.filter((holder) => holder.session !== session).flatMap((holder) => alive(holder, nowMs))
  const own = shares.holders.find((holder) => holder.session === session)
  const taken = others.reduce((sum, holder) => sum + heldBy(holder), 0)
  const wanting = others.filter((holder) => holder.heard_ms > nowMs - rateGrantMs)
  const permits = Math.max(0, Math.min(fairPart(shares.limit, { session, want }, wanting, nowMs), shares.limit - taken))
  // A window that begins when the grant is just about to end still holds what was sent under it.
  const granted = { permits, until_ms: nowMs + rateGrantMs + rateWindowMs }
  const grants = [...(own ? alive(own, nowMs).flatMap((holder) => holder.grants) : []), granted]
  return { shares: { ...shares, holders: [...others, { session, want, heard_ms: nowMs, grants: highest(grants) }] }, permits }
}

/** When two grants overlap the higher one counts until it has ended. */
const heldBy = (holder: Holder): number => holder.grants.reduce((most, grant) => Math.max(most, grant.permits), 0)

function alive(holder: Holder, nowMs: number): Holder[] {
  const grants = holder.grants.filter((grant) => grant.until_ms > nowMs)
  return grants.length > 0 ? [{ ...holder, grants }] : []
}

/** A grant that a later one covers in height and time does not matter any more. */
function highest(grants: readonly { permits: number; until_ms: number }[]): Holder['grants'] {
  return grants.filter(
    (grant, at) => !grants.some((other, place) => place > at && other.permits >= grant.permits && other.until_ms >= grant.until_ms),
  )
}

/** How long the odd requests of a share stay with the same agents: long beside the grants that must end before others can rise. */
const turnMs = 4 * rateGrantMs

type Wish = Pick<Holder, 'session' | 'want'>

/**
 * What `own` gets when `limit` is filled up equally among all who want: nobody more than he wants, the rest to the others. Odd
 * ones go round: where there are more agents than requests a second, each has its time.
 */
function fairPart(limit: number, own: Wish, others: readonly Wish[], nowMs: number): number {
  let left = limit
  let sharers = [own, ...others].sort((a, b) => a.want - b.want || (a.session < b.session ? -1 : 1))
  while (sharers.length > 1 && sharers[0]!.want < Math.floor(left / sharers.length)) {
    left -= sharers[0]!.want
    if (sharers[0] === own) return own.want
    sharers = sharers.slice(1)
  }
  const place = sharers
    .map(({ session }) => session)
    .sort()
    .indexOf(own.session)
  const turn = (place + Math.floor(nowMs / turnMs)) % sharers.length
  const part = Math.floor(left / sharers.length) + (turn < left % sharers.length ? 1 : 0)
  return Math.min(own.want, part)
}

/** Requests leave at an even pace a little below the grant: what the network moves them together must not make a window too full. */
const paceShare = 0.99
/** A timer may be so late without a request being lost. */
const burstMs = 25

/**
 * An agent's side of a grant: how many of its requests fall into the window that ends now, and when the next is due at an even pace. Times
 * are of its own monotonic clock.
 */
export type RateWindow = { permits: number; until_ms: number; sent: readonly number[]; due_ms: number }

export const closedWindow: RateWindow = { permits: 0, until_ms: 0, sent: [], due_ms: Number.NEGATIVE_INFINITY }

/** A grant that was asked for at `askedMs`: it replaces the former one; what was sent stays counted. */
export function openWindow(window: RateWindow, permits: number, askedMs: number): RateWindow {
  return { ...window, permits, until_ms: askedMs + rateGrantMs }
}

/** The window with one more request sent now, or how many milliseconds to wait; null: until another grant comes. */
export function takeFrom(window: RateWindow, nowMs: number): { sent: RateWindow } | { wait_ms: number | null } {
  if (window.permits === 0 || nowMs >= window.until_ms) return { wait_ms: null }
  const sent = window.sent.filter((at) => at > nowMs - rateWindowMs)
  const full = sent.length < window.permits ? nowMs : sent[sent.length - window.permits]! + rateWindowMs
  const free = Math.max(full, window.due_ms - burstMs)
  if (free <= nowMs) {
    const due_ms = Math.max(window.due_ms, nowMs) + rateWindowMs / (window.permits * paceShare)
    return { sent: { ...window, sent: [...sent, nowMs], due_ms } }
  }
  return free < window.until_ms ? { wait_ms: free - nowMs } : { wait_ms: null }
}
