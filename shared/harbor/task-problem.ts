import type { NotRunnableReason } from '../contract/task-upload.ts'

/** Everything that can be wrong with the files of a task, in the order in which they are looked at. */
export const taskProblemReasons = [
  'no-task-toml',
  'bad-text',
  'bad-toml',
  'bad-value',
  'bad-ignore-file',
  'bad-step-name',
  'missing-step',
  'missing-instruction',
  'missing-environment',
  'missing-test-script',
  'ignored-file',
  'missing-file',
  'bad-yaml',
] as const
export type TaskProblemReason = (typeof taskProblemReasons)[number]

/**
 * One thing that makes a folder no task. `entry`: the file it is about, from the task's root; `key`: the dotted key of `task.toml`, where it is
 * about one; `text`: what is wrong and what to write instead, for whoever made the task.
 */
export type TaskProblem = { reason: TaskProblemReason; entry: string; key: string | null; text: string }

/**
 * Why a task cannot run here. `concerns`: solvers that ask a model only, where `oracle` and `nop` do without it; `key`: where the task asks for
 * it; `text`: what it asks for and what would have to change. A `host-variable` is none once whoever runs the task gives its value.
 */
export type NotRunnable = { reason: NotRunnableReason; concerns: 'all' | 'models'; key: string; text: string }
