import { parentPort } from 'node:worker_threads'

/** Jobs by name. What goes in and comes out is copied between threads: plain data. */
// biome-ignore lint/suspicious/noExplicitAny: a table of functions of any one argument; each table has its own types.
export type JobTable = { readonly [name: string]: (input: any) => unknown }

/** What a thread is asked, one job at a time, and what it says to that. */
export type Asked = { name: string; input: unknown }
export type Said = { ok: true; value: unknown } | { ok: false; message: string }

/** Serves a table of jobs to whoever started this thread, for as long as the thread lives. */
export function serveJobs(jobs: JobTable): void {
  const port = parentPort
  if (!port) throw new Error('this is no thread')
  port.on('message', ({ name, input }: Asked) => {
    const job = Object.hasOwn(jobs, name) ? jobs[name] : undefined
    const work = async (): Promise<unknown> => {
      if (!job) throw new Error(`there is no job "${name}"`)
      return job(input)
    }
    const failed = (error: unknown): Said => ({ ok: false, message: error instanceof Error ? error.message : String(error) })
    void work()
      .then((value) => port.postMessage({ ok: true, value } satisfies Said))
      .catch((error: unknown) => port.postMessage(failed(error)))
  })
}
