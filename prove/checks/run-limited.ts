import { type StdioOptions, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { endTree, livingOf } from './process-tree.ts'

export type Limited = {
  args: readonly string[]
  cwd: string
  limitMs: number
  /** How long what is ended may take to end by itself. */
  graceMs?: number
  env?: NodeJS.ProcessEnv
  /** Ends it early, like the limit does. */
  signal?: AbortSignal
  /** Takes each line of its output; without it the output goes to our own. */
  onLine?: (line: string) => void
}

/**
 * Runs this Node with `args` to its end. After `limitMs` it is ended with everything it started. Resolves
 * with the sentence that says why it failed, or null. Processes that outlive it are ended too, and named.
 */
export async function runLimited({ args, cwd, limitMs, graceMs, env = process.env, signal, onLine }: Limited): Promise<string | null> {
  const mark = { name: 'BENCH_CHECK', value: randomUUID() }
  const stdio = onLine ? (['ignore', 'pipe', 'pipe'] as const) : 'inherit'
  const child = spawn(process.execPath, [...args], { cwd, stdio: stdio as StdioOptions, env: { ...env, [mark.name]: mark.value } })
  for (const input of [child.stdout, child.stderr]) if (input && onLine) createInterface({ input }).on('line', onLine)
  const ended = Promise.withResolvers<string | null>()
  child.once('error', (error) => ended.resolve(`could not be started: ${error.message}`))
  child.once('exit', (code, by) => ended.resolve(code === 0 ? null : by ? `ended by ${by}` : `exit code ${code}`))
  const cut = Promise.withResolvers<string>()
  const clock = setTimeout(() => cut.resolve(`took longer than ${limitMs / 1000} s and was ended`), limitMs)
  const stop = () => cut.resolve('was ended')
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()

  const failure = await Promise.race([ended.promise, cut.promise])
  clearTimeout(clock)
  signal?.removeEventListener('abort', stop)
  if (child.pid === undefined) return failure
  const tag = `${mark.name}=${mark.value}`
  // A process that outlives the step may hold its pipes open.
  const closed = Promise.all([child.stdout, child.stderr].map((pipe) => pipe && !pipe.closed && once(pipe, 'close')))
  const outlived = child.exitCode === null && child.signalCode === null ? [] : livingOf(child.pid, tag)
  await endTree(child.pid, tag, graceMs)
  await closed
  if (outlived.length > 0) console.log(`ended what it left behind: ${outlived.map(({ name, pid }) => `${name} (${pid})`).join(', ')}`)
  return failure
}
