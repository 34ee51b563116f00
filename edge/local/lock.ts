import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

const Holder = z.object({ pid: z.int().min(1), started: z.string() })

export type Lock = { held: true; release(): void } | { held: false; pid: number }

/**
 * Makes this process the only supervisor of a data directory. The lock of a dead process is taken over; a process is told from
 * a later one with the same number by its start time (Linux) where that can be read.
 */
export function takeLock(dir: string, pid = process.pid): Lock {
  const path = join(dir, 'supervisor.lock')
  const mine = `${path}.${pid}`
  writeFileSync(mine, JSON.stringify({ pid, started: startOf(pid) }))
  try {
    for (let tries = 0; tries < 10; tries += 1) {
      if (tryLink(mine, path)) return { held: true, release: () => rmSync(path, { force: true }) }
      const text = readText(path)
      const holder = holderOf(text)
      if (holder && isAlive(holder)) return { held: false, pid: holder.pid }
      if (text !== undefined) dropStale(path, `${mine}.stale`, text)
    }
    throw new Error(`the lock ${path} changes hands too quickly`)
  } finally {
    rmSync(mine, { force: true })
  }
}

/** Removes a stale lock, unless somebody else replaced it since we read it: then theirs is put back. */
function dropStale(path: string, aside: string, stale: string): void {
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  if (readText(aside) !== stale) tryLink(aside, path)
  rmSync(aside, { force: true })
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function holderOf(text: string | undefined): z.infer<typeof Holder> | undefined {
  try {
    return Holder.parse(JSON.parse(text ?? ''))
  } catch {
    return undefined
  }
}

function isAlive(holder: z.infer<typeof Holder>): boolean {
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' && startOf(holder.pid) === holder.started
  }
  return startOf(holder.pid) === holder.started
}

/** Start time of a process in clock ticks since boot (field 22 of /proc/pid/stat), or `''` where there is no /proc. */
function startOf(pid: number): string {
  const stat = readText(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
