import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect, type Database } from '../connect.ts'
import { createStore } from '../create-store.ts'
import type { Store } from '../store.ts'
import { startLocalDatabase } from './local-database.ts'
import { copyTestCluster } from './test-cluster.ts'

export type TestDatabase = { store: Store; db: Database; url: string; endpointUrl: string; pid(): number; close(): Promise<void> }

/** A migrated PostgreSQL of its own in a temporary directory, behind its endpoint, for one test file. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'bench-db-'))
  await copyTestCluster(dataDir)
  const local = await startLocalDatabase({ dataDir, disposable: true })
  const db = connect(local.databaseUrl, { fetchEndpoint: local.endpointUrl })
  const close = async () => {
    await local.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { store: createStore(db), db, url: local.databaseUrl, endpointUrl: local.endpointUrl, pid: local.pid, close }
}
