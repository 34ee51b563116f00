/**
 * How long trials of one kind hold a slot: `seconds` is the mean, `spread` the standard deviation of its logarithm, `trials` how
 * many have ended.
 */
export type Pace = { seconds: number; spread: number; trials: number }

/** Sums over the natural logarithms of how many seconds ended trials held a slot. */
export type PaceSums = { trials: number; log_sum: number; log_squares: number }
export const noPace: PaceSums = { trials: 0, log_sum: 0, log_squares: 0 }

/** Shortest time that counts, in seconds: its logarithm must exist. */
const shortest = 0.01

/** Adds one ended trial that held its slot for `seconds`. */
export function addTrial({ trials, log_sum, log_squares }: PaceSums, seconds: number): PaceSums {
  const log = Math.log(Math.max(shortest, seconds))
  return { trials: trials + 1, log_sum: log_sum + log, log_squares: log_squares + log * log }
}

/** The spread that is assumed before trials tell theirs, and how many trials that assumption counts for. */
const usualSpread = 0.5
const usualCounts = 6
const mostRounds = 200

/**
 * Fits a log-normal law to ended trials and to those that still run: `ages` are seconds that these have run for so far. Without them the
 * first trials that end, which are the quick ones, would stand for all. Null while no trial has ended.
 */
export function fitPace({ trials, log_sum, log_squares }: PaceSums, ages: readonly number[] = []): Pace | null {
  if (trials === 0) return null
  const logs = ages.map((age) => Math.log(Math.max(shortest, age)))
  const prior = usualCounts * usualSpread ** 2
  const n = trials + logs.length
  let mean = log_sum / trials
  let spread = Math.sqrt((Math.max(0, log_squares - trials * mean * mean) + prior) / (trials + usualCounts))
  for (let round = 0; round < mostRounds; round++) {
    let sum = log_sum
    let squares = log_squares
    for (const log of logs) {
      // The mean and the variance of a normal value of which only a lower bound is known.
      const z = (log - mean) / spread
      const hazard = normalHazard(z)
      const expected = mean + spread * hazard
      sum += expected
      squares += expected * expected + spread * spread * Math.max(0, 1 + z * hazard - hazard * hazard)
    }
    const next = sum / n
    const nextSpread = Math.sqrt((Math.max(0, squares - n * next * next) + prior) / (n + usualCounts))
    const moved = Math.abs(next - mean) + Math.abs(nextSpread - spread)
    mean = next
    spread = nextSpread
    if (moved < 1e-4) break
  }
  return { seconds: Math.exp(mean + spread ** 2 / 2), spread, trials }
}

/** Density of the normal law at z, divided by its upper tail there. */
function normalHazard(z: number): number {
  if (z > 5) return z + 1 / z - 2 / z ** 3
  return Math.exp(-z * z * 0.5) / (Math.sqrt(2 * Math.PI) * normalBelow(-z))
}

/** Part of the normal law below z (Abramowitz and Stegun 26.2.17, error under 1e-7). */
export function normalBelow(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  const above = (Math.exp(-z * z * 0.5) / Math.sqrt(2 * Math.PI)) * series
  return z > 0 ? 1 - above : above
}

/**
 * Part of trials met at a random moment that go on for longer than `seconds` from then. Long trials are met more often, so this is
 * not the law of a trial that begins.
 */
export function stillRunning({ seconds: mean, spread }: Pick<Pace, 'seconds' | 'spread'>, seconds: number): number {
  if (seconds <= 0) return 1
  const centre = Math.log(mean) - spread ** 2 / 2
  const z = (Math.log(seconds) - centre) / spread
  return Math.max(0, 1 - normalBelow(z - spread) - (seconds / mean) * normalBelow(-z))
}

/** Seconds after which a part of `left` of the trials met at a random moment still runs. */
export function untilLeft(pace: Pick<Pace, 'seconds' | 'spread'>, left: number): number {
  let low = 0
  let high = pace.seconds
  while (stillRunning(pace, high) > left) high *= 2
  for (let halving = 0; halving < 40; halving++) {
    const middle = (low + high) / 2
    if (stillRunning(pace, middle) > left) low = middle
    else high = middle
  }
  return high
}
