import type { MetricRow } from './port.ts'

/** The rows of one item over its epochs; where every one was answered, both lists are the same one. */
export type ItemRuns = { item_id: string; rows: readonly MetricRow[]; answered: readonly MetricRow[] }

/** Rows by item, in the order in which the items first appear. */
export function itemRuns(rows: readonly MetricRow[]): ItemRuns[] {
  const items = new Map<string, MetricRow[]>()
  for (const row of rows) {
    const runs = items.get(row.item_id)
    // A list that begins with its first entry takes no room for sixteen more: most items have but one.
    if (runs) runs.push(row)
    else items.set(row.item_id, [row])
  }
  return Array.from(items, ([item_id, runs]) => ({ item_id, rows: runs, answered: answeredOf(runs) }))
}

function answeredOf(rows: readonly MetricRow[]): readonly MetricRow[] {
  const isAnswered = ({ outcome }: MetricRow) => outcome !== 'failed'
  return rows.every(isAnswered) ? rows : rows.filter(isAnswered)
}

/** How many epochs the rows span. */
export function epochCount(rows: readonly MetricRow[]): number {
  return new Set(rows.map((row) => row.epoch)).size
}
