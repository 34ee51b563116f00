import type { Item } from '../../contract/item.ts'
import { listRows } from '../rows.ts'
import { type OpenedTask, openTask, type Task, type TaskContext } from '../task.ts'

type Lists = Omit<TaskContext, 'rows'> & { rows: Readonly<Record<string, readonly unknown[]>> }

/** A task over rows that a test has at hand. */
export function openLists(task: Pick<Task, 'survey' | 'open'>, { rows, ...context }: Lists): Promise<OpenedTask> {
  return openTask(task, { ...context, rows: Object.fromEntries(Object.entries(rows).map(([role, list]) => [role, listRows(list)])) })
}

/** Every item of one epoch. */
export const itemsOf = ({ count, item }: OpenedTask, epoch = 0): Promise<Item[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => item(index, epoch)))
