import type { ExportFormat } from '#shared/contract/export-formats.ts'
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

/** `epoch` goes as the address has it: what is no epoch is for the API to refuse. */
export function itemApiPath(id: string, benchmark: string, item: string, epoch: string): string {
  return `/api/runs/${part(id)}/items/${part(benchmark)}/${part(item)}${queryString({ epoch })}`
}

/** The stream of a trial while it runs. */
export function livePath(id: string, benchmark: string, item: string, epoch: string): string {
  return `/api/runs/${part(id)}/items/${part(benchmark)}/${part(item)}/live${queryString({ epoch })}`
}

export function underWayPath(id: string): string {
  return `/api/runs/${part(id)}/under-way`
}

/** A window of the item list of a run. */
export function rowsApiPath(
  id: string,
  filter: ItemFilter,
  window: { limit: number; offset?: number; around?: string | undefined; until?: number | undefined },
): string {
  return `/api/runs/${part(id)}/rows${queryString({ ...filter, ...window })}`
}

/** A run at its item list, narrowed to a filter. */
export function itemsPath(id: string, filter: ItemFilter = {}): string {
  return `${runPath(id, filter)}#items`
}

/** A task that was uploaded. */
export function taskPath(id: string): string {
  return `/tasks/${part(id)}`
}

/** The same in the API, or what is below it. */
export function taskApiPath(id: string, below = ''): string {
  return `/api/tasks/${part(id)}${below}`
}

export function exportPath(id: string, format: ExportFormat): string {
  return `/api/runs/${part(id)}/export?format=${format}`
}

function shown(filter: ItemFilter): Record<string, string | number | undefined> {
  const { epoch, ...rest } = filter
  return { ...rest, in_epoch: epoch }
}
