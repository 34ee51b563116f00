import type * as z from 'zod'
import { type ExecuteTask, TaskExecuted, type UploadedTask, UploadedTaskList } from '#shared/contract/task-upload.ts'
import { countText, limitsText } from '#shared/metrics/score-text.ts'
import type { Client } from './client.ts'
import { CommandError, UsageError } from './io.ts'
import type { RunValues } from './run-options.ts'
import { type Column, cleanLine, table } from './terminal.ts'

/** Tasks in one answer. */
const pageSize = 100

/** The uploaded tasks of the caller, newest first, read page by page. */
export async function listUploaded(client: Client): Promise<UploadedTask[]> {
  const tasks: UploadedTask[] = []
  for (;;) {
    const page = await client.get(`/api/tasks?limit=${pageSize}&skip=${tasks.length}`, UploadedTaskList)
    tasks.push(...page)
    if (page.length < pageSize) return tasks
  }
}

/** The task of this id, or the newest of this name. Throws `CommandError` where there is none. */
export async function findUploaded(client: Client, named: string): Promise<UploadedTask> {
  const tasks = await listUploaded(client)
  const found = tasks.find(({ id }) => id === named.toLowerCase()) ?? tasks.find(({ name }) => name === named)
  if (found) return found
  throw new CommandError(
    `You have no task ${cleanLine(named)} there. "bench tasks" lists them, "bench upload" brings one.`,
    'task-not-found',
  )
}

const columns: Column[] = [
  { title: 'id', whole: true },
  { title: 'task' },
  { title: 'state' },
  { title: 'episodes', right: true },
  { title: 'last run' },
]

/** Tasks as a table, with the mean reward of the newest run of each; below it what should be known of them. */
export function uploadedText(tasks: readonly UploadedTask[], width: number | null): string[] {
  const rows = tasks.map(({ id, name, status, total_runs, latest }) => {
    const { estimate } = latest ?? {}
    const last =
      latest && estimate && estimate.value !== null
        ? `${Math.round(estimate.value * 1000) / 1000} (${limitsText(estimate)}) ${countText(estimate)}  ${latest.agent}`
        : '–'
    return [id, cleanLine(name), status, String(total_runs), cleanLine(last)]
  })
  const warnings = tasks.flatMap(({ name, warnings = [] }) => warnings.map((one) => `warning  ${cleanLine(name)}: ${cleanLine(one, 300)}`))
  return [...table(columns, rows, width), ...warnings]
}

/** What `bench run --task` may say beside the task: who works, with which model, how often. */
type Asked = Pick<RunValues, 'model' | 'provider' | 'profile' | 'epochs' | 'visibility' | 'budget-usd'> &
  Pick<RunValues, 'benchmark' | 'suite'>

/** Starts a run of an uploaded task. Throws `UsageError` for options that the task itself decides. */
export async function executeUploaded(client: Client, named: string, values: Asked, key: string): Promise<TaskExecuted> {
  if (values.benchmark || values.suite) throw new UsageError('--task names what is run: leave --benchmark and --suite out.')
  if ((values.model?.length ?? 0) > 1) throw new UsageError('--task takes one model; start it again for another.')
  const task = await findUploaded(client, named)
  const { provider, profile: agent, epochs: num_runs, visibility, 'budget-usd': budget_usd } = values
  const given = { model: values.model?.[0], provider, agent, num_runs, visibility, budget_usd }
  const body: Partial<z.input<typeof ExecuteTask>> = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return client.post(`/api/tasks/${task.id}/execute-async`, body, TaskExecuted, { 'idempotency-key': key })
}
