import type { Draw } from './draw.ts'
import { mean, noValue } from './interval.ts'
import type { ItemRuns } from './item-runs.ts'
import type { MetricRow, MetricValue } from './port.ts'
import { numpyRound } from './round-as-python.ts'

/** A judged answer: its confidence as a share and whether it was right. */
type Judged = { confidence: number; hit: number; item_id: string }

const binSize = 100

/**
 * Judged answers by rising confidence. The official script sorts with numpy's unstable sort, so the order of equal confidences is not its own:
 * here they stay in the order of the data set.
 */
function judgedOf(items: readonly ItemRuns[]): Judged[] {
  const judged = (row: MetricRow) => typeof row.detail.confidence === 'number' && row.outcome !== 'failed'
  const rows = items.flatMap((item) => item.answered).filter(judged)
  rows.sort((a, b) => Number(a.item_id) - Number(b.item_id) || a.epoch - b.epoch)
  return rows
    .map((row) => ({ confidence: (row.detail.confidence as number) / 100, hit: row.score ?? 0, item_id: row.item_id })) // a number by `judged`
    .sort((a, b) => a.confidence - b.confidence)
}

/** Share of the answers times squared distance of confidence and hits, one number per bin of 100; the last bin takes what is left over. */
function squaredErrors(judged: readonly Judged[]): number[] {
  const bins = Math.max(1, Math.floor(judged.length / binSize))
  return Array.from({ length: bins }, (_, index) => {
    const bin = judged.slice(index * binSize, index === bins - 1 ? undefined : (index + 1) * binSize)
    return (bin.length / judged.length) * (mean(bin.map((one) => one.confidence)) - mean(bin.map((one) => one.hit))) ** 2
  })
}

/** `n` counts the items whose answers were judged; before metrics version 2 it counted the answers. */
function countsOf(judged: readonly Judged[], draw: Draw): Pick<MetricValue, 'n' | 'trials'> {
  if (draw.rule === 1) return { n: judged.length }
  return { n: new Set(judged.map((one) => one.item_id)).size, trials: judged.length }
}

const root = (errors: readonly number[]): number => Math.sqrt(errors.reduce((sum, error) => sum + error, 0))

/**
 * Calibration error (root mean square) of the judged answers as the official script of Humanity's Last Exam prints it: the last bin is left out, the
 * result rounded to two places. Below 100 judged answers there is none, below 200 it is 0. Source: reference 3.4.
 */
export function calibrationError(items: readonly ItemRuns[], draw: Draw): MetricValue {
  const judged = judgedOf(items)
  const method = 'RMS over bins of 100 without the last, as the official script, equal confidences in data order'
  if (judged.length < binSize) return { ...noValue(method), ...countsOf(judged, draw) }
  return { value: numpyRound(root(squaredErrors(judged).slice(0, -1))), low: null, high: null, method, ...countsOf(judged, draw) }
}

/** The same over all bins, not rounded; fewer than 200 judged answers are one bin. */
export function calibrationErrorAllBins(items: readonly ItemRuns[], draw: Draw): MetricValue {
  const judged = judgedOf(items)
  const method = 'RMS over all bins of 100'
  if (judged.length === 0) return noValue(method)
  return { value: root(squaredErrors(judged)), low: null, high: null, method, ...countsOf(judged, draw) }
}
