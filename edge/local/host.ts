import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import * as z from 'zod'
import { watchHealth } from './watch-health.ts'
import { workerOptions } from './worker-options.ts'

/** What the supervisor tells the host, as JSON in `BENCH_HOST`. */
export const HostConfig = z.object({
  server_dir: z.string(),
  data_dir: z.string(),
  port: z.int().min(0).max(65_535),
  bindings: z.record(z.string(), z.string()),
})
export type HostConfig = z.infer<typeof HostConfig>

/** Runs the built Worker in workerd on 127.0.0.1; objects and buckets live in `data_dir`/edge. */
export async function startHost(config: HostConfig, onRestart: () => void): Promise<{ url: string; stop(): Promise<void> }> {
  const edgeDir = join(config.data_dir, 'edge')
  mkdirSync(edgeDir, { recursive: true })
  tieWorkerd()
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: config.port,
      cf: false,
      log: new Log(LogLevel.WARN),
      logRequests: false,
      telemetry: { enabled: false },
      resourcePersistencePath: edgeDir,
      unsafeHandleRuntimeRestart: onRestart,
      workers: [workerOptions(config.server_dir, config.bindings)],
    }),
  )
  const url = (await miniflare.ready).origin
  return { url, stop: () => miniflare.dispose() }
}

/** On Linux workerd is started through `workerd.sh`, so that a killed host leaves no orphan on the port. */
function tieWorkerd(): void {
  if (process.platform !== 'linux' || process.env.MINIFLARE_WORKERD_PATH) return
  if (spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true'], { stdio: 'ignore' }).status !== 0) return
  const require = createRequire(createRequire(import.meta.url).resolve('miniflare'))
  process.env.BENCH_WORKERD = (require('workerd') as { default: string }).default
  process.env.MINIFLARE_WORKERD_PATH = join(import.meta.dirname, 'workerd.sh')
}

if (import.meta.main) {
  const config = HostConfig.parse(JSON.parse(process.env.BENCH_HOST ?? '{}'))
  const host = await startHost(config, () => process.send?.({ type: 'restarted' }))
  // An unknown address: it needs the Worker and nothing behind it, so a database that is away is not a death.
  const watch = watchHealth(`${host.url}/api/alive`, (detail) => {
    console.error(`workerd does not answer: ${detail}`)
    process.exit(1)
  })
  const stop = () => {
    watch.stop()
    host.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  process.send?.({ type: 'ready', url: host.url })
}
