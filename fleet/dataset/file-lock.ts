import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { systemCode } from './dataset-error.ts'

const BEAT_MS = 5_000
const STALE_MS = 30_000

/**
 * Runs `work` while holding `<path>.lock`, so that processes sharing a cache do one thing once. A holder touches the file every 5 s;
 * a lock left by a dead process of this host, or untouched for 30 s, is taken over. Losing a lock costs a second download, never data.
 */
export async function withFileLock<T>(path: string, signal: AbortSignal | null, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`
  while (!(await tryLock(lock))) {
    signal?.throwIfAborted()
    if (await isAbandoned(lock)) await takeAway(lock)
    else await delay(50, undefined, { signal: signal ?? undefined })
  }
  const beat = setInterval(() => void utimes(lock, new Date(), new Date()).catch(() => undefined), BEAT_MS)
  beat.unref()
  try {
    return await work()
  } finally {
    clearInterval(beat)
    await rm(lock, { force: true })
  }
}

async function tryLock(lock: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx')
    await file.writeFile(JSON.stringify({ pid: process.pid, host: hostname() }))
    await file.close()
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

async function isAbandoned(lock: string): Promise<boolean> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(lock, 'utf8'), stat(lock)])
    if (Date.now() - mtimeMs > STALE_MS) return true
    const holder: { pid?: unknown; host?: unknown } = text === '' ? {} : JSON.parse(text)
    return holder.host === hostname() && typeof holder.pid === 'number' && !isAlive(holder.pid)
  } catch (error) {
    if (error instanceof SyntaxError) return false
    if (systemCode(error) === 'ENOENT') return false
    throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) !== 'ESRCH'
  }
}

/** Renaming first lets only one of several waiters remove the old lock. */
async function takeAway(lock: string): Promise<void> {
  const grave = `${lock}.${randomUUID()}`
  try {
    await rename(lock, grave)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return
    throw error
  }
  await rm(grave, { force: true })
}
