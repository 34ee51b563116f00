import type { CardName } from '#shared/benchmarks/cards.ts'
import type { DataRows } from '#shared/benchmarks/rows.ts'
import type { OpenedTask } from '#shared/benchmarks/task.ts'

/** An answer to one item, and what it has to be worth: 1 for a reference solution, 0 for doing nothing and for every cheat. */
export type CheatCase = { index: number; item: string; cheat: string; answer: string; want: 0 | 1 }

/** The answers that are tried on a benchmark: its reference solutions, doing nothing, and what is known of cheating at it. */
export type CheatBook = {
  benchmark: CardName
  profile: string
  /** Rows to try them on. */
  rows(): Promise<DataRows>
  cases(opened: OpenedTask, rows: DataRows): Promise<CheatCase[]>
}
