import type { TaskFacts, TaskStatus } from '#shared/contract/task-upload.ts'
import type { TaskStanding } from '#shared/run/task-standing.ts'
import type { StoredRun } from './store.ts'

/** A task as its owner uploaded it. In lists the instruction of `facts` is its opening alone. */
export type StoredTask = {
  id: string
  owner_id: string
  name: string
  /** What its archive is called in the data of its runs: see `uploadData`. */
  archive_name: string
  original_filename: string
  size_bytes: number
  sha256: string
  checksum: string
  facts: TaskFacts
  model: string | null
  provider: string | null
  agent: string
  num_runs: number
  created_at: string
}
export type FoundTask = { task: StoredTask; standing: TaskStanding }
/** `owners` null: those of everybody. */
export type TaskFilter = { owners: readonly string[] | null; status?: TaskStatus | undefined; skip: number; limit: number }
/** Tasks by where they stand, and the episodes of all their runs. */
export type TaskCounts = { tasks: Record<TaskStatus, number>; episodes: { total: number; passed: number; failed: number; errors: number } }

/** The part of the record that uploaded tasks have. */
export type TaskStore = {
  createTask(task: StoredTask): Promise<void>
  /** Newest first. */
  listTasks(filter: TaskFilter): Promise<{ tasks: FoundTask[]; total: number }>
  findTask(id: string): Promise<FoundTask | undefined>
  /** The newest task of this owner whose archive is called so. */
  findNewestTask(owner_id: string, archive_name: string): Promise<StoredTask | undefined>
  /** Deletes a task unless one of its runs is open; its runs stay. False where it is left. */
  deleteTask(id: string): Promise<boolean>
  /** The runs of a task, newest first. */
  listTaskRuns(id: string, limit: number): Promise<StoredRun[]>
  /** The newest run of each of these tasks; a task without one is absent. */
  listLatestRuns(ids: readonly string[]): Promise<(StoredRun & { task_id: string })[]>
  /** Of these hashes those that are no task's. */
  listUnnamedArchives(hashes: readonly string[]): Promise<string[]>
  countTasks(owners: readonly string[] | null): Promise<TaskCounts>
}
