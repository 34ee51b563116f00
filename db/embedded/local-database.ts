import { setTimeout as pause } from 'node:timers/promises'
import { migrate } from '../migrate.ts'
import { startNeonEndpoint } from './neon-endpoint.ts'
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
  const server = await startPostgres(options)
  try {
    await migrate(server.url)
    const endpoint = await startNeonEndpoint({ databaseUrl: server.url, ...(options.endpointPort ? { port: options.endpointPort } : {}) })
    const kept = keepRunning(server, { ...options, port: server.port }, options.report ?? (() => undefined))
    const stop = async () => {
      await endpoint.stop()
      await kept.stop()
    }
    return { databaseUrl: server.url, endpointUrl: endpoint.url, pid: kept.pid, stop }
  } catch (error) {
    await server.stop()
    throw error
  }
}

function keepRunning(first: Postgres, options: PostgresOptions, report: (message: string) => void) {
  const stopping = new AbortController()
  let server: Postgres | undefined = first
  const revive = async () => {
    for (let waitMs = 100; !stopping.signal.aborted; waitMs = Math.min(5_000, waitMs * 2)) {
      try {
        return await startPostgres(options)
      } catch (error) {
        report(error instanceof Error ? error.message : 'PostgreSQL did not start')
        await pause(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }
  const watching = (async () => {
    while (server) {
      const { code, signal } = await server.exited
      if (stopping.signal.aborted) return
      server = undefined
      report(`PostgreSQL ended (${signal ?? code}); starting it again`)
      server = await revive()
    }
  })()
  const stop = async () => {
    stopping.abort()
    // A start under way is waited for: it may still bring up a server to stop.
    if (!server) await watching
    await server?.stop()
    await watching
  }
  return { pid: () => server?.pid ?? 0, stop }
}
