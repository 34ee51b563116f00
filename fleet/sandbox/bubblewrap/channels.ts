import { chownSync, closeSync, constants, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { type Launcher, launcherPath, type Started } from './launcher.ts'
import type { Owner } from './workspace-files.ts'

/** A started program and what the agent reads of it. */
export type Running = Started & Record<Output, Socket>
export type StartRunning = (given: Given) => Promise<Running | null>
/** `commands` run before the program, in its place; `filter` is a file of the launcher's that it has as a descriptor. */
type Given = { commands: string; program: readonly string[]; input: Uint8Array; filter: string; user: Owner | null }

type Output = 'stdout' | 'stderr' | 'status'
const outputs: readonly Output[] = ['stdout', 'stderr', 'status']
/** Descriptors that bwrap is started with, beside the three of the program: the filter, and where it tells what became of the program. */
export const filterDescriptor = 3
export const statusDescriptor = 4
const descriptors: Record<Output, number> = { stdout: 1, stderr: 2, status: statusDescriptor }

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants
/** Pipes that are made at once: three for a command. */
const atOnce = 48

/**
 * Starts programs with named pipes as their outputs. Node's own are sockets, which no program can open by a path such as `/dev/stdout`, and a pipe
 * without a name belongs to who made it: these are the sandbox's user's. Names are taken away once both ends are open; none is used twice. Input is a
 * file without a name, which a program may open by `/dev/stdin` as often as it likes. Null: a file could not be opened, or the launcher is gone.
 */
export function createChannels(launcher: Launcher): StartRunning {
  const take = createPipeNames(launcher)
  let inputs = 0
  return async ({ commands, program, input, filter, user }) => {
    const names = await Promise.all(outputs.map(take))
    using undo = new DisposableStack()
    for (const name of names) undo.defer(() => unlinkSync(join(launcher.root, name)))
    const reading = names.map((name) => {
      const path = join(launcher.root, name)
      if (user) chownSync(path, user.uid, user.gid)
      return openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
    })
    let stdin = '/dev/null'
    if (input.length > 0) {
      const name = `input-${++inputs}`
      undo.defer(() => unlinkSync(join(launcher.root, name)))
      writeInput(join(launcher.root, name), input)
      stdin = join(launcherPath, name)
    }
    const started = await launcher.start(commands, program, [
      { descriptor: 0, way: '<', path: stdin },
      { descriptor: filterDescriptor, way: '<', path: filter },
      ...outputs.map((output, index) => ({ descriptor: descriptors[output], way: '>' as const, path: join(launcherPath, names[index]!) })),
    ])
    if (!started) {
      for (const descriptor of reading) closeSync(descriptor)
      return null
    }
    const [stdout, stderr, status] = reading.map((fd) => new Socket({ fd, readable: true, writable: false }))
    return { ...started, stdout: stdout!, stderr: stderr!, status: status! }
  }
}

/** Names of pipes that nobody else has, made ahead. */
function createPipeNames(launcher: Launcher): () => Promise<string> {
  let there: string[] = []
  let made = 0
  let making: Promise<void> | null = null
  const make = async (): Promise<void> => {
    const names = Array.from({ length: atOnce }, () => `pipe-${++made}`)
    const refused = await launcher.run(`mkfifo -m 0600 ${names.join(' ')}`)
    if (refused !== null) throw new Error(refused)
    there = [...there, ...names]
  }
  return async () => {
    while (true) {
      const name = there.pop()
      if (there.length < atOnce / 2 && !making) {
        making = make().finally(() => {
          making = null
        })
        making.catch(() => undefined) // who waits hears it
      }
      if (name !== undefined) return name
      await making
    }
  }
}

function writeInput(path: string, bytes: Uint8Array): void {
  const writing = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o444)
  try {
    writeFileSync(writing, bytes)
  } finally {
    closeSync(writing)
  }
}
