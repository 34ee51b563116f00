import { chmod, chown, constants, type FileHandle, mkdir, open, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Launcher, launcherPath } from './launcher.ts'
import type { Owner } from './workspace-files.ts'

/** The files of one sandbox: a file system in memory that no other sandbox sees, gone with what starts its programs. */
export type Scratch = {
  /** Where it is for what starts its programs. */
  path: string
  /** Its directory that programs have as their workspace. */
  workspace: FileHandle
  /** Whether it has no room left, of bytes or of files. */
  isFull(): Promise<boolean>
  close(): Promise<void>
}

/** Directories of a scratch, and who may write into them. */
const directories = { workspace: 0o755, tmp: 0o1777, shm: 0o1777 }
let made = 0

/** Opens a scratch of so many bytes and files as this user of the host. Throws with what the system said where it cannot. */
export async function openScratch(launcher: Launcher, bytes: number, files: number, user: Owner | null): Promise<Scratch> {
  const name = `scratch-${++made}`
  const path = join(launcherPath, name)
  const options = `size=${bytes},nr_inodes=${files},mode=0755,nosuid,nodev${user ? `,uid=${user.uid},gid=${user.gid}` : ''}`
  const outside = join(launcher.root, name)
  const remove = async (): Promise<void> => {
    if (!launcher.isGone()) await launcher.run(`umount -l ${path}; rmdir ${path}`).catch(() => null)
  }
  await mkdir(outside)
  const refused = await launcher.run(`mount -t tmpfs -o ${options} tmpfs ${path}`)
  try {
    if (refused !== null) throw new Error(refused)
    for (const [directory, mode] of Object.entries(directories)) {
      await mkdir(join(outside, directory))
      await chmod(join(outside, directory), mode) // whatever this process takes away from modes
      if (user) await chown(join(outside, directory), user.uid, user.gid)
    }
    const workspace = await open(join(outside, 'workspace'), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
    return {
      path,
      workspace,
      isFull: async () => {
        const { bavail, ffree } = await statfs(`/proc/self/fd/${workspace.fd}`)
        return bavail === 0 || ffree === 0
      },
      close: async () => {
        await workspace.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
