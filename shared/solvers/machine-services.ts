import type { MachineImage, TreeFile } from './machine.ts'

/**
 * Where a service is reached. `usual`: among all that say nothing; `none`: it has only itself; `of`: it shares the network of another service, `main` is the
 * machine; `named`: networks of its task, what it is called there beside its own name, and whether they reach nothing else.
 */
export type ServiceNetwork =
  | { type: 'usual' }
  | { type: 'none' }
  | { type: 'of'; service: string }
  | { type: 'named'; networks: readonly { name: string; aliases: readonly string[]; internal: boolean }[] }

/** A folder that outlives a container of the episode: a volume of the task by name, shared by all who name it, or one of its own (null). */
export type ServiceVolume = { volume: string | null; path: string; read_only: boolean }

/** When a service begins: after another has begun, is healthy, or has ended well. */
export type ServiceCondition = 'started' | 'healthy' | 'completed'
export type ServiceAfter = { service: string; condition: ServiceCondition; required: boolean }

/** A health check as Docker takes it: `test` begins with `CMD`, `CMD-SHELL` or `NONE`. Null: as the image says. Times in milliseconds. */
export type ServiceHealth = {
  test: readonly string[]
  interval_ms: number | null
  timeout_ms: number | null
  start_period_ms: number | null
  start_interval_ms: number | null
  retries: number | null
}

/** What the machine and the services beside it have in common. `files`: put in place before it begins, by their absolute paths. */
export type ServicePlace = {
  network: ServiceNetwork
  aliases: readonly string[]
  volumes: readonly ServiceVolume[]
  files: readonly TreeFile[]
  after: readonly ServiceAfter[]
  user: string | null
}

/** A container beside a machine. Null in `command`, `entrypoint`, `workdir`, `healthcheck`: the image's own. Its size is always said. */
export type MachineService = ServicePlace & {
  name: string
  image: MachineImage
  command: readonly string[] | null
  entrypoint: readonly string[] | null
  env: Readonly<Record<string, string>>
  workdir: string | null
  hostname: string | null
  cpus: number
  memory_mb: number
  shm_mb: number | null
  /** Folders in memory, by their absolute paths, and Docker's words for them. */
  tmpfs: Readonly<Record<string, string>>
  read_only: boolean
  init: boolean
  tty: boolean
  restart: { name: string; most: number }
  drops: readonly string[]
  healthcheck: ServiceHealth | null
}

/** A machine's services. `start_timeout_ms`: until all must stand. */
export type MachineServices = { main: ServicePlace; others: readonly MachineService[]; start_timeout_ms: number }

/** CPUs and memory of all services beside a machine together; nothing where it has none. */
export const roomBeside = (services: MachineServices | undefined): { cpus: number; memory_mb: number } => ({
  cpus: (services?.others ?? []).reduce((sum, { cpus }) => sum + cpus, 0),
  memory_mb: (services?.others ?? []).reduce((sum, { memory_mb }) => sum + memory_mb, 0),
})
