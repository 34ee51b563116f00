import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

const maxLogBytes = 10_000_000
const tether = join(import.meta.dirname, 'tether.mjs')

type Launch = { name: string; file: string; env: NodeJS.ProcessEnv; logsDir: string }

/** Starts `file` under this Node as leader of its own process group, tethered to us by IPC; it writes to `<logsDir>/<name>.log`. */
export function launch({ name, file, env, logsDir }: Launch): ChildProcess {
  const log = openLog(logsDir, name)
  try {
    return spawn(process.execPath, ['--import', tether, file], {
      detached: process.platform !== 'win32',
      windowsHide: true,
      // Compiled code is kept between starts: the host alone loads five megabytes of JavaScript.
      env: { NODE_COMPILE_CACHE: join(logsDir, '..', 'compile-cache'), ...env },
      stdio: ['ignore', log, log, 'ipc'],
    })
  } finally {
    closeSync(log)
  }
}

/** Calls `then` once when the process has ended or could not be started, with `SIGKILL`, `exit code 1` or the error's text. */
export function whenEnded(child: ChildProcess, then: (how: string) => void): void {
  let told = false
  const tell = (how: string) => {
    if (told) return
    told = true
    then(how)
  }
  child.once('error', (error) => tell(error.message))
  child.once('exit', (code, signal) => tell(signal ?? `exit code ${code}`))
}

/** SIGTERM, and after `graceMs` the end of the whole group; resolves when the process has gone. */
export async function stopChild(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = Promise.withResolvers<void>()
  child.once('exit', () => gone.resolve())
  const timer = setTimeout(() => killGroup(child), graceMs)
  child.kill('SIGTERM')
  await gone.promise
  clearTimeout(timer)
}

/** Ends everything in the child's process group; after the child itself has gone, that is what it left behind. */
export function killGroup(child: ChildProcess): void {
  if (!child.pid) return
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
  } catch {
    // The group is empty already.
  }
}

/** The line of a part's log that most likely says why it ended, and where the rest is. */
export function lastLine(logsDir: string, name: string): string {
  const path = logPath(logsDir, name)
  if (!existsSync(path)) return `there is no ${path}`
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const error = lines.findLast((line) => /^\s*\w*Error\b.*:/.test(line)) ?? lines.at(-1) ?? ''
  return `${error.trim().slice(0, 300)} (see ${path})`
}

function openLog(logsDir: string, name: string): number {
  const path = logPath(logsDir, name)
  try {
    if (statSync(path).size > maxLogBytes) renameSync(path, `${path}.1`)
  } catch {
    // There is no log yet.
  }
  return openSync(path, 'a', 0o600)
}

export function logPath(logsDir: string, name: string): string {
  return join(logsDir, `${name}.log`)
}
