import { count } from '#shared/metrics/number-text.ts'
import type { SandboxSpec } from '#shared/solvers/sandbox.ts'

/** The least memory that what keeps a sandbox, and a program in it, start in. */
const leastMemory_mb = 16
const most = { cpus: 1024, memory_mb: 16_777_216, disk_mb: 16_777_216 }

/**
 * Why no sandbox whose files are in memory can have these sizes, in a sentence; null: one can. What is no number in its range is refused, never
 * taken as no limit. `keeper` is what keeps it.
 */
export function sizeRefusal(
  keeper: string,
  { cpus, memory_mb, disk_mb }: Pick<SandboxSpec, 'cpus' | 'memory_mb' | 'disk_mb'>,
): string | null {
  if (!within(cpus, 0.01, most.cpus)) return `A sandbox has between 0.01 and ${count(most.cpus)} CPUs.`
  if (!within(memory_mb, leastMemory_mb, most.memory_mb))
    return `A sandbox has between ${leastMemory_mb} and ${count(most.memory_mb)} MB of memory.`
  if (!within(disk_mb, 1, most.disk_mb)) return `A sandbox has between 1 and ${count(most.disk_mb)} MB of disk.`
  if (disk_mb > memory_mb)
    return `${keeper} keeps the files of a sandbox in its memory: ${count(disk_mb)} MB of disk need as much memory, not ${count(memory_mb)} MB.`
  return null
}

const within = (value: number, least: number, largest: number): boolean => value >= least && value <= largest
