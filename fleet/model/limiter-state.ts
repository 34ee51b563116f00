import { countAnew, countRefused, countSent, doubtShare, isUsual, learnShare, noRefusals, type RefusalShare } from './refusal-share.ts'
import { addSent, emptyWindow, type SentWindow, sentInSecond } from './sent-window.ts'

/** Width and pace of the calls to one provider. All moments are milliseconds of one monotonic clock. */
export type LimiterState = {
  max: number
  /** Calls that may be in flight; fractional while it grows, read rounded down. */
  width: number
  in_flight: number
  slow_start: boolean
  /** Where the current round of growth began, and the most calls in flight since. */
  round: { from_ms: number; width: number; peak: number }
  cool_until_ms: number
  barren: number
  /** Requests a second, known after the first rate-limit episode; null before it. */
  rate: number | null
  slot_ms: number
  grow_ms: number
  hold_ms: number
  /** Episodes in a row that came although the pace had just been lowered, and until when pacing is given up for that. */
  early: number
  unpaced_until_ms: number
  cycle: { from_ms: number; sent: number; refused: number }
  recent: SentWindow
  refusals: RefusalShare
  estimate: Estimate | null
  /** What came through in episodes before the last, none of which showed enough of it to tell a pace; null where there are none. */
  few: { from_ms: number; sent: number } | null
}

/** What was admitted from `from_ms` on and in what time, between what bounds that tells a pace and from how many; the pace in force `before`. */
type Estimate = { from_ms: number; sent: number; span_ms: number; floor: number; ceiling: number; before: number | null; least: number }

export const limiterPolicy = {
  first_width: 16,
  shrink: 0.8,
  /** The width grows by at most one (after an episode without a measured pace) or to `slow_start` times its size in this time. */
  round_ms: 100,
  slow_start: 1.5,
  /** The shortest window in which providers are taken to count. */
  window_ms: 1000,
  /** Wait after a rate limit that names none; from the third on it doubles while nothing gets through, up to `longest_cool_ms`. */
  cool_ms: 1000,
  longest_cool_ms: 30_000,
  same_cool: 3,
  /** Share of the measured rate that is used, and how fast it is probed upwards once it has held. */
  use: 0.99,
  growth_per_s: 0.01,
  hold_ms: 60_000,
  /** Where refusals come at any pace too, a pace that was taken for a limit by mistake is left sooner. */
  shared_hold_ms: 10_000,
  shared_growth_per_s: 0.1,
  longest_hold_ms: 240_000,
  burst_ms: 10,
  /** So many episodes in spite of a lowered pace show that the pace is not what is limited. */
  early: 5,
  /** With fewer admitted requests there is nothing to measure. */
  measurable: 5,
  /** So many in several short episodes together tell a slow pace. */
  measurable_sum: 3,
  /** After so many it is tried whether refusals that name no wait come at any pace. */
  early_shared: 2,
  unpaced_ms: 60_000,
  /** A shorter wait names no window from which a first pace could be measured. */
  least_cool_ms: 20,
} as const

export function createLimiterState(max: number, nowMs: number): LimiterState {
  const width = Math.min(max, limiterPolicy.first_width)
  return {
    max,
    width,
    in_flight: 0,
    slow_start: true,
    round: { from_ms: nowMs, width, peak: 0 },
    cool_until_ms: nowMs,
    barren: 0,
    rate: null,
    slot_ms: nowMs,
    grow_ms: nowMs,
    hold_ms: limiterPolicy.hold_ms,
    early: 0,
    unpaced_until_ms: nowMs,
    cycle: { from_ms: nowMs, sent: 0, refused: 0 },
    recent: emptyWindow,
    refusals: noRefusals(nowMs),
    estimate: null,
    few: null,
  }
}

/** Zero when a call may start now; the milliseconds to wait when time alone frees it; null when a release must come first. */
export function waitFor(state: LimiterState, nowMs: number): number | null {
  if (state.in_flight >= Math.floor(state.width)) return null
  return Math.max(0, state.cool_until_ms - nowMs, state.rate === null ? 0 : state.slot_ms - nowMs)
}

/** The state after a call was started. */
export function startCall(state: LimiterState, nowMs: number): LimiterState {
  const in_flight = state.in_flight + 1
  return {
    ...state,
    in_flight,
    round: in_flight > state.round.peak ? { ...state.round, peak: in_flight } : state.round,
    cycle: { ...state.cycle, sent: state.cycle.sent + 1 },
    refusals: countSent(state.refusals, state.rate === null || nowMs <= state.grow_ms, nowMs),
    recent: addSent(state.recent, nowMs),
    slot_ms: state.rate === null ? nowMs : Math.max(state.slot_ms, nowMs - limiterPolicy.burst_ms) + 1000 / state.rate,
  }
}

