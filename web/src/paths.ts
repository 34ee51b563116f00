import type { ItemFilter } from './item/item-filter.ts'
import { queryString } from './query-string.ts'

const part = encodeURIComponent

export function runPath(id: string, filter: ItemFilter = {}): string {
  return `/runs/${part(id)}${queryString(shown(filter))}`
}

/** Permalink of one item in one epoch; the filter comes along so that previous and next stay within it. */
export function itemPath(id: string, benchmark: string, item: string, epoch: number, filter: ItemFilter = {}): string {
  return `/runs/${part(id)}/items/${part(benchmark)}/${part(item)}${queryString({ epoch: epoch || undefined, ...shown(filter) })}`
}

export function itemApiPath(id: string, benchmark: string, item: string, epoch: number, filter: ItemFilter): string {
  const { benchmark: _, ...rest } = filter
  return `/api/runs/${part(id)}/items/${part(benchmark)}/${part(item)}${queryString({ ...rest, epoch })}`
}

/** The item list of a run, or of one benchmark of it. */
export function itemsApiPath(id: string, filter: ItemFilter, page: { limit: number; offset?: number; after?: number }): string {
  const { benchmark, ...rest } = filter
  return `/api/runs/${part(id)}/${benchmark ? `benchmarks/${part(benchmark)}` : 'items'}${queryString({ ...rest, ...page })}`
}

export function exportPath(id: string, format: 'csv' | 'json' | 'jsonl' | 'zip'): string {
  return `/api/runs/${part(id)}/export?format=${format}`
}

function shown(filter: ItemFilter): Record<string, string | number | undefined> {
  const { epoch, ...rest } = filter
  return { ...rest, in_epoch: epoch }
}
