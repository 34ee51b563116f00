import { query } from '@solidjs/router'
import { TaskAgentList, TaskEpisodeList, type UploadedTask, UploadedTaskDetail, UploadedTaskList } from '#shared/contract/task-upload.ts'
import { type Answer, ask, askPage } from '../api.ts'
import { taskApiPath } from '../paths.ts'
import { queryString } from '../query-string.ts'
import { matchesSearch, type TaskFilter, tasksPerPage } from './task-filter.ts'

const searchedPage = 100
/** Tasks that a search looks through, the newest. */
export const mostSearched = 1000

type Found = Answer<{ rows: UploadedTask[]; total: number; searched: number | null }>

/**
 * A page of the list. A search is over what lists show of a task, which the API does not look through: the newest tasks are read, a hundred at a time, and
 * `searched` says of how many there are.
 */
export const getTasks = query(async ({ q, status, team, skip }: TaskFilter): Promise<Found> => {
  const read = (window: { skip: number; limit: number }) =>
    askPage(UploadedTaskList, `/api/tasks${queryString({ status, team, ...window })}`)
  if (q === undefined) {
    const answer = await read({ skip, limit: tasksPerPage })
    return answer.ok ? { ok: true, value: { ...answer.value, searched: null } } : answer
  }
  const hits: UploadedTask[] = []
  let [from, all] = [0, 0]
  do {
    const answer = await read({ skip: from, limit: searchedPage })
    if (!answer.ok) return answer
    hits.push(...answer.value.rows.filter((task) => matchesSearch(task, q)))
    all = answer.value.total
    from += searchedPage
  } while (from < Math.min(all, mostSearched))
  return { ok: true, value: { rows: hits.slice(skip, skip + tasksPerPage), total: hits.length, searched: all } }
}, 'tasks')
export const getTask = query((id: string) => ask(UploadedTaskDetail, taskApiPath(id)), 'task')
/** Episodes of one run of a task. */
export const getEpisodes = query(
  (id: string, run_id: string) => ask(TaskEpisodeList, taskApiPath(id, `/runs${queryString({ run_id })}`)),
  'task-episodes',
)
export const getTaskAgents = query(() => ask(TaskAgentList, '/api/tasks/agents'), 'task-agents')
