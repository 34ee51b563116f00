import type { Board } from '../contract/board.ts'
import type { Card } from '../contract/card.ts'

/** What somebody asked for; what is left out is chosen for him. */
export type WantedBoard = { board?: string | undefined; benchmark?: string | undefined; profile?: string | undefined }

/**
 * The board to show of those that fit: one with ranked runs before one without, real data before other, then, unless a benchmark was named, that of the
 * benchmark with the most ranked runs; of its revisions the newest, of its profiles the usual one. Undefined where none fits.
 */
export function chooseBoard(boards: readonly Board[], wanted: WantedBoard, cards: readonly Card[]): Board | undefined {
  const { board, benchmark, profile } = wanted
  const fits = (one: Board) =>
    (board === undefined || one.id === board) &&
    (benchmark === undefined || one.benchmark === benchmark) &&
    (profile === undefined || one.profile === profile)
  const isUsual = (one: Board) => cards.find((card) => card.name === one.benchmark)?.default_profile === one.profile
  const runsOf = (one: Board) =>
    boards.filter((other) => other.benchmark === one.benchmark && fits(other)).reduce((sum, { ranked_runs }) => sum + ranked_runs, 0)
  const places = (one: Board): number[] => [
    Number(one.ranked_runs > 0),
    Number(one.data.source === 'pinned'),
    runsOf(one),
    one.version,
    one.scorer_version,
    Number(isUsual(one)),
    one.ranked_runs,
  ]
  return boards.filter(fits).toSorted((a, b) => compare(places(b), places(a)))[0]
}

/** The sign of the first place at which two lists differ. */
function compare(a: readonly number[], b: readonly number[]): number {
  return a.map((place, at) => place - b[at]!).find((difference) => difference !== 0) ?? 0
}