/** The state after a call that was not rate limited; only an accepted one lets width and pace grow. */
export function endCall(state: LimiterState, accepted: boolean, nowMs: number): LimiterState {
  const ended = { ...state, in_flight: Math.max(0, state.in_flight - 1) }
  if (!accepted) return ended
  ended.barren = 0
  if (state.width < state.max) growWidth(ended, state.in_flight, nowMs)
  if (state.rate !== null && nowMs > state.grow_ms) {
    const seconds = Math.min(1, (nowMs - state.grow_ms) / 1000)
    const perS = state.refusals.usual > 0 ? limiterPolicy.shared_growth_per_s : limiterPolicy.growth_per_s
    ended.rate = state.rate * (1 + perS * seconds)
    ended.grow_ms = nowMs
  }
  return ended
}

/** Widens where the width of the round was used in full. Works on a fresh copy. */
function growWidth(state: LimiterState, inFlight: number, nowMs: number): void {
  if (nowMs - state.round.from_ms >= limiterPolicy.round_ms) state.round = { from_ms: nowMs, width: state.width, peak: inFlight }
  if (state.round.peak < Math.floor(state.round.width)) return
  // Where a pace is known it does the limiting, and a narrow width would only waste it on slow answers.
  const fast = state.slow_start || state.rate !== null
  const step = fast ? limiterPolicy.slow_start - 1 : 1 / state.width
  const bound = fast ? state.round.width * limiterPolicy.slow_start : state.round.width + 1
  state.width = Math.min(state.max, bound, state.width + step)
}

/**
 * The state after a call was rate limited. `startedMs` is when it was let through: calls from before the cool-down belong to the episode
 * that caused it and narrow nothing again. A new episode takes the width to four fifths and measures the pace the provider admitted.
 * Refusals that name no wait and come at any pace are no episode: only the trial that was refused waits.
 */
export function limitCall(state: LimiterState, startedMs: number, askedMs: number | null, nowMs: number): LimiterState {
  const refusals = askedMs === null ? countRefused(state.refusals, startedMs) : state.refusals
  const cycle = startedMs < state.cycle.from_ms ? state.cycle : { ...state.cycle, refused: state.cycle.refused + 1 }
  const ended = { ...state, in_flight: Math.max(0, state.in_flight - 1), refusals, cycle }
  if (askedMs === null && isUsual(refusals)) return ended
  if (startedMs < state.cool_until_ms) return extendEpisode(ended, askedMs, nowMs)
  const early = nowMs < state.grow_ms ? state.early + 1 : 0
  // Of refusals that let few calls through it is seen first whether a slow pace stops them.
  const tried = state.rate !== null || state.few === null
  if (askedMs === null && early >= limiterPolicy.early_shared && refusals.usual === 0 && tried) {
    const learned = learnShare(refusals, nowMs)
    if (learned.usual > 0) return unpaced({ ...ended, refusals: learned }, nowMs)
  }
  return beginEpisode(ended, early, askedMs, nowMs)
}

/** Free of the pace that did not help, to grow again from the width there is. */
function unpaced(state: LimiterState, nowMs: number): LimiterState {
  const round = { from_ms: nowMs, width: state.width, peak: 0 }
  const free = { rate: null, estimate: null, few: null, early: 0, barren: 0, slow_start: true, round }
  return { ...state, ...free, cool_until_ms: nowMs, slot_ms: nowMs, grow_ms: nowMs, cycle: { from_ms: nowMs, sent: 0, refused: 0 } }
}

function beginEpisode(state: LimiterState, early: number, askedMs: number | null, nowMs: number): LimiterState {
  const barren = state.barren + 1
  const cool =
    askedMs ?? Math.min(limiterPolicy.longest_cool_ms, limiterPolicy.cool_ms * 2 ** Math.max(0, barren - limiterPolicy.same_cool))
  const until = nowMs + cool
  const width = Math.max(1, state.width * limiterPolicy.shrink)
  const first = state.refusals.usual > 0 ? limiterPolicy.shared_hold_ms : limiterPolicy.hold_ms
  const hold = state.rate === null ? first : Math.min(limiterPolicy.longest_hold_ms, state.hold_ms * 2)
  return repace({
    ...state,
    ...judgePace(state, early, cool, nowMs),
    few: fewOf(state, nowMs),
    refusals: refusalsOf(state, early, nowMs),
    width,
    barren,
    cool_until_ms: until,
    slow_start: false,
    round: { from_ms: nowMs, width, peak: 0 },
    slot_ms: until,
    grow_ms: until + hold,
    hold_ms: hold,
    cycle: { from_ms: until, sent: 0, refused: 0 },
    recent: emptyWindow,
  })
}

