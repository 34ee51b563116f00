import type { CheatBook } from './cheat-book.ts'
import { codeTasksBook } from './code-tasks.ts'
import { livecodebenchBook } from './livecodebench.ts'
import { scicodeBook } from './scicode.ts'

/** The books of all benchmarks whose answers are run. */
export const books: readonly CheatBook[] = [codeTasksBook(), livecodebenchBook, scicodeBook]
