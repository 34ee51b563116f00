import { Worker } from 'node:worker_threads'
import type { Clock } from '#shared/run/clock.ts'
import type { Asked, Said } from './serve-jobs.ts'
import { ThreadTrouble } from './thread-trouble.ts'

export type JobOptions = {
  signal?: AbortSignal | null
  /** A job that takes longer is given up together with its thread; without it a job may take as long as it takes. */
  deadlineMs?: number
}

export type PoolOptions = {
  /** The module that every thread runs; it serves the jobs (`serveJobs`). */
  entry: URL
  threads: number
  /** What one thread may hold in its heap, in MiB; bytes of buffers lie outside. */
  memoryMb: number
  /** A thread that has had nothing to do for so long is ended: what it holds is a tenth of an agent, and the next job starts another. */
  idleMs: number
  clock: Clock
}

/** A thread that waits for its next job keeps what it has: with V8's own size of the young generation that was 70 MiB of an agent's 380. */
const youngMb = 4

/** `giveUp` takes it from the queue, or ends the thread that works on it. */
type Job = Asked & {
  deadlineMs: number | undefined
  resolve(value: unknown): void
  giveUp(reason: unknown): void
  reject(error: unknown): void
}

/**
 * Threads that take one job at a time, started when they are needed and kept for the next as long as it comes soon; jobs wait in the order they came.
 * A thread that dies is replaced. Idle threads do not keep the process alive.
 */
export function createThreadPool({ entry, threads, memoryMb, idleMs, clock }: PoolOptions) {
  const waiting: Job[] = []
  const idle: { thread: Worker; stay(): void }[] = []
  const all = new Set<Worker>()

  const begin = (): Worker => {
    const thread = new Worker(entry, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMb },
    })
    all.add(thread)
    thread.on('error', () => undefined) // whoever waits for it hears it; an idle one is replaced
    thread.once('exit', () => remove(thread))
    return thread
  }
  const remove = (thread: Worker): void => {
    all.delete(thread)
    unrest(thread)
    pump()
  }
  const rest = (thread: Worker): void => {
    thread.unref()
    const end = (): void => {
      unrest(thread) // no job may be given to it while it goes
      void thread.terminate()
    }
    idle.push({ thread, stay: clock.after(idleMs, end) })
  }
  const unrest = (thread: Worker): void => {
    const at = idle.findIndex((each) => each.thread === thread)
    if (at >= 0) idle.splice(at, 1)[0]!.stay()
  }
  const wake = (): Worker | undefined => {
    const last = idle.pop()
    last?.stay()
    return last?.thread
  }
  const pump = (): void => {
    while (waiting.length > 0) {
      const thread = wake() ?? (all.size < threads ? begin() : undefined)
      if (!thread) return
      hand(thread, waiting.shift()!)
    }
  }
  const hand = (thread: Worker, job: Job): void => {
    const { name, input, deadlineMs, resolve, reject } = job
    const undo: (() => void)[] = []
    const settle = (act: () => void, keep: boolean): void => {
      for (const each of undo.splice(0)) each()
      if (keep) rest(thread)
      else void thread.terminate()
      act()
      pump()
    }
    const give = (error: unknown): void => settle(() => reject(error), false)
    const on = <V>(event: string, hear: (value: V) => void): void => {
      thread.once(event, hear)
      undo.push(() => thread.off(event, hear))
    }
    on('message', (said: Said) => settle(() => (said.ok ? resolve(said.value) : reject(new ThreadTrouble('thrown', said.message))), true))
    on('error', (cause: Error & { code?: string }) =>
      give(
        cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new ThreadTrouble('memory', `"${name}" needed more than ${memoryMb} MiB of memory`, { cause })
          : new ThreadTrouble('died', `the thread of "${name}" died: ${cause.message}`, { cause }),
      ),
    )
    on('exit', (code: number) => give(new ThreadTrouble('died', `the thread of "${name}" ended with code ${code}`)))
    if (deadlineMs !== undefined)
      undo.push(clock.after(deadlineMs, () => give(new ThreadTrouble('deadline', `"${name}" took longer than ${deadlineMs / 1000} s`))))
    job.giveUp = give
    thread.ref()
    try {
      thread.postMessage({ name, input } satisfies Asked)
    } catch (error) {
      settle(() => reject(error), true)
    }
  }

  return {
    /** The result of a job. Rejects with `ThreadTrouble`, or with the signal's reason. */
    async run(name: string, input: unknown, { signal, deadlineMs }: JobOptions = {}): Promise<unknown> {
      signal?.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const job: Job = { name, input, deadlineMs, resolve, reject, giveUp: (reason) => drop(job, reason) }
      const abort = (): void => job.giveUp(signal?.reason)
      signal?.addEventListener('abort', abort)
      waiting.push(job)
      pump()
      return promise.finally(() => signal?.removeEventListener('abort', abort))
    },
    /** Ends all threads; jobs in work come to nothing. */
    async close(): Promise<void> {
      for (const job of waiting.splice(0)) job.reject(new ThreadTrouble('died', 'the threads were closed'))
      await Promise.all([...all].map((thread) => thread.terminate()))
    },
  }

  function drop(job: Job, reason: unknown): void {
    waiting.splice(waiting.indexOf(job), 1)
    job.reject(reason)
  }
}
export type ThreadPool = ReturnType<typeof createThreadPool>
