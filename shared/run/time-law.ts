/** How long trials take, as a law of probability: a mean in seconds, and a shape where it is known; else it is log-normal with this spread. */
export type TimeLaw = { seconds: number; spread: number; shape?: Shape }
/** The natural logarithms of the quantiles at `levels`, as factors of the mean. */
export type Shape = readonly number[]

/** Parts of trials, from the quickest, and the standard normal values below which they lie. */
const quantiles = [
  [0.01, -2.3263],
  [0.05, -1.6449],
  [0.1, -1.2816],
  [0.2, -0.8416],
  [0.3, -0.5244],
  [0.4, -0.2533],
  [0.5, 0],
  [0.6, 0.2533],
  [0.7, 0.5244],
  [0.8, 0.8416],
  [0.9, 1.2816],
  [0.95, 1.6449],
  [0.98, 2.0537],
  [0.99, 2.3263],
  [0.995, 2.5758],
  [0.999, 3.0902],
] as const
export const levels: readonly number[] = quantiles.map(([level]) => level)

/** The shape of a log-normal law. */
export const normalShape = (spread: number): Shape => quantiles.map(([, z]) => spread * z - spread ** 2 / 2)

/** A law as points of its survival: so much of all trials takes longer than so many seconds. Between them it is linear. */
type Point = { seconds: number; longer: number }

function pointsOf({ seconds, spread, shape = normalShape(spread) }: TimeLaw): Point[] {
  return [{ seconds: 0, longer: 1 }, ...shape.map((log, at) => ({ seconds: seconds * Math.exp(log), longer: 1 - levels[at]! }))]
}

/** A trial older than all that are known goes on for about this part of its age. */
const beyond = 0.1

/** Part of all trials that takes longer than so many seconds. */
function longer(points: readonly Point[], seconds: number): number {
  const after = points.findIndex((point) => point.seconds > seconds)
  const last = points.at(-1)!
  if (after === -1) return last.longer * Math.exp((last.seconds - seconds) / (beyond * last.seconds))
  const [from, to] = [points[after - 1]!, points[after]!]
  return from.longer + ((to.longer - from.longer) * (seconds - from.seconds)) / (to.seconds - from.seconds)
}

/** Trial seconds that lie later than so many seconds after a trial's begin, for one trial. */
function secondsAfter(points: readonly Point[], seconds: number): number {
  const last = points.at(-1)!
  const tail = beyond * last.seconds
  if (seconds >= last.seconds) return longer(points, seconds) * tail
  let sum = last.longer * tail
  let from = { seconds, longer: longer(points, seconds) }
  for (const to of points) {
    if (to.seconds <= seconds) continue
    sum += ((from.longer + to.longer) / 2) * (to.seconds - from.seconds)
    from = to
  }
  return sum
}

/**
 * A law of the rest of trials under way: the part of them that goes on for longer than `seconds` from now. Without ages they are met at a
 * random moment; long trials are met more often, so this is not the law of a trial that begins. `ages`: seconds that each has run for.
 */
export function restOf(law: TimeLaw, ages: readonly number[] | null = null): (seconds: number) => number {
  const points = pointsOf(law)
  if (ages) {
    const reached = ages.map((age) => Math.max(Number.MIN_VALUE, longer(points, age)))
    return (seconds) => ages.reduce((sum, age, at) => sum + longer(points, age + seconds) / reached[at]!, 0) / ages.length
  }
  const whole = secondsAfter(points, 0)
  return (seconds) => (seconds <= 0 ? 1 : secondsAfter(points, seconds) / whole)
}

/** Seconds after which a part of `left` of the trials still runs. */
export function untilLeft(rest: (seconds: number) => number, left: number): number {
  let low = 0
  let high = 1
  while (rest(high) > left) high *= 2
  for (let halving = 0; halving < 40; halving++) {
    const middle = (low + high) / 2
    if (rest(middle) > left) low = middle
    else high = middle
  }
  return high
}

/** Part of the normal law below z (Abramowitz and Stegun 26.2.17, error under 1e-7). */
export function normalBelow(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  const above = (Math.exp(-z * z * 0.5) / Math.sqrt(2 * Math.PI)) * series
  return z > 0 ? 1 - above : above
}
