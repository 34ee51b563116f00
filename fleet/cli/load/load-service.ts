import * as z from 'zod'
import { TaskExecuted, UploadedTask } from '#shared/contract/task-upload.ts'
import { CommandError, type Io } from '../io.ts'

/** What every user of a load does: `tasks` uploads one after the other, each executed with `episodes` episodes and polled to its end. */
export type LoadPlan = {
  users: number
  tasks: number
  episodes: number
  agent: string
  model: string | undefined
  archive: { filename: string; zip: Blob }
  poll_ms: number
  /** Time of the whole load; what has not ended then is reported as open. */
  most_ms: number
  /** Leave the tasks in the service. */
  keep: boolean
}

export const loadSteps = ['upload', 'execute', 'poll', 'delete'] as const
export type LoadStep = (typeof loadSteps)[number]

/** One HTTP request. `status` is null where no answer came. */
export type Sent = { step: LoadStep; status: number | null; took_ms: number }
export type LoadReport = {
  sent: Sent[]
  episodes: { asked: number; passed: number; failed: number; open: number }
  /** Tasks that stay in the service. */
  left: string[]
  took_ms: number
}

/** Longest time of one request. */
const requestMs = 120_000
/** Wait after 429 and 503 without Retry-After, and the longest that such a header is followed. */
const usualWaitMs = 1_000
const mostWaitMs = 30_000

const Standing = UploadedTask.pick({ status: true, total_runs: true, passed_runs: true, failed_runs: true })

/** Puts the load on the service at `url`. A failed request ends its user's task and is in the report. Throws `CommandError` when interrupted. */
export async function loadService(
  url: string,
  plan: LoadPlan,
  io: Pick<Io, 'fetch' | 'now' | 'pause' | 'signal' | 'progress'>,
  headers: Record<string, string>,
): Promise<LoadReport> {
  const from = io.now()
  const report: LoadReport = { sent: [], episodes: { asked: 0, passed: 0, failed: 0, open: 0 }, left: [], took_ms: 0 }
  const overdue = () => io.now() - from > plan.most_ms

  const send = async <S extends z.ZodType>(step: LoadStep, path: string, init: RequestInit, schema: S): Promise<z.infer<S> | undefined> => {
    for (;;) {
      const began = io.now()
      const note = (status: number | null) => void report.sent.push({ step, status, took_ms: io.now() - began })
      let response: Response
      let text: string
      try {
        const signal = AbortSignal.any([io.signal, AbortSignal.timeout(requestMs)])
        response = await io.fetch(url + path, { ...init, headers: { ...headers, ...(init.headers as Record<string, string>) }, signal })
        text = await response.text()
      } catch (cause) {
        if (io.signal.aborted) throw new CommandError('interrupted', 'interrupted', null, { cause })
        note(null)
        return undefined
      }
      note(response.status)
      if ((response.status !== 429 && response.status !== 503) || overdue()) return response.ok ? read(schema, text) : undefined
      await io.pause(waitOf(response))
    }
  }

  const doTask = async (name: string): Promise<void> => {
    const form = new FormData()
    const fields = { name, agent: plan.agent, model: plan.model, num_runs: String(plan.episodes) }
    for (const [field, value] of Object.entries(fields)) if (value !== undefined) form.set(field, value)
    form.set('file', plan.archive.zip, plan.archive.filename)
    const task = await send('upload', '/api/tasks', { method: 'POST', body: form }, UploadedTask.pick({ id: true }))
    if (!task) return
    const path = `/api/tasks/${encodeURIComponent(task.id)}`
    const executed = await send('execute', `${path}/execute-async`, { method: 'POST' }, TaskExecuted.pick({ runs_queued: true }))
    report.episodes.asked += executed?.runs_queued ?? 0
    let open = executed !== undefined
    let ended = { passed: 0, failed: 0 }
    while (open && !overdue()) {
      await io.pause(plan.poll_ms)
      const standing = await send('poll', path, {}, Standing)
      if (!standing) break
      ended = { passed: standing.passed_runs, failed: standing.failed_runs }
      open = standing.status === 'pending' || standing.status === 'running'
      io.progress(`${report.sent.length} requests, ${report.episodes.passed + report.episodes.failed} episodes of ended tasks`)
    }
    report.episodes.passed += ended.passed
    report.episodes.failed += ended.failed
    if (executed) report.episodes.open += executed.runs_queued - ended.passed - ended.failed
    const gone = !open && !plan.keep && (await send('delete', path, { method: 'DELETE' }, z.unknown())) !== undefined
    if (!gone) report.left.push(task.id)
  }

  await Promise.all(
    Array.from({ length: plan.users }, async (_, user) => {
      for (let task = 0; task < plan.tasks && !overdue(); task++) await doTask(`load ${user + 1}.${task + 1}`)
    }),
  )
  report.took_ms = io.now() - from
  return report
}

function read<S extends z.ZodType>(schema: S, text: string): z.infer<S> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function waitOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, mostWaitMs) : usualWaitMs
}
