import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** What a set of processes has used: CPU in microseconds since they started, and peak memory in MiB. */
export type Cost = { cpu_us: number; peak_mb: number }

/** Linux counts CPU time in ticks of a hundredth of a second. */
const tickUs = 10_000

/** Whether this machine tells what processes cost (Linux). */
export const canMeasure = existsSync('/proc/self/stat')

/** What the whole machine has done since it started, in microseconds over all CPUs: working, and working or idle. */
export function machineCost(): { busy_us: number; all_us: number } {
  const line = readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
  const all = ticks.reduce((sum, each) => sum + each, 0)
  return { busy_us: (all - (ticks[3] ?? 0) - (ticks[4] ?? 0)) * tickUs, all_us: all * tickUs }
}

/** Process ids of everything below `pid`, without itself. */
export function descendants(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const fields = statOf(Number(name))
    if (fields) parents.set(Number(name), Number(fields[1]))
  }
  const found = new Set([pid])
  for (let size = 0; size !== found.size; ) {
    size = found.size
    for (const [child, parent] of parents) if (found.has(parent)) found.add(child)
  }
  found.delete(pid)
  return [...found]
}

/** One process, its children excluded. */
export function costOf(pid: number): Cost {
  return { cpu_us: cpuOf(pid, false), peak_mb: kilobytes(`/proc/${pid}/status`, 'VmHWM') / 1024 }
}

/** A tree of processes that share memory: children that have ended count, memory is the proportional share held now. */
export function costOfTree(pids: readonly number[]): Cost {
  return {
    cpu_us: pids.reduce((sum, pid) => sum + cpuOf(pid, true), 0),
    peak_mb: heldMb(pids),
  }
}

/** What processes hold now, in MiB: the proportional share of what they share. */
export function heldMb(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + kilobytes(`/proc/${pid}/smaps_rollup`, 'Pss'), 0) / 1024
}

/** Fields of /proc/PID/stat from the state on; undefined when the process has gone. */
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

function cpuOf(pid: number, withEnded: boolean): number {
  const fields = statOf(pid) ?? []
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number)
  return (user + system + (withEnded ? endedUser + endedSystem : 0)) * tickUs
}

function kilobytes(path: string, name: string): number {
  try {
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(path, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
