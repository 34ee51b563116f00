import { accuracyWithFailures } from './accuracy.ts'
import type { Draw } from './draw.ts'
import { clip, mean, noValue } from './interval.ts'
import type { ItemRuns } from './item-runs.ts'
import type { MetricValue } from './port.ts'
import { numpyRound, pythonRound } from './round-as-python.ts'

/**
 * Accuracy and half width (Wald, 95 %) in per cent, both rounded to two places as the official script of Humanity's Last Exam rounds them: the
 * half width is computed from the rounded accuracy. `right` of `n` questions are right, `n` being all of them. Source: reference 3.4.
 */
export function examPercent(right: number, n: number): { accuracy: number; half_width: number } {
  const accuracy = numpyRound((100 * right) / n)
  return { accuracy, half_width: pythonRound(1.96 * Math.sqrt((accuracy * (100 - accuracy)) / n)) }
}

/**
 * The exam's headline: right answers over all items, a missing one counting as wrong. The official half width (Wald) is told in words: it is 0
 * where nothing or all is right, so that the limits are those of every other score. Before metrics version 2 they were the half width's.
 */
export function examAccuracy(items: readonly ItemRuns[], draw: Draw): MetricValue {
  if (items.length === 0) return noValue('Wald over all items')
  const right = items.reduce((sum, item) => sum + mean(item.rows.map((row) => row.score ?? 0)), 0)
  const { accuracy, half_width } = examPercent(right, items.length)
  const value = accuracy / 100
  if (draw.rule === 2) {
    const share = accuracyWithFailures(items, 0, draw)
    const limits = { low: Math.min(value, share.low!), high: Math.max(value, share.high!) } // there are items
    return { ...share, value, ...limits, method: `official ± ${half_width} points (Wald), failures as wrong; limits: ${share.method}` }
  }
  return {
    value,
    low: clip((accuracy - half_width) / 100),
    high: clip((accuracy + half_width) / 100),
    n: items.length,
    method: `Wald ± ${half_width} points over all items, failures as wrong`,
  }
}
