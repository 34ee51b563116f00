import type { TestProject } from 'vitest/node'
import { openTestDatabase, type TestDatabase } from '#db/embedded/test-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    database: { url: string; endpointUrl: string }
  }
}

let database: TestDatabase | undefined

/** A database that answers, for tests inside workerd that `inject` it; what may be reached from there is said in `vitest.config.ts`. */
export async function setup(project: TestProject): Promise<void> {
  database = await openTestDatabase()
  process.env.BENCH_TEST_DATABASE = database.endpointUrl
  project.provide('database', { url: database.url, endpointUrl: database.endpointUrl })
}

export const teardown = (): Promise<void> | undefined => database?.close()
