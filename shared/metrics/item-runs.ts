import type { MetricRow } from './port.ts'

/** The rows of one item over its epochs. */
export type ItemRuns = { item_id: string; rows: MetricRow[]; answered: MetricRow[] }

/** Rows by item, in the order in which the items first appear. */
export function itemRuns(rows: readonly MetricRow[]): ItemRuns[] {
  const items = new Map<string, ItemRuns>()
  for (const row of rows) {
    const runs = items.get(row.item_id) ?? { item_id: row.item_id, rows: [], answered: [] }
    runs.rows.push(row)
    if (row.outcome !== 'failed') runs.answered.push(row)
    items.set(row.item_id, runs)
  }
  return [...items.values()]
}

/** How many epochs the rows span. */
export function epochCount(rows: readonly MetricRow[]): number {
  return new Set(rows.map((row) => row.epoch)).size
}
