import { readdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Takes a data directory for this process.
 * @throws when another living process has it.
 */
export async function claimFolder(folder: string): Promise<() => Promise<void>> {
  const file = path.join(folder, 'owner')
  const [pid, started] = (await readFile(file, 'utf8').catch(() => '')).split(' ')
  const holder = Number(pid)
  if (holder > 0 && holder !== process.pid && isAlive(holder) && (await startOf(holder)) === (started ?? '')) {
    throw new Error(`The database in ${folder} is in use by process ${holder}. Stop that one first.`)
  }
  await writeFile(file, `${process.pid} ${await startOf(process.pid)}`, { mode: 0o600 })
  return () => rm(file, { force: true })
}

/**
 * Ends what a killed predecessor left running on a cluster (a server without its parent, backends without their server)
 * and removes the lock file of a server that is gone. The caller has made sure that nobody else owns the cluster.
 */
export async function clearLeftovers(cluster: string): Promise<void> {
  const lock = path.join(cluster, 'postmaster.pid')
  const server = Number((await readFile(lock, 'utf8').catch(() => '')).split('\n')[0])
  const signals = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const
  for (let round = 0; round < 60; round++) {
    const left = await processesIn(cluster, server)
    if (left.length === 0) {
      await rm(lock, { force: true })
      return
    }
    // A server alone gets time for a fast shutdown; whatever is left after five seconds is made to go.
    const signal = signals[Math.min(2, Math.floor(round / 20))] ?? 'SIGKILL'
    if (round % 20 === 0) for (const pid of left.includes(server) && round === 0 ? [server] : left) end(pid, signal)
    await pause(100)
  }
  throw new Error(`Processes of an earlier PostgreSQL on ${cluster} do not end. Stop them first.`)
}

/** Where there is /proc, processes working in the cluster; elsewhere the server of the lock file if it still runs. */
async function processesIn(cluster: string, server: number): Promise<number[]> {
  if (process.platform !== 'linux') return server > 0 && isAlive(server) ? [server] : []
  const home = await realpath(cluster)
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid)
  const homes = await Promise.all(pids.map(async (pid) => [pid, await readlink(`/proc/${pid}/cwd`).catch(() => null)] as const))
  const here = homes.filter(([, cwd]) => cwd === home).map(([pid]) => pid)
  const names = await Promise.all(here.map(async (pid) => [pid, await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')] as const))
  return names.filter(([, name]) => name.trim() === 'postgres').map(([pid]) => pid)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // what Node throws here is always a system error
  }
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended by itself in between.
  }
}

/**
 * Start of a process in clock ticks, which tells it from a later one with the same id; `gone` for one that has ended and only waits
 * to be reaped; empty where there is no /proc.
 */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? 'gone' : (fields[19] ?? '')
}
