import { type ItemQuery, itemOrders } from '#shared/contract/api.ts'
import { outcomes } from '#shared/contract/trial.ts'
import { hasFlags } from '#shared/run/count-items.ts'
import { readPart } from '../readable-path.ts'

/** What the item list of a run is narrowed to; the same names in the API. Without an order a living run shows the newest first. */
export type ItemFilter = Partial<Pick<ItemQuery, 'outcome' | 'group' | 'flag' | 'failure' | 'epoch' | 'q' | 'order'>> & {
  benchmark?: string | undefined
}

type Search = Record<string, string | string[] | undefined>

/**
 * The item filter a page address carries; what does not belong there is ignored. On an item's own page `epoch` names the
 * item's epoch, so there the filter's epoch is `in_epoch`.
 */
export function readItemFilter(search: Search): ItemFilter {
  const text = (key: string) => {
    const value = search[key]
    return typeof value === 'string' && value.trim() ? value : undefined
  }
  const outcome = outcomes.find((one) => one === text('outcome'))
  const epoch = Number(text('in_epoch') ?? Number.NaN)
  return {
    benchmark: text('benchmark'),
    outcome,
    group: text('group'),
    flag: text('flag'),
    failure: text('failure'),
    epoch: Number.isInteger(epoch) && epoch >= 0 ? epoch : undefined,
    q: text('q'),
    order: itemOrders.find((one) => one === text('order')),
  }
}

/** What an address asks of the list that there is not, as `name=value`: it is left out, and said so. */
export function strangeFilters(search: Search): string[] {
  const read = readItemFilter(search)
  const asked = { outcome: read.outcome, order: read.order, in_epoch: read.epoch }
  return Object.entries(asked).flatMap(([key, value]) => {
    const text = search[key]
    return text === undefined || text === '' || value !== undefined ? [] : [`${key}=${text}`]
  })
}

/** Whether a result seen in the live stream belongs to the filtered list. Text search needs the server: then nothing matches. */
export function matchesFilter(
  row: { benchmark: string; outcome: string; group: string | null; flags: string[]; failure: string | null; epoch: number },
  filter: ItemFilter,
): boolean {
  if (filter.q) return false
  return (
    (!filter.benchmark || filter.benchmark === row.benchmark) &&
    (!filter.outcome || filter.outcome === row.outcome) &&
    (!filter.group || filter.group === row.group) &&
    hasFlags(row.flags, filter.flag) &&
    (!filter.failure || filter.failure === row.failure) &&
    (filter.epoch === undefined || filter.epoch === row.epoch)
  )
}

/** How many filters are set, the order not counted. */
export function filterCount(filter: ItemFilter): number {
  const { order: _, ...rest } = filter
  return Object.values(rest).filter((value) => value !== undefined).length
}

/** The item that an address opens. Its parts are given as they were before they were encoded. */
export function readItemPath(pathname: string): { benchmark: string; item_id: string } | undefined {
  const [, one = '', other = ''] = /^\/runs\/[^/]+\/items\/([^/]+)\/([^/]+)\/?$/.exec(pathname) ?? []
  const [benchmark, item_id] = [readPart(one), readPart(other)]
  return benchmark && item_id ? { benchmark, item_id } : undefined
}

/** The same with its epoch, as the API names it. */
export function itemInPath(pathname: string, epoch: unknown): string | undefined {
  const item = readItemPath(pathname)
  return item && `${item.benchmark}:${item.item_id}:${Number(epoch ?? 0) || 0}`
}
