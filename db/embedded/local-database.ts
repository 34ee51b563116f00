import { setTimeout as pause } from 'node:timers/promises'
import { migrate } from '../migrate.ts'
import { type NeonEndpoint, startNeonEndpoint } from './neon-endpoint.ts'
import { type Postgres, type PostgresOptions, startPostgres } from './postgres.ts'

export type LocalDatabase = {
  databaseUrl: string
  /** For `connect(databaseUrl, { fetchEndpoint })`. */
  endpointUrl: string
  /** Of the server running now; 0 between its death and its restart. */
  pid(): number
  stop(): Promise<void>
}

/**
 * PostgreSQL on a directory, migrated, behind its Neon endpoint. A server that dies is started again on the same port,
 * so connection string and endpoint stay valid; `report` is told about it.
 */
export async function startLocalDatabase(
  options: PostgresOptions & { endpointPort?: number; report?: (message: string) => void },
): Promise<LocalDatabase> {
  let server: Postgres = await startPostgres(options)
  let endpoint: NeonEndpoint
  try {
    await migrate(server.url)
    endpoint = await startNeonEndpoint({ databaseUrl: server.url, ...(options.endpointPort ? { port: options.endpointPort } : {}) })
  } catch (error) {
    await server.stop()
    throw error
  }
  const fixed = { ...options, port: server.port }
  const stopping = new AbortController()
  let alive = true
  const watching = (async () => {
    for (let waitMs = 100; !stopping.signal.aborted; ) {
      const { code, signal } = await server.exited
      if (stopping.signal.aborted) return
      alive = false
      options.report?.(`PostgreSQL ended (${signal ?? code}); starting it again`)
      while (!alive && !stopping.signal.aborted) {
        try {
          server = await startPostgres(fixed)
          alive = true
          waitMs = 100
        } catch (error) {
          options.report?.(error instanceof Error ? error.message : 'PostgreSQL did not start')
          await pause(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined)
          waitMs = Math.min(5_000, waitMs * 2)
        }
      }
    }
  })()
  const stop = async () => {
    stopping.abort()
    await endpoint.stop()
    if (!alive) await watching
    await server.stop()
    await watching
  }
  return { databaseUrl: server.url, endpointUrl: endpoint.url, pid: () => (alive ? server.pid : 0), stop }
}
