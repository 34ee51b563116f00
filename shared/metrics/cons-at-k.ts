import type { Draw } from './draw.ts'
import { itemMean } from './item-mean.ts'
import type { ItemRuns } from './item-runs.ts'
import type { MetricRow, MetricValue } from './port.ts'

/** 1 when the most frequent answer is right; a tie for the first place and an item without answers are 0. Unparsed runs do not vote. */
function majority(rows: readonly MetricRow[]): number {
  const votes = new Map<string, { count: number; right: boolean }>()
  for (const row of rows) {
    if (row.answer === null) continue
    const vote = votes.get(row.answer) ?? { count: 0, right: row.outcome === 'right' }
    votes.set(row.answer, { ...vote, count: vote.count + 1 })
  }
  const [first, second] = [...votes.values()].sort((a, b) => b.count - a.count)
  return first?.right && first.count > (second?.count ?? 0) ? 1 : 0
}

/** cons@k: share of items whose majority answer over the k epochs is right. */
export function consAtK(items: readonly ItemRuns[], epochs: number, draw: Draw): MetricValue {
  const value = itemMean(
    items.map((item) => ({ values: item.answered.length > 0 ? [majority(item.answered)] : [], asked: 1 })),
    draw,
  )
  return { ...value, method: `cons@${epochs}, ${value.method}` }
}
