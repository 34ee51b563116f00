import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export type Process = { pid: number; name: string }
type Found = Process & { parent: number; marked: boolean }

/**
 * What lives of a tree: `root`, all that descends from it, and all that carries `mark` (`NAME=value`) in its environment. The mark finds
 * also what moved to a group of its own and lost its parent; where there is no /proc it is not seen.
 */
export function livingOf(root: number, mark: string): Process[] {
  const all = process.platform === 'linux' ? readProc(mark) : readPs()
  const found = all.filter(({ pid, marked }) => pid === root || marked)
  for (let at = 0; at < found.length; at++) {
    const known = new Set(found.map(({ pid }) => pid))
    found.push(...all.filter(({ pid, parent }) => parent === found[at]!.pid && !known.has(pid)))
  }
  return found.filter(({ pid }) => pid !== process.pid).map(({ pid, name }) => ({ pid, name }))
}

/** Ends a tree by process id: asks first, and kills what is still there after `graceMs`. Resolves, when nothing lives, with what it found. */
export async function endTree(root: number, mark: string, graceMs = 5_000): Promise<Process[]> {
  const found = livingOf(root, mark)
  if (process.platform === 'win32') spawnSync('taskkill', ['/T', '/F', '/PID', String(root)], { stdio: 'ignore' })
  for (const { pid } of found) send(pid, 'SIGTERM')
  for (const startedMs = Date.now(); ; await sleep(50)) {
    const left = livingOf(root, mark)
    if (left.length === 0) return found
    if (Date.now() - startedMs > graceMs) for (const { pid } of left) send(pid, 'SIGKILL')
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended by itself.
  }
}

function readProc(mark: string): Found[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const end = stat.lastIndexOf(')')
        const [state, parent] = stat.slice(end + 2).split(' ')
        if (state === 'Z' || state === 'X') return []
        const title = stat.slice(stat.indexOf('(') + 1, end)
        return [{ pid: Number(name), parent: Number(parent), name: title, marked: readText(`/proc/${name}/environ`).includes(`${mark}\0`) }]
      } catch {
        return [] // it ended while we read
      }
    })
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // somebody else's process
  }
}

function readPs(): Found[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,state=,comm='], { encoding: 'utf8' })
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, pid, parent, state, name] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return pid && !state?.startsWith('Z') ? [{ pid: Number(pid), parent: Number(parent), name: name ?? '', marked: false }] : []
  })
}
