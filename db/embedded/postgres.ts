import type { ChildProcess } from 'node:child_process'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Binaries, findBinaries } from './binaries.ts'
import { claimFolder, clearLeftovers } from './leftovers.ts'
import { choosePrivilege, type Privilege } from './privilege.ts'

export type PostgresOptions = {
  /** Holds the cluster, its password and its log; made when it is not there. */
  dataDir: string
  /** Port on 127.0.0.1; a free one by default. */
  port?: number
  /** For tests: skips every fsync. The data survives the server's death but not the machine's. */
  disposable?: boolean
}
export type Postgres = {
  /** Connection string with the password, for 127.0.0.1. */
  url: string
  port: number
  pid: number
  /** Fast shutdown: open transactions are rolled back, everything committed is kept. */
  stop(): Promise<void>
  /** Resolves when the server is gone, for whatever reason. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // A result counts as drained when its commit returns; off would lose the last commits when the server is killed.
  synchronous_commit: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '40',
  max_wal_size: '2GB',
  wal_init_zero: 'off',
  jit: 'off',
  autovacuum_naptime: '1min',
  log_min_messages: 'warning',
}

/**
 * Starts the PostgreSQL that npm installed on a data directory, which is initialised at first use, and waits until it answers.
 * A server or backends left by a killed predecessor are ended first.
 * @throws when another process uses the directory, or when the server does not come up; its log's path is in the message.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const dataDir = path.resolve(options.dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const binaries = await findBinaries()
  const privilege = await choosePrivilege(binaries.postgres)
  await privilege.admit(dataDir)
  const release = await claimFolder(dataDir)
  const disposable = options.disposable ?? false
  try {
    const password = await ensureCluster(dataDir, binaries, privilege, disposable)
    for (let attempt = 1; ; attempt++) {
      const port = options.port ?? (await freePort())
      const url = `postgresql://bench:${password}@127.0.0.1:${port}/postgres`
      try {
        return await launch({ dataDir, binaries, privilege, port, url, disposable, release })
      } catch (error) {
        // Somebody else may have taken a free port in between.
        if (options.port !== undefined || attempt === 3) throw error
      }
    }
  } catch (error) {
    await release()
    throw error
  }
}

type Launch = {
  dataDir: string
  binaries: Binaries
  privilege: Privilege
  port: number
  url: string
  disposable: boolean
  release: () => Promise<void>
}

async function launch({ dataDir, binaries, privilege, port, url, disposable, release }: Launch): Promise<Postgres> {
  const cluster = path.join(dataDir, 'cluster')
  const logFile = path.join(dataDir, 'postgres.log')
  await rename(logFile, `${logFile}.1`).catch(() => undefined)
  const log = await open(logFile, 'a', 0o600)
  const chosen = { ...settings, port: String(port), ...(disposable ? { fsync: 'off', full_page_writes: 'off' } : {}) }
  const args = ['-D', cluster, ...Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  // Its own process group: Ctrl-C must not stop the database before those who still write to it.
  const child = privilege.spawn(binaries.postgres, args, { stdio: ['ignore', log.fd, log.fd], detached: true, windowsHide: true })
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', reject)
  }).finally(() => log.close())
  exited.catch(() => undefined)
  const atExit = () => child.kill('SIGQUIT')
  process.once('exit', atExit)
  const gone = exited.finally(() => process.off('exit', atExit))
  try {
    await untilReady(url, gone)
  } catch (cause) {
    child.kill('SIGQUIT')
    await gone.catch(() => undefined)
    throw new Error(`PostgreSQL did not start. Its log: ${logFile}`, { cause })
  }
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= shutDown(child, gone, binaries, cluster).finally(release)
    return stopping
  }
  return { url, port, pid: child.pid ?? 0, stop, exited: gone }
}

/** Makes the cluster when there is none yet and returns its password. */
async function ensureCluster(dataDir: string, binaries: Binaries, privilege: Privilege, disposable: boolean): Promise<string> {
  const cluster = path.join(dataDir, 'cluster')
  const passwordFile = path.join(dataDir, 'password')
  if (await stat(cluster).catch(() => null)) {
    await clearLeftovers(cluster)
    await privilege.own(cluster)
    return (await readFile(passwordFile, 'utf8')).trim()
  }
  const password = randomBytes(24).toString('hex')
  // Made aside and renamed when it is whole: a killed initdb leaves no half cluster behind.
  const workshop = path.join(dataDir, 'initdb')
  await rm(workshop, { recursive: true, force: true })
  await mkdir(workshop, { mode: 0o700 })
  await writeFile(path.join(workshop, 'password'), password, { mode: 0o600 })
  await privilege.own(workshop)
  const fresh = path.join(workshop, 'cluster')
  const place = ['-D', fresh, '-U', 'bench', '--auth=scram-sha-256', '--pwfile', path.join(workshop, 'password')]
  const locale = ['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  await runInitdb(privilege.spawn(binaries.initdb, [...place, ...locale, ...(disposable ? ['--no-sync'] : [])], { windowsHide: true }))
  await writeFile(passwordFile, password, { mode: 0o600 })
  await rename(fresh, cluster)
  await rm(workshop, { recursive: true, force: true })
  return password
}

async function runInitdb(child: ChildProcess): Promise<void> {
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-4000)
  })
  child.stdout?.resume()
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`initdb ended with ${code}: ${output}`)
}

async function untilReady(url: string, exited: Postgres['exited']): Promise<void> {
  const ended = exited.then(() => true)
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      const { code } = error as { code?: string } // connection and server errors both carry one
      const starting = code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === '57P03'
      if (!starting) throw error
    }
    if (await Promise.race([ended, pause(15, false)])) throw new Error('the server ended at once')
  }
  throw new Error('no answer within 60 s')
}

async function shutDown(child: ChildProcess, exited: Postgres['exited'], binaries: Binaries, cluster: string): Promise<void> {
  const ended = exited.then(
    () => true,
    () => true,
  )
  // Windows has no signals: pg_ctl tells the server through its own pipe.
  if (process.platform === 'win32') execFile(binaries.pgCtl, ['stop', '-D', cluster, '-m', 'fast'])
  else child.kill('SIGINT')
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    if (await Promise.race([ended, pause(10_000, false, { ref: false })])) return
    child.kill(signal)
  }
  await ended
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port to be had on 127.0.0.1')
  return address.port
}
