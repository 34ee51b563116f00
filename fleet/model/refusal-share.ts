/**
 * Refusals without a stated wait that come at any pace, as from a busy pool of servers, told from those of a rate limit: a slower pace stops
 * the second kind only. Counted are calls that were sent, not those that ended: refusals come back sooner than answers.
 */
export type RefusalShare = {
  /** The share of calls that is refused at any pace; zero until it has been shown. */
  usual: number
  /** From how many calls that is known. */
  known: number
  sent: number
  refused: number
  /** Calls sent earlier are not among the counted. */
  from_ms: number
  /** Until when no share is learned again after one did not hold, and for how long the next time. */
  doubted_until_ms: number
  doubt_ms: number
}

const policy = {
  /** So many calls must have been sent before a share is judged. */
  fewest: 40,
  /** So many calls are judged together, then they count to what is known; of which so many weigh. */
  block: 200,
  most_known: 400,
  /** At least so many calls, and answers among them, must be known before their share is taken for usual. */
  calls: 8,
  answers: 3,
  /** What a share may exceed the usual one by, beside four standard deviations; and what is a closed door whatever was usual. */
  margin: 0.05,
  most: 0.9,
  /** Below this nothing is usual. */
  least: 0.0005,
  doubt_ms: 15_000,
  longest_doubt_ms: 960_000,
} as const

export const noRefusals = (nowMs: number): RefusalShare => ({
  usual: 0,
  known: 0,
  sent: 0,
  refused: 0,
  from_ms: nowMs,
  doubted_until_ms: nowMs,
  doubt_ms: policy.doubt_ms,
})

/** Counted anew; what is usual stays. */
export const countAnew = (share: RefusalShare, nowMs: number): RefusalShare => ({ ...share, sent: 0, refused: 0, from_ms: nowMs })

/** `known`: whether what is counted may add to what is known; not while a pace is tried that may be beyond a limit. */
export function countSent(share: RefusalShare, known: boolean, nowMs: number): RefusalShare {
  const { usual, sent } = share
  if (usual === 0 || sent < policy.block) return { ...share, sent: sent + 1 }
  if (!known) return { ...countAnew(share, nowMs), sent: 1 }
  const next = pooled(share)
  return {
    ...countAnew(share, nowMs),
    usual: next < policy.least ? 0 : next,
    known: Math.min(policy.most_known, share.known + sent),
    sent: 1,
  }
}

/** The share over all calls that are known or counted. */
const pooled = ({ usual, known, sent, refused }: RefusalShare): number => (usual * known + refused) / Math.max(1, known + sent)

export function countRefused(share: RefusalShare, startedMs: number): RefusalShare {
  return startedMs < share.from_ms ? share : { ...share, refused: share.refused + 1 }
}

/** Whether the refusals are such as come at any pace: they say nothing about the pace then. */
export function isUsual(share: RefusalShare): boolean {
  const { usual, known, sent, refused } = share
  if (usual === 0 || sent < policy.fewest) return usual > 0
  const both = pooled(share)
  const spread = 4 * Math.sqrt(both * (1 - both) * (1 / known + 1 / sent))
  return refused / sent <= Math.min(policy.most, usual + policy.margin + spread)
}

/** The counted share taken for usual; the same where too little speaks for it. It is on trial: `isUsual` judges it by what comes. */
export function learnShare(share: RefusalShare, nowMs: number): RefusalShare {
  const { sent, refused } = share
  if (nowMs < share.doubted_until_ms || refused === 0 || sent < policy.calls || sent - refused < policy.answers) return share
  return { ...countAnew(share, nowMs), usual: refused / sent, known: sent }
}

/** A usual share that did not hold is forgotten, and another not believed for a while that doubles. */
export function doubtShare(share: RefusalShare, nowMs: number): RefusalShare {
  const doubt_ms = Math.min(policy.longest_doubt_ms, share.doubt_ms * 2)
  return { ...noRefusals(nowMs), doubted_until_ms: nowMs + share.doubt_ms, doubt_ms }
}
