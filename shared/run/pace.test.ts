import { expect, test } from 'vitest'
import { addTrial, fitPace, noPace, stillRunning, untilLeft } from './pace.ts'

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

test('[OPS4] what still runs shrinks from all to nothing, and untilLeft finds the moment', () => {
  const pace = { seconds: 20, spread: 0.5 }
  expect(stillRunning(pace, 0)).toBe(1)
  expect(stillRunning(pace, 1000)).toBeLessThan(1e-4)
  for (const left of [0.9, 0.5, 0.1, 0.01]) expect(stillRunning(pace, untilLeft(pace, left))).toBeCloseTo(left, 4)
})
