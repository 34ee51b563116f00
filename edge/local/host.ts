import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type Request, Response } from 'miniflare'
import * as z from 'zod'
import { useProxies } from '#fleet/proxy/use-proxies.ts'
import { askSupervisor } from './ask-supervisor.ts'
import { boundMemory, childrenNamed, residentMb, usedCpuMs, workerdMost_mb } from './bound-memory.ts'
import { loopback } from './listen.ts'
import { outboundThrough } from './outbound.ts'
import { startDoor } from './start-door.ts'
import { watchHealth } from './watch-health.ts'
import { workerOptions } from './worker-options.ts'

/** What the supervisor tells the host, as JSON in `BENCH_HOST`. */
export const HostConfig = z.object({
  server_dir: z.string(),
  data_dir: z.string(),
  port: z.int().min(0).max(65_535),
  /** Address to listen on besides 127.0.0.1, which is the default. */
  host: z.string().optional(),
  /** `name:port` by which visitors may call the service besides loopback names. */
  hosts: z.array(z.string()).optional(),
  bindings: z.record(z.string(), z.string()),
  /** Memory of workerd in MiB from which on it is begun anew; see `workerdMost_mb`. */
  workerd_mb: z.number().min(1).optional(),
})
export type HostConfig = z.infer<typeof HostConfig>

/**
 * Runs the built Worker in workerd behind a door on `host`:`port`; objects and buckets live in `data_dir`/edge. `worker_url` is where
 * workerd itself listens: what does not come through the door is refused there. With `ask` the Worker has the binding `LISTED`, which answers with
 * the providers and the models that they list now, for `?wait_ms=` at most.
 */
export async function startHost(
  config: HostConfig,
  onRestart: () => void,
  ask: ReturnType<typeof askSupervisor> = null,
): Promise<{ url: string; worker_url: string; stop(): Promise<void> }> {
  const edgeDir = join(config.data_dir, 'edge')
  mkdirSync(edgeDir, { recursive: true })
  tieWorkerd()
  const secret = randomBytes(32).toString('hex')
  const outbound = outboundThrough(process.env)
  const miniflare: Miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: 0,
      cf: false,
      log: new Log(LogLevel.WARN),
      logRequests: false,
      telemetry: { enabled: false },
      resourcePersistencePath: edgeDir,
      unsafeHandleRuntimeRestart: async () => {
        worker = await miniflare.ready
        door?.leadTo(upstream())
        onRestart()
      },
      workers: [
        {
          ...workerOptions(config.server_dir, { ...config.bindings, DOOR_SECRET: secret }),
          ...(outbound && { outboundService: outbound }),
          ...(ask && { serviceBindings: { LISTED: listed(ask) } }),
        },
      ],
    }),
  )
  let worker = await miniflare.ready
  const upstream = () => ({ hostname: worker.hostname, port: Number(worker.port) })
  const { host = loopback, port, hosts = [] } = config
  let door: Awaited<ReturnType<typeof startDoor>> | undefined
  door = await startDoor({ host, port, hosts, secret }, upstream())
  const stop = async () => {
    await door.close()
    await miniflare.dispose()
  }
  return { url: `http://127.0.0.1:${door.port}`, worker_url: worker.origin, stop }
}

const listed = (ask: NonNullable<ReturnType<typeof askSupervisor>>) => async (request: Request) =>
  Response.json(await ask({ wait_ms: Number(new URL(request.url).searchParams.get('wait_ms')) }))

/**
 * Starts workerd through `workerd.sh` on Linux, so that a killed host leaves no orphan on the port. Keeps
 * a workerd that the user named. Replaces a path to a `workerd.sh`: another host set it.
 */
function tieWorkerd(): void {
  const named = process.env.MINIFLARE_WORKERD_PATH
  if (process.platform !== 'linux' || (named && basename(named) !== 'workerd.sh')) return
  if (spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true'], { stdio: 'ignore' }).status !== 0) return
  const require = createRequire(createRequire(import.meta.url).resolve('miniflare'))
  process.env.BENCH_WORKERD = (require('workerd') as { default: string }).default
  process.env.MINIFLARE_WORKERD_PATH = join(import.meta.dirname, 'workerd.sh')
}

const OpenRuns = z.object({ runs: z.array(z.unknown()) })

/** Begins workerd anew when it holds too much: what it was told is on the disk, and Miniflare starts the next at once. */
function keepBounded(url: string, most_mb: number): NodeJS.Timeout {
  const workerd = () => childrenNamed(process.pid, 'workerd')[0]
  const isIdle = async (): Promise<boolean> => {
    const answer = await fetch(`${url}/api/agents`, { signal: AbortSignal.timeout(5_000) })
    return answer.ok && OpenRuns.parse(await answer.json()).runs.length === 0
  }
  const restart = (held_mb: number): void => {
    console.log(`workerd holds ${Math.round(held_mb)} MiB and is begun anew`)
    process.kill(workerd()!, 'SIGKILL')
  }
  const heldMb = (): number | null => {
    const pid = workerd()
    return pid === undefined ? null : residentMb(pid)
  }
  let looking = false
  const look = async (): Promise<void> => {
    if (looking) return
    looking = true
    await boundMemory({ most_mb, heldMb, isIdle, restart }).catch(() => undefined) // it ended by itself meanwhile
    looking = false
  }
  return setInterval(() => void look(), lookMs).unref()
}

const lookMs = 10_000

if (import.meta.main) {
  const misread = useProxies(process.env)
  if (misread !== null) throw new Error(misread)
  const config = HostConfig.parse(JSON.parse(process.env.BENCH_HOST ?? '{}'))
  const host = await startHost(config, () => process.send?.({ type: 'restarted' }), askSupervisor(process))
  // Asked past the door, which answers by itself: any word of the Worker is a sign of life, also that it refuses this way in.
  const cpuMs = (): number | null => {
    const [pid] = childrenNamed(process.pid, 'workerd')
    return pid === undefined ? null : usedCpuMs(pid)
  }
  const onDead = (detail: string): void => {
    console.error(`workerd does not answer: ${detail}`)
    process.exit(1)
  }
  const watch = watchHealth(`${host.worker_url}/api/alive`, onDead, { cpuMs })
  const bound = keepBounded(host.url, config.workerd_mb ?? workerdMost_mb)
  const stop = () => {
    watch.stop()
    clearInterval(bound)
    host.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  process.send?.({ type: 'ready', url: host.url })
}
