import * as z from 'zod'
import { count } from '#shared/metrics/number-text.ts'
import type { ExecRequest, ExecResult, SandboxSpec } from '#shared/solvers/sandbox.ts'
import type { SandboxProbe } from '../../announce-resources.ts'
import { createSandy } from './open-sandy.ts'
import type { SandyOptions } from './sandy-options.ts'

const probeSpec: SandboxSpec = { image: null, cpus: 1, memory_mb: 64, disk_mb: 8, network: false }
const mib = 1024 ** 2
/** What an agent may have of a service that does not say what it has. */
const usualPool = { cpus: 4, memory_mb: 8192, disk_mb: 20_480 }

const amount = z.number().positive().nullish().catch(null)
/** What a service says of itself; each part may be missing. */
const ServiceResources = z
  .looseObject({
    canCreateSandbox: z.boolean().nullish().catch(null),
    rejectReason: z.string().nullish().catch(null),
    limits: z.unknown(),
    cpuCount: amount,
    memoryAvailableBytes: amount,
    diskFreeBytes: amount,
  })
  .partial()
  .catch({})

type Property = { name: string; argv: ExecRequest['argv']; timeout_ms?: number; holds(became: ExecResult): boolean }

/** What is tried in a sandbox of the service; that it has no network is found out when it opens. */
const properties: readonly Property[] = [
  { name: 'start', argv: ['true'], holds: ({ end, exit_code }) => end === 'exited' && exit_code === 0 },
  { name: 'time', argv: ['sleep', '99'], timeout_ms: 200, holds: ({ end }) => end === 'timeout' },
  { name: 'output', argv: ['yes'], holds: ({ end, stdout }) => end === 'output-limit' && stdout.length === 4096 },
  { name: 'memory', argv: ['perl', '-e', 'my @a; push @a, "x" x 1e6 while 1'], holds: ({ end }) => end === 'out-of-memory' },
]

/**
 * Proves that the service gives sandboxes that hold what can be held from inside, and says what it has. Its `pool` is what the service said it had
 * when it was tried: known after `probe`, as agents read it.
 */
export function createSandyProbe(options: SandyOptions): SandboxProbe {
  let pool = usualPool
  return {
    kind: 'sandy',
    probed: `no network, ${properties.map(({ name }) => name).join(', ')}`,
    get pool() {
      return pool
    },
    async probe() {
      const sandy = await createSandy(options)
      try {
        const never = new AbortController().signal
        const found = ServiceResources.parse((await sandy.resources(never)) ?? {})
        const opened = await sandy.open(probeSpec, never)
        if (!opened.ok) throw new Error(withReason(opened.failure.detail, found.rejectReason))
        for (const { name, argv, timeout_ms = 20_000, holds } of properties) {
          const became = await opened.value.exec({ argv, timeout_ms, output_bytes: 4096 })
          if (!holds(became))
            throw new Error(`does not hold: ${name} (${became.end}${became.exit_code === null ? '' : ` ${became.exit_code}`})`)
        }
        pool = poolOf(found)
        return said(found, pool)
      } finally {
        await sandy.close()
      }
    },
  }
}

/** Within what an agent may announce. */
function poolOf({ cpuCount, memoryAvailableBytes, diskFreeBytes }: z.infer<typeof ServiceResources>): typeof usualPool {
  const mb = (bytes: number | null | undefined, usual: number, least: number, most: number): number =>
    bytes ? Math.min(most, Math.max(least, Math.floor(bytes / mib))) : usual
  return {
    cpus: cpuCount ? Math.min(1024, Math.max(0.1, cpuCount)) : usualPool.cpus,
    memory_mb: mb(memoryAvailableBytes, usualPool.memory_mb, 16, 16_777_216),
    disk_mb: mb(diskFreeBytes, usualPool.disk_mb, 1, 1_073_741_824),
  }
}

function said({ canCreateSandbox, limits }: z.infer<typeof ServiceResources>, { cpus, memory_mb, disk_mb }: typeof usualPool): string {
  const has = `${cpus} CPUs, ${count(memory_mb)} MB of memory and ${count(disk_mb)} MB of disk free`
  const more = canCreateSandbox === false ? '; it says that it takes no more sandboxes now' : ''
  const bounds = limits === undefined || limits === null ? '' : `; its limits: ${JSON.stringify(limits).slice(0, 80)}`
  return `all held; the service has ${has}${more}; it sets CPUs, disk and number of processes itself${bounds}`
}

const withReason = (detail: string, reason: string | null | undefined): string => (reason ? `${detail} (it says: ${reason})` : detail)
