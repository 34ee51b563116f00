import { once } from 'node:events'
import { closeSync } from 'node:fs'
import { constants, type FileHandle, open, statfs } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { become, type Launch } from './launch.ts'
import { closeOutput, createPipeNames, type OutputPipe, openInput, openOutput } from './named-pipes.ts'
import type { Owner } from './workspace-files.ts'

/** The files of one sandbox: a file system in memory that no other process sees, gone with the process that holds it. */
export type Scratch = {
  /** The command that runs another one as the sandbox's user where the scratch can be seen, at `scratchPath`. */
  enter: readonly string[]
  /** Its directory that programs have as their workspace. */
  workspace: FileHandle
  /** What a command has as its input, output and errors; null where the scratch is gone. Throws where there is no room for the input. */
  openChannels(input: Uint8Array): Promise<Channels | null>
  /** Whether it has no room left, of bytes or of files. */
  isFull(): Promise<boolean>
  close(): Promise<void>
}

/** Descriptors for a command. `stdin` is null where it is given nothing. */
export type Channels = { stdin: number | null; stdout: OutputPipe; stderr: OutputPipe }

/** Where the scratch is for who entered it. */
export const scratchPath = '/tmp'

/** Makes pipes, two for a command, up to each number that it reads, and says so. */
const maker = `mkdir -m 0755 workspace && mkdir -m 1777 tmp shm || exit
have=0
while read -r wanted; do
  names=
  while [ "$have" -lt "$wanted" ]; do have=$((have + 1)); names="$names pipes/$have.out pipes/$have.err"; done
  mkfifo -m 0600 $names && echo "$have" || exit
done`

/**
 * Mounts it in namespaces of its own, gives up what rights it has, and stays until its standard input ends: also when the agent is killed.
 * Arguments: options of the mount, what makes pipes, and then what the holder becomes.
 */
const holder = `mount -t tmpfs -o "$1" tmpfs ${scratchPath} && cd ${scratchPath} && mkdir pipes && mount -t tmpfs -o "$1" tmpfs pipes || exit
made=$2; shift 2; exec "$@" /bin/sh -c "$made"`

/** Opens a scratch of so many bytes and files as this user of the host. Throws with what the system said where it cannot. */
export async function openScratch(bytes: number, files: number, user: Owner | null, launch: Launch): Promise<Scratch> {
  const options = `size=${bytes},nr_inodes=${files},mode=0755,nosuid,nodev${user ? `,uid=${user.uid},gid=${user.gid}` : ''}`
  // Root mounts it as root, so that the agent can write into it; anybody else is root of namespaces of its own for that.
  const own = user ? ['--mount'] : ['--user', '--map-root-user', '--mount']
  const argv = ['unshare', ...own, '--', '/bin/sh', '-c', holder, 'hold', options, maker, ...become(user)]
  const child = launch(argv, [], ['pipe', 'pipe', 'pipe'])
  const ended = once(child, 'close').catch(() => undefined)
  child.stdin!.on('error', () => undefined)
  let said = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(0, 300)
  })
  const close = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  const names = createPipeNames((upTo) => child.stdin!.write(`${upTo}\n`))
  createInterface(child.stdout!).on('line', (line) => names.made(Number(line)))
  void ended.then(names.end)
  if ((await names.take()) === null) throw new Error(said.trim() || 'the holder of its files ended')
  let workspace: FileHandle
  try {
    workspace = await open(
      `/proc/${child.pid}/root${scratchPath}/workspace`,
      constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
    )
  } catch (error) {
    await close()
    throw error
  }
  return {
    enter: [
      'nsenter',
      ...(user ? [`--setuid=${user.uid}`, `--setgid=${user.gid}`] : ['--preserve-credentials', '--user']),
      '--mount',
      '--target',
      String(child.pid),
      '--',
    ],
    workspace,
    async openChannels(input) {
      const number = await names.take()
      if (number === null) return null
      const path = `/proc/${child.pid}/root${scratchPath}/pipes/${number}`
      using failed = new DisposableStack()
      const stdin = input.length > 0 ? openInput(`${path}.in`, input) : null
      if (stdin !== null) failed.defer(() => closeSync(stdin))
      const stdout = openOutput(`${path}.out`)
      failed.defer(() => closeOutput(stdout))
      const stderr = openOutput(`${path}.err`)
      failed.move()
      return { stdin, stdout, stderr }
    },
    isFull: async () => {
      const { bavail, ffree } = await statfs(`/proc/self/fd/${workspace.fd}`)
      return bavail === 0 || ffree === 0
    },
    close: async () => {
      await workspace.close()
      await close()
    },
  }
}
