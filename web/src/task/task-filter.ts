import { type TaskStatus, taskStatuses, type UploadedTask } from '#shared/contract/task-upload.ts'

/** How the list of tasks is narrowed; all of it stands in the address. */
export type TaskFilter = { q: string | undefined; status: TaskStatus | undefined; team: string | undefined; skip: number }

type Search = Record<string, string | string[] | undefined>

/** Tasks on one page of the list. */
export const tasksPerPage = 50

/** Reads a filter from the address; what makes no sense is left out. */
export function readTaskFilter(search: Search): TaskFilter {
  const text = (key: string) => (typeof search[key] === 'string' && search[key] !== '' ? (search[key] as string) : undefined)
  const skip = Number(text('skip') ?? 0)
  return {
    q: text('q')?.slice(0, 200),
    status: taskStatuses.find((one) => one === text('status')),
    team: text('team')?.slice(0, 36),
    skip: Number.isInteger(skip) && skip > 0 ? skip : 0,
  }
}

type Shown = Pick<UploadedTask, 'id' | 'name' | 'description' | 'opening' | 'original_filename'>

/** Whether every word of a search stands in what lists show of a task, in capitals or not. */
export function matchesSearch({ id, name, description, opening, original_filename }: Shown, q: string): boolean {
  const text = [id, name, description, opening, original_filename].join('\n').toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** The address of a filter. */
export function taskQuery({ q, status, team, skip }: TaskFilter): Record<string, string | undefined> {
  return { q, status, team, skip: skip > 0 ? String(skip) : undefined }
}
