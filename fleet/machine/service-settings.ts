import type { MachineService, ServiceHealth, ServiceVolume } from '#shared/solvers/machine-services.ts'
import { machineSeccomp } from './machine-seccomp.ts'

/** What of a container's settings is its place among others: its network, what it is called there, what is mounted in it. */
export type JoinedSettings = {
  User?: string
  HostConfig: {
    NetworkMode: string
    Mounts: readonly object[]
    Dns?: readonly string[]
    DnsSearch?: readonly string[]
    DnsOptions?: readonly string[]
  }
  NetworkingConfig?: { EndpointsConfig: Readonly<Record<string, { Aliases: readonly string[] }>> }
}

/** What is known of a service's container beside what its task says. `open`: whether it reaches more than its episode. */
export type ServiceMeans = {
  image: string
  joined: JoinedSettings
  labels: Readonly<Record<string, string>>
  limitsDisk: boolean
  storage_mb: number
  open: boolean
}

const mib = 1024 ** 2
const mostProcesses = 4096

/** Docker's words for volumes; `nameOf`: what those of the task are called at the engine. */
export const mountsOf = (volumes: readonly ServiceVolume[], nameOf: ReadonlyMap<string, string>): object[] =>
  volumes.map(({ volume, path, read_only }) => ({
    Type: 'volume',
    ...(volume === null ? {} : { Source: nameOf.get(volume) }),
    Target: path,
    ReadOnly: read_only,
  }))

/** What Docker is told for a service: as little of its host as a machine has, and every limit. */
export function serviceSettings(service: MachineService, means: ServiceMeans): object {
  const { image, joined, labels, limitsDisk, storage_mb, open } = means
  const { command, entrypoint, env, workdir, hostname, healthcheck, cpus, memory_mb, shm_mb } = service
  const memory = Math.floor(memory_mb * mib)
  const isItsOwn = !joined.HostConfig.NetworkMode.startsWith('container:')
  return {
    Image: image,
    ...(entrypoint === null ? {} : { Entrypoint: entrypoint }),
    ...(command === null ? {} : { Cmd: command }),
    ...(workdir === null ? {} : { WorkingDir: workdir }),
    ...(service.user === null ? {} : { User: service.user }),
    ...(hostname === null || !isItsOwn ? {} : { Hostname: hostname }),
    ...(healthcheck === null ? {} : { Healthcheck: healthOf(healthcheck) }),
    ...(joined.NetworkingConfig ? { NetworkingConfig: joined.NetworkingConfig } : {}),
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    Labels: labels,
    Tty: service.tty,
    HostConfig: {
      ...joined.HostConfig,
      CapDrop: [...service.drops, ...(open ? ['NET_RAW'] : [])],
      SecurityOpt: [`seccomp=${machineSeccomp}`],
      Privileged: false,
      IpcMode: 'private',
      Memory: memory,
      MemorySwap: memory,
      NanoCpus: Math.round(cpus * 1e9),
      PidsLimit: mostProcesses,
      ReadonlyRootfs: service.read_only,
      Init: service.init,
      Tmpfs: service.tmpfs,
      ...(shm_mb === null ? {} : { ShmSize: shm_mb * mib }),
      ...(limitsDisk ? { StorageOpt: { size: `${Math.ceil(storage_mb)}M` } } : {}),
      RestartPolicy: { Name: service.restart.name, MaximumRetryCount: service.restart.most },
      Ulimits: [{ Name: 'core', Soft: 1, Hard: 1 }],
      LogConfig: { Type: 'json-file', Config: { 'max-size': '256k', 'max-file': '1' } },
    },
  }
}

/** Docker's form of a health check: times in nanoseconds, 0 for its own. An empty test is the image's. */
function healthOf({ test, interval_ms, timeout_ms, start_period_ms, start_interval_ms, retries }: ServiceHealth): object {
  const nanoseconds = (ms: number | null): number => Math.round((ms ?? 0) * 1e6)
  return {
    Test: test,
    Interval: nanoseconds(interval_ms),
    Timeout: nanoseconds(timeout_ms),
    StartPeriod: nanoseconds(start_period_ms),
    StartInterval: nanoseconds(start_interval_ms),
    Retries: retries ?? 0,
  }
}
