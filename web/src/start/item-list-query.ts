import { query } from '@solidjs/router'
import { ItemListPage } from '#shared/contract/item-list.ts'
import { ask } from '../api.ts'
import { queryString } from '../query-string.ts'

/** A page of the items of a benchmark, apart from the other queries: their pages need not load its form. */
export const getItemList = query(
  (name: string, filter: Record<string, string | number | undefined>) =>
    ask(ItemListPage, `/api/benchmarks/${encodeURIComponent(name)}/items${queryString(filter)}`),
  'item-list',
)
