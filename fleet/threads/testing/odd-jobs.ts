import { threadId } from 'node:worker_threads'
import { serveJobs } from '../serve-jobs.ts'

/** A thread whose jobs do all that a job should not. */
serveJobs({
  double: (given: number) => given * 2,
  thread: () => threadId,
  fail: (message: string) => {
    throw new Error(message)
  },
  spin: () => {
    for (;;) Math.random()
  },
  never: () => new Promise(() => undefined),
  leave: (code: number) => process.exit(code),
  eat: () => {
    const held: number[][] = []
    for (;;) held.push(Array.from({ length: 100_000 }, (_, at) => at + Math.random()))
  },
})
