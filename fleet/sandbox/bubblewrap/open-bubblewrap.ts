import { lstat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import type { Outcome } from '#shared/contract/failure.ts'
import type { ExecRequest, ExecResult, Sandbox } from '#shared/solvers/sandbox.ts'
import type { SandboxProvider } from '../../trial/resources.ts'
import { type ControlGroup, type ControlGroups, findControlGroups } from '../cgroup/control-groups.ts'
import type { SecretPlace } from '../secret-places.ts'
import { trialName } from '../trial-name.ts'
import { bwrapArguments } from './bwrap-arguments.ts'
import { createChannels, type StartRunning } from './channels.ts'
import { nextHostUser } from './host-user.ts'
import { createLauncher, type Launcher, launcherPath, quote } from './launcher.ts'
import { runCommand, toResult } from './run-command.ts'
import { openScratch, type Scratch } from './scratch.ts'
import { seccompFilter } from './seccomp-filter.ts'
import { refusalOf } from './spec-refusal.ts'
import { type Architecture, architectures } from './syscalls.ts'
import { type SystemMounts, systemMounts } from './system-mounts.ts'
import { type Owner, readBelow, writeBelow } from './workspace-files.ts'

/** Processes and threads of one sandbox together, bwrap's own two among them. */
export const mostProcesses = 256
const mib = 1024 ** 2
/** How often it is looked whether a command lost a process to its memory limit: the kernel takes one of them, the limit is for all. */
const memoryWatch_ms = 200
/** Files and directories for each MB of a sandbox's disk: one for 4 kB, a page, as file systems on disks have it. */
const filesPerMb = 256

/** Opens sandboxes with bubblewrap on this machine; what this machine lacks for it is why each is refused. */
export type Bubblewrap = {
  groups: ControlGroups
  close(): void
  open(...given: Parameters<SandboxProvider['open']>): Promise<Outcome<Box>>
}
/** One of them, with what the agent sees of it from outside. */
export type Box = Sandbox & AsyncDisposable & { outside: Outside }
export type Outside = {
  /** Which user of the host a file of the workspace belongs to. */
  ownerOf(name: string): Promise<number>
  cpuPeriods: ControlGroup['cpuPeriods']
}

type Means = { launcher: Launcher; start: StartRunning; system: SystemMounts; bwrap: string }
type Parts = { means: Means; group: ControlGroup; scratch: Scratch; user: Owner | null; disk_bytes: number }

/** The filter of system calls, among the files of what starts programs. */
const filterName = 'filter'

/**
 * Makes ready what sandboxes have in common. Each has its own mounts, processes, network, user of the host and limits, and its files in memory:
 * they count as memory too, and a sandbox of more disk than memory is refused. `close` releases what they shared.
 */
export async function createBubblewrap(bwrap = 'bwrap', groups?: ControlGroups, secrets?: readonly SecretPlace[]): Promise<Bubblewrap> {
  const found = groups ?? (await findControlGroups())
  const architecture = architectures.find((one): one is Architecture => one === process.arch)
  let shared: Promise<Means> | undefined
  /** Made when it is first asked for, and again when what starts the programs was killed. */
  const means = async (architecture: Architecture): Promise<Means> => {
    if (
      !shared ||
      (await shared.then(
        ({ launcher }) => launcher.isGone(),
        () => true,
      ))
    )
      shared = makeMeans(bwrap, architecture, secrets)
    return shared
  }
  return {
    groups: found,
    async open(spec, signal, trial) {
      const refusal = refusalOf(spec)
      if (refusal !== null) return failed('denied', false, refusal)
      if (!architecture) return failed('unavailable', true, `There is no filter of system calls for ${process.arch}.`)
      if (!isMainThread) return failed('unavailable', false, 'A sandbox of bubblewrap opens on the main thread only.')
      if ('missing' in found) return failed('unavailable', true, `This agent ${found.missing}.`)
      signal.throwIfAborted()
      const opened = new AsyncDisposableStack()
      try {
        const held = await means(architecture)
        const user = nextHostUser(process.getuid!(), process.pid)
        const memory_bytes = Math.floor(spec.memory_mb * mib)
        const group = await found.create({ memory_bytes, processes: mostProcesses, cpus: spec.cpus }, trial && trialName(trial))
        opened.defer(group.remove)
        const disk_bytes = Math.floor(spec.disk_mb * mib)
        const scratch = await openScratch(held.launcher, disk_bytes, Math.ceil(spec.disk_mb * filesPerMb), user)
        opened.defer(scratch.close)
        signal.throwIfAborted()
        return { ok: true, value: createSandbox({ means: held, group, scratch, user, disk_bytes }, opened, signal) }
      } catch (error) {
        await opened.disposeAsync()
        signal.throwIfAborted()
        return failed('unavailable', true, `bubblewrap cannot open a sandbox: ${error instanceof Error ? error.message : String(error)}`)
      }
    },
    close: () =>
      void shared?.then(
        ({ launcher }) => launcher.close(),
        () => undefined,
      ),
  }
}

function createSandbox({ means, group, scratch, user, disk_bytes }: Parts, opened: AsyncDisposableStack, signal: AbortSignal): Box {
  const closing = new AbortController()
  const given = AbortSignal.any([signal, closing.signal])
  const running = new Set<Promise<unknown>>()
  const during = <T>(work: Promise<T>): Promise<T> => {
    running.add(work)
    return work.finally(() => running.delete(work))
  }
  const nothing = (end: ExecResult['end']): ExecResult => ({ end, exit_code: null, stdout: new Uint8Array(), stderr: new Uint8Array() })
  const exec = async (request: ExecRequest): Promise<ExecResult> => {
    const told = bwrapArguments(request, means.system(), scratch.path)
    if (!told || !(request.timeout_ms > 0) || !(request.output_bytes >= 0)) return nothing('denied')
    const before = await group.memoryKills()
    if (given.aborted) return nothing('unavailable')
    const input = request.stdin ?? new Uint8Array()
    if (input.length > disk_bytes) return nothing('disk-full')
    const commands = group.joins.map((file) => `echo 0 > ${quote(file)} || exit;`).join(' ')
    const program = [...become(user), means.bwrap, ...told]
    const started = await means.start({ commands, program, input, filter: join(launcherPath, filterName), user }).catch(() => null)
    if (!started) return nothing('unavailable')
    const short = new AbortController()
    const kills = async (): Promise<number> => (await group.memoryKills()) - before
    const watch = setInterval(
      () =>
        void kills().then(
          (some) => some > 0 && short.abort(),
          () => undefined,
        ),
      memoryWatch_ms,
    )
    const finding = await runCommand(started, request, AbortSignal.any([given, short.signal]))
    clearInterval(watch)
    return toResult(finding, given.aborted ? 0 : await kills(), await scratch.isFull())
  }
  let closed: Promise<void> | undefined
  const close = async (): Promise<void> => {
    closing.abort()
    await Promise.allSettled(running)
    await opened.disposeAsync()
  }
  return {
    outside: {
      ownerOf: async (name) => (await lstat(`/proc/self/fd/${scratch.workspace.fd}/${name}`)).uid,
      cpuPeriods: group.cpuPeriods,
    },
    exec: (request) => (given.aborted ? Promise.resolve(nothing('unavailable')) : during(exec(request))),
    read: async (path, most) => (given.aborted ? null : during(readBelow(scratch.workspace, path, most))),
    write: async (path, bytes) => (given.aborted ? 'unavailable' : during(writeBelow(scratch.workspace, path, bytes, user))),
    [Symbol.asyncDispose]: () => {
      closed ??= close()
      return closed
    },
  }
}

/** The command that runs another one as this user of the host, without its groups; none for null. */
const become = (user: Owner | null): string[] => (user ? ['nsenter', `--setuid=${user.uid}`, `--setgid=${user.gid}`, '--'] : [])

async function makeMeans(bwrap: string, architecture: Architecture, secrets?: readonly SecretPlace[]): Promise<Means> {
  const system = await systemMounts(secrets)
  const launcher = await createLauncher()
  await writeFile(join(launcher.root, filterName), seccompFilter(architecture), { mode: 0o444 })
  return { launcher, start: createChannels(launcher), system, bwrap }
}

function failed(reason: 'unavailable' | 'denied', retryable: boolean, detail: string): Outcome<never> {
  return { ok: false, failure: { at: 'sandbox', reason, retryable, status: null, detail: detail.slice(0, 2000) } }
}
