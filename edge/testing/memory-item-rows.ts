import type { ItemName, ItemRowList, StoredTrial } from '#db/store.ts'
import { failureClass } from '#shared/contract/failure.ts'
import type { ItemRow, ItemRowQuery } from '#shared/contract/item-rows.ts'
import { countItems } from '#shared/run/count-items.ts'
import { snippetOf } from '#shared/run/search-text.ts'

type Fits = (trial: StoredTrial, query: ItemRowQuery) => boolean

/** The item list of the tests' store, in plan order whatever the query says. */
export function memoryItemRows(trials: readonly StoredTrial[], query: ItemRowQuery, around: ItemName | null, fits: Fits): ItemRowList {
  const open = { ...query, outcome: undefined, flag: undefined, failure: undefined }
  const groups = trials
    .filter((trial) => fits(trial, open))
    .map(({ record }) => ({ ...record, failure: record.failure && failureClass(record.failure), count: 1 }))
  const listed = trials.filter((trial) => fits(trial, query))
  const at = listed.findIndex(
    ({ record }) => record.benchmark === around?.benchmark && record.item_id === around.item_id && record.epoch === around.epoch,
  )
  const offset = around ? Math.floor(Math.max(0, at) / query.limit) * query.limit : query.offset
  return {
    rows: listed.slice(offset, offset + query.limit).map(rowOf),
    offset,
    until: Math.max(0, ...trials.map((trial) => trial.seq)),
    place: around && { before: Math.max(0, at), listed: at >= 0 },
    ...countItems(groups, query),
    total_is: 'exact',
    counts_are: 'exact',
  }
}

function rowOf({ record }: StoredTrial): ItemRow {
  const { ordinal, benchmark, item_id, source_id, epoch, group, outcome, score, answer, expected, flags, latency_ms, usage, cost_usd } =
    record
  const failure = record.failure && failureClass(record.failure)
  const rest = { latency_ms, output_tokens: usage.output_tokens, cost_usd, snippet: snippetOf(record) }
  return { ordinal, benchmark, item_id, source_id, epoch, group, outcome, score, answer, expected, flags, failure, ...rest }
}
