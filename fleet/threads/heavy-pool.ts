import { availableParallelism } from 'node:os'
import { processClock } from '../process-clock.ts'
import { threadEntry } from '../program.ts'
import type { Heavy } from './heavy.ts'
import { createThreadPool } from './thread-pool.ts'

/** One core stays for the agent's own thread. More than four threads would only take memory: jobs are few. */
const threads = Math.max(1, Math.min(4, availableParallelism() - 1))
const memoryMb = 1024
const idleMs = 5_000

const entry = threadEntry === null ? new URL(import.meta.url) : new URL(threadEntry, import.meta.url)

/** Heavy work on threads of this process. */
export function openHeavyPool(): Heavy & { close(): Promise<void> } {
  const pool = createThreadPool({ entry, threads, memoryMb, idleMs, clock: processClock })
  return { run: (name, input, options) => pool.run(name, input, options) as never, close: pool.close } // each job gives what its table says
}