/** What is counted of refusals goes on over episodes in a row. A usual share that slower paces do not bring back has not held. */
function refusalsOf({ refusals, cycle }: LimiterState, early: number, nowMs: number): RefusalShare {
  if (refusals.usual === 0) return early === 0 ? countAnew(refusals, nowMs) : refusals
  return early >= limiterPolicy.early || cycle.sent - cycle.refused < limiterPolicy.measurable
    ? doubtShare(refusals, nowMs)
    : countAnew(refusals, nowMs)
}

type Pace = Pick<LimiterState, 'rate' | 'estimate' | 'early' | 'unpaced_until_ms'>

/** Whether the pace is what the provider limits, and then what it admitted. Refusals that a slower pace does not stop are not about pace. */
function judgePace(state: LimiterState, early: number, cool: number, nowMs: number): Pace {
  if (state.rate !== null && early >= limiterPolicy.early)
    return { rate: null, estimate: null, early: 0, unpaced_until_ms: nowMs + limiterPolicy.unpaced_ms }
  const measurable =
    state.rate !== null || state.refusals.usual > 0 || (cool >= limiterPolicy.least_cool_ms && nowMs >= state.unpaced_until_ms)
  return { rate: state.rate, estimate: measurable ? measure(state, nowMs, cool) : null, early, unpaced_until_ms: state.unpaced_until_ms }
}

/** Adds the last episode to those before it, as long as each used its window up with too few calls. */
function fewOf({ estimate, few, cycle }: LimiterState, nowMs: number): LimiterState['few'] {
  if (estimate === null || estimate.sent >= estimate.least || nowMs - cycle.from_ms > limiterPolicy.window_ms) return null
  return { from_ms: few?.from_ms ?? estimate.from_ms, sent: (few?.sent ?? 0) + Math.max(0, estimate.sent) }
}

function extendEpisode(state: LimiterState, askedMs: number | null, nowMs: number): LimiterState {
  const until = Math.max(state.cool_until_ms, nowMs + (askedMs ?? 0))
  const estimate = state.estimate && { ...state.estimate, sent: state.estimate.sent - 1 }
  return repace({ ...state, estimate, cool_until_ms: until, slot_ms: Math.max(state.slot_ms, until) })
}

/**
 * What the provider admitted. It counts in windows; the wait it asks for, at least a second, is taken as the window's length. A cycle
 * shorter than that used the window up, so all it sent was the limit; in a longer one the last second tells it, near the pace in force.
 */
function measure(state: LimiterState, nowMs: number, cool: number): LimiterState['estimate'] {
  const window_ms = Math.max(limiterPolicy.window_ms, cool)
  const { from_ms, sent, refused } = state.cycle
  // Beside refusals that are usual the limit has let through what was answered, and as many as that share would have been.
  const { usual } = state.refusals
  const admitted = usual > 0 ? Math.min(1, (sent - refused) / (1 - usual) / Math.max(1, sent)) : 1
  const { rate } = state
  const through = sent * admitted - 1
  const told = { from_ms, sent: through, span_ms: window_ms, floor: 0, ceiling: Number.POSITIVE_INFINITY, before: rate }
  if (nowMs - from_ms <= window_ms) return { ...told, least: limiterPolicy.measurable }
  const recent = sentInSecond(state.recent, nowMs) * admitted - 1
  const near = rate === null ? {} : { floor: rate * 0.5, ceiling: rate * 0.97 }
  // Of a pace of a few a second the last one tells too little: all that came through since the last episode does.
  if (rate !== null && recent < limiterPolicy.measurable && through >= limiterPolicy.measurable_sum)
    return { ...told, ...near, span_ms: nowMs - from_ms, least: limiterPolicy.measurable_sum }
  return { ...told, ...near, sent: recent, span_ms: 1000, least: limiterPolicy.measurable }
}

/** Sets the pace from the estimate, or from what several episodes let through; with too few admitted requests the pace only shrinks. */
function repace(state: LimiterState): LimiterState {
  const { estimate, few } = state
  if (!estimate) return state
  const { sent, least, span_ms, floor, ceiling, before } = estimate
  const paced = (admitted: number, ms: number): number => (admitted * 1000 * limiterPolicy.use) / ms
  if (sent >= least) return { ...state, rate: Math.min(Math.max(paced(sent, span_ms), floor), ceiling) }
  const sum = (few?.sent ?? 0) + Math.max(0, sent)
  if (few && sum >= limiterPolicy.measurable_sum) return { ...state, rate: paced(sum, state.cool_until_ms - few.from_ms) }
  return { ...state, rate: before && Math.max(0.1, Math.min(before, ceiling)) }
}
