import { type RunStatus, runStatuses } from '#shared/contract/run.ts'

export const sorts = {
  newest: 'newest first',
  oldest: 'oldest first',
  score: 'best score',
  model: 'model, A to Z',
  cost: 'dearest',
} as const
export type Sort = keyof typeof sorts

/** How the list of runs is narrowed and sorted; all of it stands in the address. */
export type RunFilter = {
  status: RunStatus | undefined
  q: string | undefined
  tag: string | undefined
  benchmark: string | undefined
  /** Id of a team. */
  team: string | undefined
  since: string | undefined
  until: string | undefined
  ids: string[]
  sort: Sort
  offset: number
}

type Search = Record<string, string | string[] | undefined>

const day = /^\d{4}-\d{2}-\d{2}$/

/** Reads a filter from the address; what makes no sense is left out. `model` is the older name of `q`. */
export function readRunFilter(search: Search): RunFilter {
  const text = (key: string) => (typeof search[key] === 'string' && search[key] !== '' ? (search[key] as string) : undefined)
  const date = (key: string) => (day.test(text(key) ?? '') ? text(key) : undefined)
  const offset = Number(text('offset') ?? 0)
  return {
    status: runStatuses.find((one) => one === text('status')),
    q: (text('q') ?? text('model'))?.slice(0, 300),
    tag: text('tag')?.slice(0, 40),
    benchmark: text('benchmark')?.slice(0, 60),
    team: text('team')?.slice(0, 36),
    since: date('since'),
    until: date('until'),
    ids: text('ids')?.split(',').filter(Boolean).slice(0, 100) ?? [],
    sort: (Object.keys(sorts) as Sort[]).find((one) => one === text('sort')) ?? 'newest',
    offset: Number.isInteger(offset) && offset > 0 ? offset : 0,
  }
}

/** The query of `GET /api/runs` for a filter; the address has the same names. */
export function runQuery(filter: RunFilter): Record<string, string | undefined> {
  const { ids, sort, offset, ...plain } = filter
  return {
    ...plain,
    ids: ids.length > 0 ? ids.join(',') : undefined,
    sort: sort === 'newest' ? undefined : sort,
    offset: offset > 0 ? String(offset) : undefined,
  }
}

/** Whether anything but the order narrows the list. */
export function isNarrowed(filter: RunFilter): boolean {
  const { sort, offset, ids, ...narrowing } = filter
  return ids.length > 0 || Object.values(narrowing).some((value) => value !== undefined)
}
