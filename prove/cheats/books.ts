import type { CheatBook } from './cheat-book.ts'
import { codeTasksBook } from './code-tasks.ts'
import { janusCodeBook } from './janus-code.ts'
import { janusToolsBook } from './janus-tools.ts'
import { livecodebenchBook } from './livecodebench.ts'
import { scicodeBook } from './scicode.ts'

/** The books of all benchmarks whose answers are run, and of those whose calls of tools are scored. */
export const books: readonly CheatBook[] = [
  codeTasksBook(),
  livecodebenchBook,
  scicodeBook,
  ...(['v2', 'v1'] as const).flatMap((version) => [
    janusToolsBook(version),
    janusCodeBook(version, 'public/train'),
    janusCodeBook(version, 'public/dev'),
  ]),
]
