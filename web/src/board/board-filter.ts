import { type Board, type BoardSort, boardSorts } from '#shared/contract/board.ts'

export const sortTitles: Record<BoardSort, string> = { mean: 'by mean of runs', best: 'by best run' }

/** Which board is shown and in which order; all of it stands in the address. */
export type BoardFilter = { benchmark: string | undefined; profile: string | undefined; board: string | undefined; sort: BoardSort }

type Search = Record<string, string | string[] | undefined>

/** Reads a filter from the address; what makes no sense is left out. */
export function readBoardFilter(search: Search): BoardFilter {
  const text = (key: string, most: number) => {
    const value = search[key]
    return typeof value === 'string' && value !== '' ? value.slice(0, most) : undefined
  }
  return {
    benchmark: text('benchmark', 60),
    profile: text('profile', 40),
    board: text('board', 40),
    sort: boardSorts.find((one) => one === search.sort) ?? 'mean',
  }
}

/** The query of `GET /api/leaderboard` for a filter; the address has the same names. */
export function boardQuery({ sort, ...named }: BoardFilter): Record<string, string | undefined> {
  return { ...named, sort: sort === 'mean' ? undefined : sort }
}

/** A filter with another choice: what belonged to the former benchmark or profile is taken away. */
export function withChoice(filter: BoardFilter, change: Partial<BoardFilter>): BoardFilter {
  const board = 'benchmark' in change || 'profile' in change ? undefined : filter.board
  const profile = 'benchmark' in change ? undefined : filter.profile
  return { ...filter, board, profile, ...change }
}

/** What there is to choose from beside the shown board: benchmarks, its profiles, and its revisions. */
export function choicesOf(boards: readonly Board[], shown: Board | null) {
  const ofBenchmark = boards.filter((board) => board.benchmark === shown?.benchmark)
  return {
    benchmarks: [...new Set(boards.map((board) => board.benchmark))].toSorted(),
    profiles: [...new Set(ofBenchmark.map((board) => board.profile))].toSorted(),
    revisions: ofBenchmark.filter((board) => board.profile === shown?.profile),
  }
}
