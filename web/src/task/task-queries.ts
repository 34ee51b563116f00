import { query } from '@solidjs/router'
import * as z from 'zod'
import { TaskAgentList, TaskRun, UploadedTask, UploadedTaskDetail } from '#shared/contract/task-upload.ts'
import { ask, askPage } from '../api.ts'
import { taskApiPath } from '../paths.ts'
import { queryString } from '../query-string.ts'

/** A task of the list with its newest run. */
export const ListedTask = UploadedTask.extend({ latest: TaskRun.nullable().default(null) })
export type ListedTask = z.infer<typeof ListedTask>

export const getTasks = query(
  (filter: Record<string, string | number | undefined>) => askPage(z.array(ListedTask), `/api/tasks${queryString(filter)}`),
  'tasks',
)
export const getTask = query((id: string) => ask(UploadedTaskDetail, taskApiPath(id)), 'task')
export const getTaskAgents = query(() => ask(TaskAgentList, '/api/tasks/agents'), 'task-agents')
