import { levels, normalBelow, normalShape, type Shape, type TimeLaw } from './time-law.ts'

/**
 * How long trials of one kind hold a slot: `seconds` is the mean, `spread` the standard deviation of the logarithm, `trials` how many
 * have ended.
 */
export type Pace = TimeLaw & { trials: number }

/**
 * Sums over the natural logarithms of how many seconds ended trials held a slot. `bins` counts them by steps of the logarithm; it is absent in
 * sums that an earlier version kept.
 */
export type PaceSums = { trials: number; log_sum: number; log_squares: number; bins?: Readonly<Record<string, number>> }
export const noPace: PaceSums = { trials: 0, log_sum: 0, log_squares: 0 }
/** Width of a bin: a tenth of a natural logarithm. */
const binWidth = 0.1
const binOf = (log: number): number => Math.floor(log / binWidth)

/** Shortest time that counts, in seconds: its logarithm must exist. */
const shortest = 0.01

/** Adds one ended trial that held its slot for `seconds`. */
export function addTrial({ trials, log_sum, log_squares, bins = {} }: PaceSums, seconds: number): PaceSums {
  const log = Math.log(Math.max(shortest, seconds))
  const bin = binOf(log)
  return {
    trials: trials + 1,
    log_sum: log_sum + log,
    log_squares: log_squares + log * log,
    bins: { ...bins, [bin]: (bins[bin] ?? 0) + 1 },
  }
}

/** A spread that is assumed before trials tell theirs, and how many trials that assumption counts for. */
export type UsualSpread = { spread: number; counts: number }
const usual: UsualSpread = { spread: 0.5, counts: 6 }
/** So many trials of the log-normal law are added to the law of those that were measured. */
const smoothing = 6
const mostRounds = 200

/**
 * Fits a law to ended trials and to those that still run: `ages` are seconds that these have run for so far. Without them the first trials
 * that end, which are the quick ones, would stand for all. Null while no trial has ended.
 */
export function fitPace(sums: PaceSums, ages: readonly number[] = [], assumed: UsualSpread = usual): Pace | null {
  const { trials, bins } = sums
  if (trials === 0) return null
  const logs = ages.map((age) => Math.log(Math.max(shortest, age)))
  const { mean, spread } = fitNormal(sums, logs, assumed)
  if (!bins) return { seconds: Math.exp(mean + spread ** 2 / 2), spread, trials }
  return { ...fitShape(bins, logs, { mean, spread }), spread, trials }
}

type Normal = { mean: number; spread: number }

/** The log-normal law of which ended trials and the ages of others are most likely. */
function fitNormal({ trials, log_sum, log_squares }: PaceSums, logs: readonly number[], assumed: UsualSpread): Normal {
  const prior = assumed.counts * assumed.spread ** 2
  const n = trials + logs.length
  let mean = log_sum / trials
  let spread = Math.sqrt((Math.max(0, log_squares - trials * mean * mean) + prior) / (trials + assumed.counts))
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
    const nextSpread = Math.sqrt((Math.max(0, squares - n * next * next) + prior) / (n + assumed.counts))
    const moved = Math.abs(next - mean) + Math.abs(nextSpread - spread)
    mean = next
    spread = nextSpread
    if (moved < 1e-4) break
  }
  return { mean, spread }
}

/**
 * Estimates the survival of trials by the product of Kaplan and Meier, bin after bin, as if `smoothing` trials more had followed the
 * log-normal law. With few trials the law is log-normal; with many it is theirs, a time limit included.
 */
function fitShape(
  bins: Readonly<Record<string, number>>,
  logs: readonly number[],
  { mean, spread }: Normal,
): { seconds: number; shape: Shape } {
  const running = new Map<number, number>()
  for (const log of logs) running.set(binOf(log), (running.get(binOf(log)) ?? 0) + 1)
  const above = (log: number): number => normalBelow((mean - log) / spread)
  const known = [...Object.keys(bins).map(Number), ...running.keys()]
  const first = Math.min(...known, binOf(mean - 3 * spread))
  const last = Math.max(...known, binOf(mean + 3.2 * spread))
  let atRisk = Object.values(bins).reduce((sum, count) => sum + count, 0) + logs.length
  let survival = 1
  let seconds = 0
  const logQuantiles: number[] = []
  for (let bin = first; bin <= last; bin++) {
    const [from, to] = [bin * binWidth, (bin + 1) * binWidth]
    const [ended, still] = [bins[bin] ?? 0, running.get(bin) ?? 0]
    const assumed = smoothing * above(from)
    const hazard = Math.min(1, (ended + assumed - smoothing * above(to)) / (atRisk + assumed - still / 2))
    const next = survival * (1 - hazard)
    for (let level = levels[logQuantiles.length]; level !== undefined && next <= 1 - level; level = levels[logQuantiles.length])
      logQuantiles.push(from + (binWidth * (survival - (1 - level))) / (survival - next))
    seconds += (survival - next) * Math.exp(from + binWidth / 2)
    survival = next
    atRisk -= ended + still
  }
  const longest = (last + 1) * binWidth
  seconds += survival * Math.exp(longest)
  const shape = levels.map((_, at) => (logQuantiles[at] ?? longest) - Math.log(seconds))
  return { seconds, shape }
}

/** Density of the normal law at z, divided by its upper tail there. */
function normalHazard(z: number): number {
  if (z > 5) return z + 1 / z - 2 / z ** 3
  return Math.exp(-z * z * 0.5) / (Math.sqrt(2 * Math.PI) * normalBelow(-z))
}

/** The pace of another run, and the standard deviation of the logarithm of the mean from there to this run's. */
export type Hint = { pace: Pace; doubt: number }
/** So many trials of another run count for the shape, at most. */
export const mostForShape = 30
export const countsForShape = ({ trials }: Pace): number => Math.min(mostForShape, trials)

/**
 * Blends the pace measured in a run with hints from other runs. Logarithms of means are weighted by trials: each ended trial counts 1, a hint
 * as many trials as leave the same doubt. Null without any of them.
 */
export function blendPace(measured: Pace | null, hints: readonly Hint[]): Pace | null {
  const all = [...(measured ? [{ pace: measured, doubt: 0 }] : []), ...hints]
  if (all.length === 0) return null
  const forShape = all.map(({ pace }) => (pace === measured ? pace.trials : countsForShape(pace)))
  const spread = Math.sqrt(weighted(forShape, (at) => all[at]!.pace.spread ** 2))
  const counts = all.map(({ pace, doubt }) => 1 / (doubt ** 2 / spread ** 2 + 1 / pace.trials))
  const shapes = all.map(({ pace }) => pace.shape ?? normalShape(pace.spread))
  return {
    seconds: Math.exp(weighted(counts, (at) => Math.log(all[at]!.pace.seconds))),
    spread,
    shape: levels.map((_, level) => weighted(forShape, (at) => shapes[at]![level]!)),
    trials: measured?.trials ?? 0,
  }
}

/** The mean of values by place, each with its weight. */
export function weighted(weights: readonly number[], value: (at: number) => number): number {
  return weights.reduce((sum, weight, at) => sum + weight * value(at), 0) / weights.reduce((sum, weight) => sum + weight, 0)
}
