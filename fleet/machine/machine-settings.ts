import type { MachineSpec } from '#shared/solvers/machine.ts'
import { machineSeccomp } from './machine-seccomp.ts'
import type { JoinedSettings } from './service-settings.ts'

/** What a machine gets where its spec leaves a size open. */
export type MachineSizes = { cpus: number; memory_mb: number; storage_mb: number }

/** What the agent chose for all its machines, and what is known of the image. */
export type MachineMeans = {
  /** The image's own id, so that nothing else can be meant. */
  image: string
  entrypoint: readonly string[]
  network: string
  /** Whether the engine limits the disk of a container itself. */
  limitsDisk: boolean
  labels: Readonly<Record<string, string>>
  /** Its place among services beside it, null where there are none. */
  joined: JoinedSettings | null
}

const mib = 1024 ** 2
/** Processes and threads of a machine together: more than any build takes, fewer than an engine has. */
const mostProcesses = 4096
/** Docker's words for the engine's own network, and for that of another container. */
export const sharesNetwork = /^(host$|container:)/

/** With its sizes: what the spec says, else what the agent gives. */
export const sizesOf = ({ cpus, memory_mb, storage_mb }: MachineSpec, unsaid: MachineSizes): MachineSizes => ({
  cpus: cpus ?? unsaid.cpus,
  memory_mb: memory_mb ?? unsaid.memory_mb,
  storage_mb: storage_mb ?? unsaid.storage_mb,
})

/**
 * The first program of a machine: it sleeps and never starts another, so that nothing of the disk, which programs may change, runs of itself. As the
 * first of its processes it hears no signal from inside, SIGKILL neither. It does not hear of children that end, so that the kernel takes processes away
 * whose parents are gone: `trap` of bash or `env` can have it so; where an image has neither, they stay as they do at Harbor's.
 */
const keepRunning = `trap '' HUP INT TERM
if command -v bash >/dev/null 2>&1; then exec bash -c "trap '' CHLD; exec sleep 2147483647"; fi
if env --ignore-signal=CHLD true >/dev/null 2>&1; then exec env --ignore-signal=CHLD sleep 2147483647; fi
exec sleep 2147483647`

/** Folders that are to be there for everybody; it goes on without them where its user may not make them. */
const makePlaces = '{ mkdir -p "$@" && chmod 777 "$@"; } 2>/dev/null'

/** An entry point that is a shell without a script can start no command of several words: such an image is started without it. */
export const isBareShell = (entrypoint: readonly string[]): boolean =>
  entrypoint.length === 1 && /(^|\/)(sh|bash|dash|ash|zsh)$/.test(entrypoint[0]!)

/**
 * What Docker is told for a machine: the image's own user and entry point, a root that can be written to, nothing of the host (no socket, no folder, no
 * variable, no device), and every limit. Of Docker's rights for root it keeps what installing and testing software takes; setuid programs work
 * (`no-new-privileges` is off), as images have sudo. Its system calls are filtered by our own profile, whichever version the engine has. Raw packets go only where no other machine is on the network.
 */
export function machineSettings(spec: MachineSpec, { cpus, memory_mb, storage_mb }: MachineSizes, means: MachineMeans): object {
  const memory = Math.floor(memory_mb * mib)
  const open = spec.network === 'public'
  const { places = [] } = spec
  const first = places.length === 0 ? ['-c', keepRunning] : ['-c', `${makePlaces}\n${keepRunning}`, 'sh', ...places]
  return {
    Image: means.image,
    ...(isBareShell(means.entrypoint) ? { Entrypoint: ['sh'] } : {}),
    Cmd: isBareShell(means.entrypoint) ? first : ['sh', ...first],
    ...(spec.workdir === null ? {} : { WorkingDir: spec.workdir }),
    Env: Object.entries(spec.env).map(([name, value]) => `${name}=${value}`),
    Labels: means.labels,
    Healthcheck: { Test: ['NONE'] },
    StopSignal: 'SIGKILL',
    Tty: false,
    ...means.joined,
    HostConfig: {
      ...(means.joined?.HostConfig ?? {
        NetworkMode: open ? means.network : 'none',
        ...(open ? {} : { Dns: ['127.0.0.1'], DnsSearch: ['.'] }), // else it is told the resolvers of the host
      }),
      CapDrop: open ? ['NET_RAW'] : [],
      SecurityOpt: [`seccomp=${machineSeccomp}`],
      ReadonlyRootfs: false,
      Privileged: false,
      IpcMode: 'private',
      Memory: memory,
      MemorySwap: memory,
      NanoCpus: Math.round(cpus * 1e9),
      PidsLimit: mostProcesses,
      ...(means.limitsDisk ? { StorageOpt: { size: `${Math.ceil(storage_mb)}M` } } : {}),
      Ulimits: [{ Name: 'core', Soft: 1, Hard: 1 }], // with none a host that has a program take core files would still give it them
      // What an entry point says before it ends is why a machine did not start.
      LogConfig: { Type: 'json-file', Config: { 'max-size': '256k', 'max-file': '1' } },
    },
  }
}

const most = { cpus: 1024, memory_mb: 16_777_216, storage_mb: 16_777_216 }
const envName = /^[^=\0]+$/

/** Why no machine can be like this, in a sentence; null: one can. What is no number in its range is refused, never taken as no limit. */
export function machineRefusal(spec: MachineSpec, { cpus, memory_mb, storage_mb }: MachineSizes): string | null {
  if (!(cpus >= 0.01 && cpus <= most.cpus)) return `A machine has between 0.01 and ${most.cpus} CPUs, not ${cpus}.`
  if (!(memory_mb >= 16 && memory_mb <= most.memory_mb))
    return `A machine has between 16 and ${most.memory_mb} MB of memory, not ${memory_mb}.`
  if (!(storage_mb >= 1 && storage_mb <= most.storage_mb))
    return `A machine has between 1 and ${most.storage_mb} MB of storage, not ${storage_mb}.`
  if (spec.workdir !== null && !/^\/[^\0]*$/.test(spec.workdir)) return 'The directory that a machine works in is no absolute path.'
  for (const [name, value] of Object.entries(spec.env))
    if (!envName.test(name) || value.includes('\0')) return `${JSON.stringify(name.slice(0, 80))} is no variable that a machine can have.`
  return null
}
