import { once } from 'node:events'
import { constants, type FileHandle, open, statfs } from 'node:fs/promises'
import { become, launch } from './launch.ts'
import type { Owner } from './workspace-files.ts'

/** The files of one sandbox: a file system in memory that no other process sees, gone with the process that holds it. */
export type Scratch = {
  /** The command that runs another one as the sandbox's user where the scratch can be seen, at `scratchPath`. */
  enter: readonly string[]
  /** Its directory that programs have as their workspace. */
  workspace: FileHandle
  /** Whether it has no room left, of bytes or of files. */
  isFull(): Promise<boolean>
  close(): Promise<void>
}

/** Where the scratch is for who entered it. */
export const scratchPath = '/tmp'

/**
 * Mounts it in namespaces of its own, gives up what rights it has, and stays until its standard input ends: also when the agent is killed.
 * Arguments: options of the mount, and then what the holder becomes.
 */
const holder = `mount -t tmpfs -o "$1" tmpfs ${scratchPath} && cd ${scratchPath} && shift && "$@" mkdir -m 0755 workspace &&
"$@" mkdir -m 1777 tmp shm && echo ready && exec "$@" cat > /dev/null`

/** Opens a scratch of so many bytes and files as this user of the host. Throws with what the system said where it cannot. */
export async function openScratch(bytes: number, files: number, user: Owner | null): Promise<Scratch> {
  const options = `size=${bytes},nr_inodes=${files},mode=0755,nosuid,nodev${user ? `,uid=${user.uid},gid=${user.gid}` : ''}`
  // Root mounts it as root, so that the agent can write into it; anybody else is root of namespaces of its own for that.
  const own = user ? ['--mount'] : ['--user', '--map-root-user', '--mount']
  const argv = ['unshare', ...own, '--', '/bin/sh', '-c', holder, 'hold', options, ...become(user)]
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
  const ready = await Promise.race([once(child.stdout!, 'data').then(() => true), ended.then(() => false)])
  if (!ready) throw new Error(said.trim() || 'the holder of its files ended')
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
      ...(user ? [] : ['--preserve-credentials', '--user']),
      '--mount',
      '--target',
      String(child.pid),
      '--',
      ...become(user),
    ],
    workspace,
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
