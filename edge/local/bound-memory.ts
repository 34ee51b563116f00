import { readFileSync } from 'node:fs'

/**
 * Memory of workerd, in MiB, from which on it is begun anew where no run is open; at twice as much it is whatever goes on. A bare object that does nothing
 * leaves 25 KiB in workerd for good, so that what it holds grows with every run.
 */
export const workerdMost_mb = 768

export type MemoryBound = {
  most_mb: number
  /** What the process holds, in MiB; null where that cannot be told. */
  heldMb(): number | null
  /** Whether nobody would notice. Rejects where that cannot be told. */
  isIdle(): Promise<boolean>
  /** Ends the process at once; who watches it begins another. */
  restart(held_mb: number): void
}

/** Looks once. Rejects never. */
export async function boundMemory({ most_mb, heldMb, isIdle, restart }: MemoryBound): Promise<'fits' | 'waits' | 'restarted'> {
  const held = heldMb()
  if (held === null || held <= most_mb) return 'fits'
  if (held <= 2 * most_mb && !(await isIdle().catch(() => false))) return 'waits'
  restart(held)
  return 'restarted'
}

/** The children of a process of this machine that have a name, as the kernel tells it (at most 15 characters). None where there is no `/proc`. */
export function childrenNamed(pid: number, name: string): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
    return children.filter((child) => readFileSync(`/proc/${child}/comm`, 'utf8').trim() === name)
  } catch {
    return []
  }
}

/** CPU time that a process has used, in ms; null where it is not there. Source: proc(5), `utime` and `stime` of `stat`, in ticks of 10 ms. */
export function usedCpuMs(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const ticks = Number(fields[11]) + Number(fields[12])
    return Number.isFinite(ticks) ? ticks * 10 : null
  } catch {
    return null
  }
}

/** What a process holds in memory, in MiB; null where it is not there. Source: proc(5), `VmRSS` of `status`. */
export function residentMb(pid: number): number | null {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kib === undefined ? null : Number(kib) / 1024
  } catch {
    return null
  }
}
