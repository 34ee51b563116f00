import type { ItemRow } from '#shared/contract/item-rows.ts'
import type { FeedRow } from '../live-state.ts'

/** A streamed result as a line of the list; the stream carries no item text. */
export function feedToRow(brief: FeedRow): ItemRow {
  const { ordinal, benchmark, item_id, epoch, group, outcome, score, answer, expected, flags, failure, latency_ms, usage, cost_usd } = brief
  const rest = { source_id: null, flags, failure, latency_ms, output_tokens: usage.output_tokens, cost_usd, snippet: '' }
  return { ordinal, benchmark, item_id, epoch, group, outcome, score, answer, expected, ...rest }
}

/** Most lines that stand on top of the list before it is read again: more than this nobody reads while they come. */
const mostFresh = 12

/**
 * The streamed results that go on top of a list read up to event `until`: newer ones that it does not hold. Where they come faster than one
 * reads, none: the list is then read again every second, whole lines with their questions.
 */
export function freshRows(feed: readonly FeedRow[], until: number, held: ReadonlySet<number>, late: boolean): ItemRow[] {
  const fresh = feed.filter((row) => row.seq > until && !held.has(row.ordinal))
  return late || fresh.length <= mostFresh ? fresh.map(feedToRow) : []
}

/** The name of a trial as addresses of the API have it. */
export const nameOf = (row: Pick<ItemRow, 'benchmark' | 'item_id' | 'epoch'>): string => `${row.benchmark}:${row.item_id}:${row.epoch}`

/** What an item is called: the key that its data set gives it where that is a name, its row number elsewhere. */
export const itemTitle = ({ item_id, source_id }: Pick<ItemRow, 'item_id' | 'source_id'>): string =>
  source_id !== null && !/^\d+$/.test(source_id) ? source_id : item_id
