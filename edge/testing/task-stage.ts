import type { StoredRun } from '#db/store.ts'
import { card } from '#shared/benchmarks/terminal_tasks/card.ts'
import type { RunHead } from '#shared/contract/run.ts'
import { UploadedTask } from '#shared/contract/task-upload.ts'
import { bearer, giveKey, openApp } from './call-app.ts'
import { exampleFiles, formOf, zipOf } from './example-task.ts'
import { formBytes } from './form-bytes.ts'

/** The app with terminal tasks, an owner's key, and what sends a form and reads answers. */
export async function taskStage() {
  const app = openApp({ cards: [card] })
  const headers = bearer(await giveKey(app, 'owner'))
  const upload = async (form: FormData, query = '', keyed: Record<string, string> = headers) => {
    const sent = await formBytes(form)
    return app.app.request(`https://bench.example/api/tasks${query}`, {
      method: 'POST',
      headers: { 'cf-connecting-ip': '127.0.0.1', ...keyed, ...sent.headers },
      body: sent.body,
    })
  }
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await app.call(method, path, { headers, ...(body !== undefined && { body }) })
    return { status: response.status, headers: response.headers, answer: await response.json() }
  }
  const uploaded = async (fields: Record<string, string> = {}) =>
    UploadedTask.parse(await (await upload(formOf(await zipOf(exampleFiles()), fields))).json())
  return { ...app, headers, upload, ask, uploaded }
}

/** The run of a task with this head in place of its own, in the record and alive. */
export function turn(
  { record, living }: Pick<Awaited<ReturnType<typeof taskStage>>, 'record' | 'living'>,
  run_id: string,
  change: Partial<RunHead>,
): StoredRun {
  const run = record.runs.get(run_id)!
  const head = { ...run.head, ...change }
  const next = { ...run, head }
  record.runs.set(run_id, next)
  living.set(run_id, { spec: run.spec, head })
  return next
}
