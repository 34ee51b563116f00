import { findPart, type PartName } from '../prove/chaos/processes.ts'
import type { Stack } from './stack.ts'

/** The process of a part of a stack. Throws when it is away. */
export function pidOf(stack: Stack, part: PartName): number {
  const pid = findPart(stack.pid, part)
  if (pid === undefined) throw new Error(`no ${part} below ${stack.pid}:\n${stack.said()}`)
  return pid
}

/** Lets a part stand still while `during` goes on, as a laptop that sleeps. */
export async function withFrozen(stack: Stack, part: PartName, during: () => Promise<void>): Promise<void> {
  const pid = pidOf(stack, part)
  process.kill(pid, 'SIGSTOP')
  try {
    await during()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

/** Ends a part with everything it started, and keeps the supervisor from starting it again until `during` is over. */
export async function without(stack: Stack, part: 'agent' | 'host', during: () => Promise<void>): Promise<void> {
  await withFrozen(stack, 'supervisor', async () => {
    // A part leads a process group of its own.
    process.kill(-pidOf(stack, part), 'SIGKILL')
    await during()
  })
}
