import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { migrate } from '../migrate.ts'
import { startPostgres } from './postgres.ts'
import { copyTestCluster } from './test-cluster.ts'

const dirs: string[] = []
afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true }))))
async function startCopy() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'bench-copy-'))
  dirs.push(dataDir)
  await copyTestCluster(dataDir)
  return startPostgres({ dataDir, disposable: true })
}

test('[DB450] a copied cluster has every migration, and copies share nothing', async () => {
  const [one, two] = await Promise.all([startCopy(), startCopy()])
  try {
    expect(await migrate(one.url)).toEqual({ applied: 0 })
    const client = new pg.Client({ connectionString: one.url })
    await client.connect()
    await client.query('drop table runs cascade')
    await client.end()
    const other = new pg.Client({ connectionString: two.url })
    await other.connect()
    expect((await other.query('select count(*)::int as runs from runs')).rows).toEqual([{ runs: 0 }])
    await other.end()
  } finally {
    await Promise.all([one.stop(), two.stop()])
  }
})
