import type { CheatBook } from './cheat-book.ts'
import { codeTasksBook } from './code-tasks.ts'

/** The books of all benchmarks whose answers are run. */
export const books: readonly CheatBook[] = [codeTasksBook()]
