import { query } from '@solidjs/router'
import * as z from 'zod'
import { TaskAgentList, TaskEpisodeList, TaskRun, UploadedTask, UploadedTaskDetail } from '#shared/contract/task-upload.ts'
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
/** Episodes of one run of a task. */
export const getEpisodes = query(
  (id: string, run_id: string) => ask(TaskEpisodeList, taskApiPath(id, `/runs${queryString({ run_id })}`)),
  'task-episodes',
)
export const getTaskAgents = query(() => ask(TaskAgentList, '/api/tasks/agents'), 'task-agents')
