import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { isMainThread } from 'node:worker_threads'
import type { Outcome } from '#shared/contract/failure.ts'
import type { ExecRequest, ExecResult, Sandbox } from '#shared/solvers/sandbox.ts'
import type { SandboxProvider } from '../../trial/resources.ts'
import { type ControlGroup, type ControlGroups, findControlGroups } from '../cgroup/control-groups.ts'
import { bwrapArguments } from './bwrap-arguments.ts'
import { nextHostUser } from './host-user.ts'
import { createLaunch, type Launch } from './launch.ts'
import { runCommand, toResult } from './run-command.ts'
import { openScratch, type Scratch, scratchPath } from './scratch.ts'
import { seccompFilter } from './seccomp-filter.ts'
import { refusalOf } from './spec-refusal.ts'
import { type Architecture, architectures } from './syscalls.ts'
import { systemMounts } from './system-mounts.ts'
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

type Means = { filter: number; system: readonly string[]; bwrap: string; launch: Launch }
type Parts = { means: Means; group: ControlGroup; scratch: Scratch; user: Owner | null }

/**
 * Makes ready what sandboxes have in common. Each has its own mounts, processes, network, user of the host and limits, and its files in memory:
 * they count as memory too, and a sandbox of more disk than memory is refused. `close` releases what they shared.
 */
export async function createBubblewrap(bwrap = 'bwrap', groups?: ControlGroups): Promise<Bubblewrap> {
  const found = groups ?? (await findControlGroups())
  const architecture = architectures.find((one): one is Architecture => one === process.arch)
  const means = architecture
    ? { filter: openFilter(seccompFilter(architecture)), system: systemMounts(), bwrap, launch: createLaunch() }
    : null
  return {
    groups: found,
    async open(spec, signal) {
      const refusal = refusalOf(spec)
      if (refusal !== null) return failed('denied', false, refusal)
      if (!means) return failed('unavailable', true, `There is no filter of system calls for ${process.arch}.`)
      if (!isMainThread) return failed('unavailable', false, 'A sandbox of bubblewrap opens on the main thread only.')
      if ('missing' in found) return failed('unavailable', true, `This agent ${found.missing}.`)
      signal.throwIfAborted()
      const opened = new AsyncDisposableStack()
      try {
        const user = nextHostUser(process.getuid!(), process.pid)
        const memory_bytes = Math.floor(spec.memory_mb * mib)
        const group = await found.create({ memory_bytes, processes: mostProcesses, cpus: spec.cpus })
        opened.defer(group.remove)
        const scratch = await openScratch(Math.floor(spec.disk_mb * mib), Math.ceil(spec.disk_mb * filesPerMb), user, means.launch)
        opened.defer(scratch.close)
        signal.throwIfAborted()
        return { ok: true, value: createSandbox({ means, group, scratch, user }, opened, signal) }
      } catch (error) {
        await opened.disposeAsync()
        signal.throwIfAborted()
        return failed('unavailable', true, `bubblewrap cannot open a sandbox: ${error instanceof Error ? error.message : String(error)}`)
      }
    },
    close: () => {
      if (means) closeSync(means.filter)
    },
  }
}

function createSandbox({ means, group, scratch, user }: Parts, opened: AsyncDisposableStack, signal: AbortSignal): Box {
  const closing = new AbortController()
  const given = AbortSignal.any([signal, closing.signal])
  const running = new Set<Promise<unknown>>()
  const during = <T>(work: Promise<T>): Promise<T> => {
    running.add(work)
    return work.finally(() => running.delete(work))
  }
  const nothing = (end: ExecResult['end']): ExecResult => ({ end, exit_code: null, stdout: new Uint8Array(), stderr: new Uint8Array() })
  const exec = async (request: ExecRequest): Promise<ExecResult> => {
    const told = bwrapArguments(request, means.system, scratchPath)
    if (!told || !(request.timeout_ms > 0) || !(request.output_bytes >= 0)) return nothing('denied')
    const before = await group.memoryKills()
    if (given.aborted) return nothing('unavailable')
    const channels = await scratch.openChannels(request.stdin ?? new Uint8Array()).catch(lostChannels)
    if (!channels) return nothing(channels === null ? 'unavailable' : 'disk-full')
    const { stdin, stdout, stderr } = channels
    // Opened anew for each: who reads a descriptor to its end leaves it there for all who share it.
    const filter = openSync(`/proc/self/fd/${means.filter}`, 'r')
    let child: ReturnType<Launch>
    try {
      child = means.launch([...scratch.enter, means.bwrap, ...told], group.joins, [
        ...[stdin ?? ('ignore' as const), stdout.given, stderr.given],
        ...[filter, 'pipe' as const],
      ])
    } catch {
      for (const { stream } of [stdout, stderr]) stream.destroy()
      return nothing('denied') // arguments longer than the system takes
    } finally {
      for (const descriptor of [filter, stdin, stdout.given, stderr.given]) if (descriptor !== null) closeSync(descriptor)
    }
    if (child.pid === undefined) {
      await once(child, 'error').catch(() => undefined)
      for (const { stream } of [stdout, stderr]) stream.destroy()
      return nothing('unavailable')
    }
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
    const finding = await runCommand(
      child,
      child.stdio[4] as Readable,
      { stdout: stdout.stream, stderr: stderr.stream },
      request,
      AbortSignal.any([given, short.signal]),
    )
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

/** What channels that could not be opened say of the sandbox: undefined, it has no room for them; null, it is gone. */
const lostChannels = (error: NodeJS.ErrnoException): null | undefined => (error.code === 'ENOSPC' ? undefined : null)

/** A file without a name that holds these bytes: bwrap reads its filter from a descriptor. */
function openFilter(bytes: Uint8Array): number {
  const folder = mkdtempSync(join(tmpdir(), 'bench-filter-'))
  try {
    const path = join(folder, 'filter')
    writeFileSync(path, bytes)
    return openSync(path, 'r')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function failed(reason: 'unavailable' | 'denied', retryable: boolean, detail: string): Outcome<never> {
  return { ok: false, failure: { at: 'sandbox', reason, retryable, status: null, detail: detail.slice(0, 2000) } }
}
