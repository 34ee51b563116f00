import type { Container } from 'dockerode'
import type { Machine, MachineExec, MachineExecResult } from '#shared/solvers/machine.ts'
import type { Likeness } from '#shared/solvers/machine-sight.ts'
import { type EndingPlace, endAllProcesses, endMarkedProcesses, otherProcesses } from './end-processes.ts'
import { type MachineEngine, removeContainer } from './machine-engine.ts'
import type { ReadyImage } from './machine-images.ts'
import { createPutAndRun } from './put-and-run.ts'
import { type CommandPlace, runCommand } from './run-command.ts'
import { watchStorage } from './storage-watch.ts'
import { downloadTree, folderStamp, uploadTree } from './transfer.ts'

/** A container that runs, and all that its machine is made of. `leave` gives its room back; `storage_mb`: the limit to be watched, null where the engine has it. */
export type Running = {
  engine: MachineEngine
  container: Container
  image: ReadyImage
  storage_mb: number | null
  /** What it has in common with others; undefined: nothing is known to be. */
  alike?: Likeness | undefined
  leave(): void | Promise<void>
}

/** A machine that somebody else closes. */
export type OpenMachine = Machine & AsyncDisposable

/** The machine of a running container. When the signal aborts it ends. */
export function createMachine({ engine, container, image, storage_mb, alike, leave }: Running, signal: AbortSignal): OpenMachine {
  engine.events.follow(container.id)
  const closing = new AbortController()
  const given = AbortSignal.any([signal, closing.signal])
  const running = new Set<Promise<unknown>>()
  const place: EndingPlace = { docker: engine.docker, container, image: image.id, labels: engine.labels }
  const still = createStandstill()
  let full = 0
  const watch =
    storage_mb === null
      ? null
      : watchStorage(container, { most_mb: storage_mb, disk: engine.disk }, async (why) => {
          full++
          // A machine that gives way to its host is no result; one that took too much is one.
          if (why === 'reserve') return remove()
          await still.during(() => endAllProcesses(place))
        })
  let removed: Promise<void> | undefined
  const remove = (): Promise<void> => {
    removed ??= end()
    return removed
  }
  const end = async (): Promise<void> => {
    watch?.close()
    try {
      if (!(await removeContainer(engine.docker, container.id))) throw new Error('it did not go')
    } catch {
      engine.left.add(container.id) // the engine is away: it is removed when it is back
      engine.lost()
    }
    engine.events.forget(container.id)
    await leave()
  }
  // Who gives a trial up need not close its machine first: what runs in it ends now.
  given.addEventListener('abort', () => void remove(), { once: true })
  if (given.aborted) void remove()
  const track = async <T>(work: Promise<T>): Promise<T> => {
    running.add(work)
    try {
      return await work
    } finally {
      running.delete(work)
    }
  }
  const exec = (request: MachineExec): Promise<MachineExecResult> => {
    const before = full
    const commandPlace: CommandPlace = {
      ...{ container, events: engine.events, signal: given, moving: still.moving },
      endMarked: (mark) => still.during(() => endMarkedProcesses(place, mark)),
      isFull: async () => {
        await watch?.settle()
        return full > before
      },
    }
    return runCommand(commandPlace, request)
  }
  const upload: Machine['upload'] = (path, files) => {
    const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
    if (storage_mb !== null && bytes > storage_mb * 1024 ** 2) return Promise.resolve('disk-full')
    return given.aborted ? Promise.resolve('unavailable') : track(uploadTree(container, path, files, given))
  }
  const putAndRun = createPutAndRun({ container, exec, upload })
  return {
    image: { name: image.name, digest: image.digest },
    alike,
    exec: ({ put, ...request }) => track(put ? putAndRun({ ...request, put }) : exec(request)),
    upload,
    folderStamp: async (path) => (given.aborted ? undefined : track(folderStamp(container, path))),
    download: (path, most_bytes) =>
      given.aborted ? Promise.resolve({ ok: false, reason: 'unavailable' }) : track(downloadTree(container, path, most_bytes, given)),
    processes: async () => (given.aborted ? null : track(still.during(() => otherProcesses(container)))),
    endProcesses: async () => !given.aborted && (await track(still.during(() => endAllProcesses(place)))) && !given.aborted,
    isFull: async () => (await watch?.settle()) ?? false,
    stop: async () => {
      closing.abort()
      await remove()
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort()
      await Promise.allSettled(running)
      await remove()
    },
  }
}

/** Lets one after the other make a machine stand still, and others wait until it moves again. */
function createStandstill() {
  let last: Promise<unknown> = Promise.resolve()
  return {
    moving: async (): Promise<void> => void (await last),
    during<T>(work: () => Promise<T>): Promise<T> {
      const mine = last.then(work)
      last = mine.catch(() => undefined)
      return mine
    },
  }
}
