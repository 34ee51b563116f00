import type { FoundTask, StoredRun } from '#db/store.ts'
import { TaskId } from '#shared/contract/task-upload.ts'
import type { Deps, Principal } from '../deps.ts'
import { Problem } from '../problem.ts'
import { withLiveHead } from './run-access.ts'

/** A task of this owner, or any for an admin. Those of others do not exist for him. */
export async function getTask(id: string, owner_id: string, principal: Principal, deps: Pick<Deps, 'store'>): Promise<FoundTask> {
  const found = TaskId.safeParse(id).success ? await deps.store.findTask(id.toLowerCase()) : undefined
  if (found && (found.task.owner_id === owner_id || principal.scopes.includes('admin'))) return found
  throw new Problem('task-not-found', `There is no task ${id.slice(0, 80)}, or it is somebody else's.`)
}

/** Whose tasks are listed: an admin operates the service and sees all of them. */
export const listedOwner = (owner_id: string, principal: Principal): string | null => (principal.kind === 'admin' ? null : owner_id)

/** The runs of a task as they stand now, newest first. */
export async function liveRuns(task_id: string, limit: number, deps: Deps): Promise<StoredRun[]> {
  const runs = await deps.store.listTaskRuns(task_id, limit)
  return Promise.all(runs.map((run) => withLiveHead(run, deps)))
}

/** The newest run of each of these tasks as it stands now, by the task's id; a task without one is absent. */
export async function latestRuns(task_ids: readonly string[], deps: Deps): Promise<Map<string, StoredRun>> {
  const found = task_ids.length === 0 ? [] : await deps.store.listLatestRuns(task_ids)
  return new Map(await Promise.all(found.map(async ({ task_id, ...run }) => [task_id, await withLiveHead(run, deps)] as const)))
}
