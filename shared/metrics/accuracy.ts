import type { Draw } from './draw.ts'
import { itemMean } from './item-mean.ts'
import type { ItemRuns } from './item-runs.ts'
import type { MetricRow, MetricValue } from './port.ts'

/** The answered runs of every item as one number each; items without an answer are left out. */
export function meanOfAnswered(items: readonly ItemRuns[], pick: (row: MetricRow) => number, draw: Draw): MetricValue {
  return itemMean(
    items.map((item) => ({ values: item.answered.map(pick), asked: item.rows.length })),
    draw,
  )
}

const scoreOf = (row: MetricRow): number => row.score ?? 0

/** Mean score of the answered runs, per item first; failures are no answers. With repeats this is avg@k. */
export function accuracy(items: readonly ItemRuns[], draw: Draw): MetricValue {
  return meanOfAnswered(items, scoreOf, draw)
}

/** The same with every failure as `failedScore`: 0 is the worst case, 1 the best. */
export function accuracyWithFailures(items: readonly ItemRuns[], failedScore: 0 | 1, draw: Draw): MetricValue {
  return itemMean(
    items.map((item) => ({
      values: item.rows.map((row) => (row.outcome === 'failed' ? failedScore : scoreOf(row))),
      asked: item.rows.length,
    })),
    draw,
  )
}

/** Share of answered runs that carry a flag. */
export function flagShare(items: readonly ItemRuns[], flag: string, draw: Draw): MetricValue {
  return meanOfAnswered(items, (row) => (row.flags.includes(flag) ? 1 : 0), draw)
}

/** Accuracy over the answered runs whose detail says `value` under `key`. How many items of the set are of that kind is known only where all were asked and answered. */
export function accuracyWhere(items: readonly ItemRuns[], key: string, value: unknown, draw: Draw): MetricValue {
  const chosen = items
    .map((item) => ({ ...item, answered: item.answered.filter((row) => row.detail[key] === value) }))
    .filter((item) => item.answered.length > 0)
  const all = draw.rule === 2 && draw.complete && items.every((item) => item.answered.length === item.rows.length)
  const part = accuracy(chosen, all ? { ...draw, population: chosen.length } : { ...draw, population: null })
  return { ...part, method: `${part.method}, ${key} = ${value}` }
}
