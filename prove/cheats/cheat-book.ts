import type { CardName } from '#shared/benchmarks/cards.ts'
import type { DataRows } from '#shared/benchmarks/rows.ts'
import type { OpenedTask } from '#shared/benchmarks/task.ts'

/**
 * What officially passes although it is a cheat, and so passes here: why nobody can keep it from that, and the flag that a score of it bears; null where
 * it cannot be told from an honest program.
 */
export type OfficiallyPasses = { official: string; flag: string | null }

/** What the model says, call after call, and what it has to be worth: 1 for a reference solution, 0 for doing nothing and for every cheat but those named. */
export type CheatCase = { index: number; item: string; cheat: string; answers: readonly string[]; want: 0 | 1 | OfficiallyPasses }

/** The answers that are tried on a benchmark: its reference solutions, doing nothing, and what is known of cheating at it. */
export type CheatBook = {
  benchmark: CardName
  profile: string
  /** Rows to try them on. */
  rows(): Promise<DataRows>
  cases(opened: OpenedTask, rows: DataRows): Promise<CheatCase[]>
}
