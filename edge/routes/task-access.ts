import type { FoundTask, StoredRun } from '#db/store.ts'
import { TaskId } from '#shared/contract/task-upload.ts'
import type { TeamRight } from '#shared/contract/team-rights.ts'
import { actingOwner, mayDo, ownersOf, placeIn, roleProblem } from '../auth/team-access.ts'
import type { Deps, Principal } from '../deps.ts'
import { Problem } from '../problem.ts'
import { withLiveHead } from './run-access.ts'

/** A task of this visitor or of a team of his where his role suffices, or any for an admin. Those of others do not exist for him. */
export async function getTask(id: string, right: TeamRight, principal: Principal, deps: Pick<Deps, 'store'>): Promise<FoundTask> {
  const found = TaskId.safeParse(id).success ? await deps.store.findTask(id.toLowerCase()) : undefined
  if (found && (mayDo(principal, found.task.owner_id, right) || principal.scopes.includes('admin'))) return found
  const place = found && placeIn(principal, found.task.owner_id)
  if (place) throw roleProblem(place, right)
  throw new Problem('task-not-found', `There is no task ${id.slice(0, 80)}, or it is somebody else's.`)
}

/** Whose tasks are listed: those of the named team, else the visitor's own and his teams'. An admin operates the service and sees all. */
export function listedOwners(owner_id: string, team: string | undefined, principal: Principal): string[] | null {
  if (team !== undefined) return [actingOwner({ ...principal, owner_id }, team, 'read')]
  return principal.kind === 'admin' ? null : ownersOf(principal)
}

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
