import { vi } from 'vitest'
import { Run } from '#shared/contract/api.ts'
import { isTerminal } from '#shared/contract/run.ts'

type Request = { body?: unknown; headers?: Record<string, string> }

/** One HTTP request to a stack; `body` goes out as JSON, a string as it is. */
export function call(base: string, method: string, path: string, { body, headers }: Request = {}): Promise<Response> {
  return fetch(base + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

/** Starts a run, public unless `body` says otherwise, and gives it back as the API shows it. Throws when it was refused. */
export async function createRun(base: string, body: Record<string, unknown>, headers: Record<string, string> = {}): Promise<Run> {
  const response = await call(base, 'POST', '/api/runs', { body: { visibility: 'public', ...body }, headers })
  if (response.status >= 300) throw new Error(`the run was refused: ${response.status} ${await response.text()}`)
  return Run.parse(await response.json())
}

export async function getRun(base: string, id: string, headers: Record<string, string> = {}): Promise<Run> {
  return Run.parse(await (await call(base, 'GET', `/api/runs/${id}`, { headers })).json())
}

/** How long a journey waits for a run before it gives up; long, since other work may hold the cores. */
const patienceMs = 180_000

/** Waits until a run has ended and gives it back. */
export function untilEnded(base: string, id: string, headers: Record<string, string> = {}): Promise<Run> {
  return untilRun(base, id, (run) => isTerminal(run.status), headers)
}

/** Waits until a run is as `fits` says and gives it back. */
export function untilRun(base: string, id: string, fits: (run: Run) => boolean, headers: Record<string, string> = {}): Promise<Run> {
  return vi.waitFor(
    async () => {
      const run = await getRun(base, id, headers)
      if (!fits(run)) throw new Error(`the run is ${run.status} with ${run.head.done} of ${run.head.total} trials done`)
      return run
    },
    { timeout: patienceMs, interval: 250 },
  )
}

/** Waits until everything of an ended run stands in the record, and gives the run back with its final metrics. */
export async function untilRecorded(base: string, id: string): Promise<Run> {
  const response = await call(base, 'HEAD', `/api/runs/${id}/export`)
  if (!response.ok) throw new Error(`the run is not in the record: ${response.status}`)
  return getRun(base, id)
}
