import type { execEnds } from '../contract/transcript.ts'
import type { MachineServices } from './machine-services.ts'
import type { Likeness } from './machine-sight.ts'

/** One plain file of a tree: its path from the tree's root with `/` between names, its permission bits, its bytes. */
export type TreeFile = { path: string; mode: number; bytes: Uint8Array }

/**
 * What a machine starts from: an image by name or digest, which is pulled where it is absent, or one that is built from a folder. `dockerfile`: the
 * path of that file in the context; `args`: what its `ARG` lines are given; `network`: `none` where its steps
 * reach nothing; `storage_mb`: what the build may leave on the disk, null where the task does not say.
 */
export type MachineImage =
  | { type: 'named'; name: string; pull_timeout_ms: number }
  | {
      type: 'built'
      context: readonly TreeFile[]
      dockerfile: string
      build_timeout_ms: number
      args?: Readonly<Record<string, string>>
      network?: 'public' | 'none'
      storage_mb?: number | null
    }

/** How a machine shows that it is ready: as Docker's health checks, the first success counts. Times in milliseconds. */
export type Healthcheck = {
  command: string
  interval_ms: number
  timeout_ms: number
  start_period_ms: number
  start_interval_ms: number
  retries: number
}

/**
 * What a solver asks of a machine: a whole system of an image's own, with root where the image has it, for tasks that are done at a terminal.
 * Null in a size: whatever the agent gives one that does not say.
 */
export type MachineSpec = {
  image: MachineImage
  cpus: number | null
  memory_mb: number | null
  storage_mb: number | null
  network: 'public' | 'none'
  env: Readonly<Record<string, string>>
  workdir: string | null
  healthcheck: Healthcheck | null
  /** Folders that anybody may write into, which are there when it is given out. */
  places?: readonly string[] | undefined
  /** Containers beside it, which begin with it and end with it. */
  services?: MachineServices | undefined
}

/** A command in a machine. `user`: a name or number that the image knows; left out: the image's own. `environment` is added to the machine's. */
export type MachineExec = {
  argv: readonly [string, ...string[]]
  user?: string | undefined
  cwd?: string | undefined
  env?: Readonly<Record<string, string>> | undefined
  /**
   * Files that are in place when it starts, as if `upload` had put them there. The machine's own `tar` may do it, which costs less than an upload: only where that can be
   * trusted. The command then has no input.
   */
  put?: { path: string; files: readonly TreeFile[] } | undefined
  stdin?: Uint8Array | undefined
  /** In place of `stdin`: what the command is given while it runs. It is left when the command has ended. */
  input?: AsyncIterable<Uint8Array> | undefined
  timeout_ms: number
  /** Bytes to hand back of the beginning and of the end of both outputs together; what lies between is counted and dropped. */
  head_bytes: number
  tail_bytes: number
  /** Gets every part of the output as it comes, for a log or whoever watches. */
  onOutput?: ((part: Uint8Array) => void) | undefined
}

/**
 * What became of it. `exit_code` is null for everything but `exited`; `omitted_bytes` lie between head and tail. A command that cannot be started
 * has exited with 126 and the reason in its output, as in a shell; `disk-full`: the machine's disk held more than its storage.
 */
export type MachineExecResult = {
  end: Extract<(typeof execEnds)[number], 'exited' | 'timeout' | 'out-of-memory' | 'disk-full' | 'unavailable'>
  exit_code: number | null
  head: Uint8Array
  tail: Uint8Array
  omitted_bytes: number
}

/**
 * What a download gave: files of a `folder`, or one file under its own name. `unsafe`: a link, a device or a pipe stands there, or the folder holds a name
 * that leaves it; `entry` tells which.
 */
export type Downloaded =
  | { ok: true; folder: boolean; files: TreeFile[] }
  | { ok: false; reason: 'unsafe'; entry: 'link' | 'special' | 'name' }
  | { ok: false; reason: 'absent' | 'too-large' | 'unavailable' }

/** A running machine. Nothing here throws for what a program inside does; the fleet closes it, whatever the solver did. */
export type Machine = {
  /** What stands beside it, by name. */
  services?: Readonly<Record<string, ServiceMachine>>
  /** What it was started from: its name, and the digest under which exactly this image is known (`sha256:…`). */
  image: { name: string; digest: string }
  /** One and the same for all machines that began as this one did; undefined where none is known to. */
  alike?: Likeness | undefined
  exec(request: MachineExec): Promise<MachineExecResult>
  /** Puts files below an absolute path, as root, over what is there. */
  upload(path: string, files: readonly TreeFile[]): Promise<'written' | 'disk-full' | 'unavailable'>
  /** Changes whenever something is added to or taken from a folder at an absolute path; null where there is none, undefined where nobody can tell. */
  folderStamp(path: string): Promise<string | null | undefined>
  /** Reads a file or folder at an absolute path. Links are neither followed nor given. */
  download(path: string, most_bytes: number): Promise<Downloaded>
  /**
   * The command lines of all processes but the machine's first, as the engine tells them of one moment in which none can begin another; null where the
   * machine is gone.
   */
  processes(): Promise<string[] | null>
  /** Ends every process but the machine's first, of all users; false where the machine is gone. */
  endProcesses(): Promise<boolean>
  /** Whether its disk held more than its storage at any time: it was ended then, and nothing that it holds is graded. */
  isFull?(): Promise<boolean>
  /** Ends the machine for good, before its trial ends: its room is free for another. */
  stop(): Promise<void>
}

/** A service beside a machine, for what is asked of it after the work. */
export type ServiceMachine = Pick<Machine, 'exec' | 'download'>
