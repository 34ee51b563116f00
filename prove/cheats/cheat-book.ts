import type { CardName } from '#shared/benchmarks/cards.ts'
import type { DataRows } from '#shared/benchmarks/rows.ts'
import type { OpenedTask } from '#shared/benchmarks/task.ts'
import type { Line } from '#shared/solvers/testing/scripted-kit.ts'

/**
 * What officially passes although it is a cheat, and so passes here: why nobody can keep it from that, and the flag that a score of it bears; null where
 * it cannot be told from an honest program.
 */
export type OfficiallyPasses = { official: string; flag: string | null }

/** What passes by our own reading of a benchmark although it is a cheat: the price of something that the reading wants, which is said. */
export type PassesHere = { ours: string; flag: null }

/** What may not be worth more than a part: where its benchmark gives parts of a point for parts of an answer. */
export type AtMost = { most: number }

/**
 * What the model says, call after call, and what it has to be worth: 1 for a reference solution, 0 for doing nothing and for every cheat but those that are
 * named, or that have a part of what is asked.
 */
export type CheatCase = {
  index: number
  item: string
  cheat: string
  answers: readonly Line[]
  want: 0 | 1 | AtMost | OfficiallyPasses | PassesHere
}

/** Whether a cheat is one that is known to pass. */
export const isKnownToPass = (want: CheatCase['want']): want is OfficiallyPasses | PassesHere =>
  typeof want === 'object' && !('most' in want)

/** By whose reading it passes. */
export const passesBy = (want: OfficiallyPasses | PassesHere): [reading: 'official' | 'ours', why: string] =>
  'official' in want ? ['official', want.official] : ['ours', want.ours]

/** The answers that are tried on a benchmark: its reference solutions, doing nothing, and what is known of cheating at it. */
export type CheatBook = {
  benchmark: CardName
  profile: string
  /** Rows to try them on. */
  rows(): Promise<DataRows>
  cases(opened: OpenedTask, rows: DataRows): Promise<CheatCase[]>
}
