import { expect, test } from 'vitest'
import { addTrial, fitPace, noPace, type PaceSums } from './pace.ts'
import { restOf, untilLeft } from './time-law.ts'

/** Times of a hundred trials: the quantiles of a log-normal law with median 10 s and spread 0.6. */
const z = (p: number): number => Math.sign(p - 0.5) * Math.sqrt(Math.max(0, -Math.log(4 * p * (1 - p)) * 1.5708)) // near enough
const times = Array.from({ length: 100 }, (_, n) => 10 * Math.exp(0.6 * z((n + 0.5) / 100)))
const mean = times.reduce((sum, one) => sum + one, 0) / 100

test('[OPS4] the pace of a run is not that of its quickest trials: those that still run count by their age', () => {
  for (const until of [5, 8, 12, 30]) {
    const ended = times.filter((one) => one <= until)
    const sums = ended.reduce(addTrial, noPace)
    const fitted = fitPace(sums, Array(100 - ended.length).fill(until))!
    expect(fitted.trials).toBe(ended.length)
    expect([until, Math.abs(fitted.seconds / mean - 1) < 0.2]).toEqual([until, true])
    if (until < 10) expect(fitPace(sums)!.seconds).toBeLessThan(0.7 * mean)
  }
})

test('[OPS4] nothing is fitted before a trial has ended, and one trial gives its own time with a usual spread', () => {
  expect(fitPace(noPace, [3, 4])).toBeNull()
  expect(fitPace(addTrial(noPace, 8))!.seconds).toBeCloseTo(8, -1)
})

/** The longest of a hundred trials that begin now. */
const longest = (sums: PaceSums, ages: readonly number[] = []): number => untilLeft(restOf(fitPace(sums, ages)!, [0]), 0.005)

test('[OPS20] a time limit of trials is part of their law: none is expected to take longer', () => {
  const limit = 15
  const limited = times.map((one) => Math.min(limit, one)).reduce(addTrial, noPace)
  const { log_sum, log_squares, trials } = limited
  expect(longest(limited)).toBeLessThan(1.3 * limit)
  expect(longest({ log_sum, log_squares, trials })).toBeGreaterThan(1.6 * limit) // sums of before have the log-normal law only
})

test('[OPS20] trials that still run past the limit of those that ended are not expected to end there', () => {
  const ended = times.filter((one) => one < 8)
  const running = Array(100 - ended.length).fill(40)
  expect(longest(ended.reduce(addTrial, noPace), running)).toBeGreaterThan(60)
})
