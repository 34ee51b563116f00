import type { FoundTask, Store, StoredRun, StoredTask } from '#db/store.ts'
import { isTerminal } from '#shared/contract/run.ts'
import { mostOpening, type TaskStatus, taskStatuses } from '#shared/contract/task-upload.ts'
import { taskStanding } from '#shared/run/task-standing.ts'

/** `taskRuns`: the task of each run that is one's. */
export const emptyTasks = () => ({ tasks: new Map<string, StoredTask>(), taskRuns: new Map<string, string>() })
type Held = { runs: Map<string, StoredRun> } & ReturnType<typeof emptyTasks>
type TaskMethods =
  | 'createTask'
  | 'listTasks'
  | 'findTask'
  | 'findNewestTask'
  | 'deleteTask'
  | 'listTaskRuns'
  | 'listLatestRuns'
  | 'listUnnamedArchives'
  | 'countTasks'

/** Uploaded tasks and which runs are theirs, kept in memory; newest last. */
export function memoryTasks(record: Held): Pick<Store, TaskMethods> {
  const runsOf = (id: string): StoredRun[] =>
    [...record.taskRuns].flatMap(([run_id, task_id]) => (task_id === id ? (record.runs.get(run_id) ?? []) : [])).toReversed()
  const found = (task: StoredTask): FoundTask => ({ task, standing: taskStanding(runsOf(task.id).map(({ head }) => head)) })
  const all = (owners: readonly string[] | null): FoundTask[] =>
    [...record.tasks.values()]
      .filter((task) => owners === null || owners.includes(task.owner_id))
      .map(found)
      .toReversed()
  return {
    createTask: async (task) => void record.tasks.set(task.id, task),
    async listTasks({ owners, status, skip, limit }) {
      const fitting = all(owners).filter(({ standing }) => status === undefined || standing.status === status)
      const short = ({ task, standing }: FoundTask): FoundTask => ({
        task: { ...task, facts: { ...task.facts, instruction: task.facts.instruction.slice(0, mostOpening) } },
        standing,
      })
      return { tasks: fitting.slice(skip, skip + limit).map(short), total: fitting.length }
    },
    findTask: async (id) => (record.tasks.has(id) ? found(record.tasks.get(id)!) : undefined),
    findNewestTask: async (owner_id, archive_name) =>
      all([owner_id])
        .map(({ task }) => task)
        .find((task) => task.archive_name === archive_name),
    async deleteTask(id) {
      if (runsOf(id).some(({ head }) => !isTerminal(head.status))) return false
      for (const [run_id, task_id] of record.taskRuns) if (task_id === id) record.taskRuns.delete(run_id)
      return record.tasks.delete(id)
    },
    listTaskRuns: async (id, limit) => runsOf(id).slice(0, limit),
    listLatestRuns: async (ids) =>
      ids.flatMap((task_id) =>
        runsOf(task_id)
          .slice(0, 1)
          .map((run) => ({ ...run, task_id })),
      ),
    listUnnamedArchives: async (hashes) => hashes.filter((sha256) => ![...record.tasks.values()].some((task) => task.sha256 === sha256)),
    async countTasks(owners) {
      const tasks = all(owners)
      const sum = (name: 'total' | 'passed' | 'failed' | 'errors') => tasks.reduce((total, { standing }) => total + standing[name], 0)
      const counted = (status: TaskStatus) => tasks.filter(({ standing }) => standing.status === status).length
      return {
        tasks: Object.fromEntries(taskStatuses.map((status) => [status, counted(status)])) as Record<TaskStatus, number>, // every status
        episodes: { total: sum('total'), passed: sum('passed'), failed: sum('failed'), errors: sum('errors') },
      }
    },
  }
}
