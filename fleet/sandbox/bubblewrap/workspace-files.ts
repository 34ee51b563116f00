import { randomUUID } from 'node:crypto'
import { constants, type FileHandle, mkdir, open, rename, unlink } from 'node:fs/promises'
import type { WriteEnd } from '#shared/solvers/sandbox.ts'

/** Where programs find their workspace. */
export const workspacePath = '/workspace'

/** To whom a file belongs on the host. */
export type Owner = { uid: number; gid: number }

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants
/** Bytes that are read at once: what is asked for at most may be far more than there is. */
const chunk = 65_536
const deepest = 64

/** The names that lead to a file from the workspace down; null for a path that leaves it, is the workspace itself, or cannot be a file's. */
export function namesOf(path: string): readonly string[] | null {
  if (path.includes('\0')) return null
  const inside = path.startsWith('/') ? (path.startsWith(`${workspacePath}/`) ? path.slice(workspacePath.length + 1) : null) : path
  if (inside === null || inside.endsWith('/')) return null
  const names = inside.split('/').filter((name) => name !== '' && name !== '.')
  const fits = names.length > 0 && names.length <= deepest && names.every((name) => name !== '..' && Buffer.byteLength(name) <= 255)
  return fits ? names : null
}

/**
 * At most `most` bytes of a plain file below an open directory; null where there is none. Every name is opened from the directory before it, and
 * no link is followed, whatever a program changes meanwhile; what is no plain file is not waited for.
 */
export async function readBelow(root: FileHandle, path: string, most: number): Promise<Uint8Array | null> {
  const names = namesOf(path)
  if (!names) return null
  try {
    await using above = await openAbove(root, names, undefined)
    await using file = await open(at(above.directory, names.at(-1)!), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    if (!(await file.stat()).isFile()) return null
    const parts: Buffer[] = []
    let had = 0
    while (had < most) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(chunk, most - had)), 0, null, had)
      if (bytesRead === 0) break
      parts.push(buffer.subarray(0, bytesRead))
      had += bytesRead
    }
    return new Uint8Array(Buffer.concat(parts))
  } catch (error) {
    if (isSystemError(error)) return null
    throw error
  }
}

/**
 * Puts a file below an open directory, with the directories that lead to it; it takes the place of what had its name, a link included, and is
 * there whole or not at all. Refused where a directory has its name, or a name on the way is no directory.
 */
export async function writeBelow(root: FileHandle, path: string, bytes: Uint8Array, owner: Owner | null): Promise<WriteEnd> {
  const names = namesOf(path)
  if (!names) return 'denied'
  try {
    await using above = await openAbove(root, names, owner)
    const fresh = at(above.directory, `.bench-${randomUUID()}`)
    try {
      await using file = await open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644)
      if (owner) await file.chown(owner.uid, owner.gid)
      await file.writeFile(bytes)
      await rename(fresh, at(above.directory, names.at(-1)!))
    } catch (error) {
      await unlink(fresh).catch(() => undefined)
      throw error
    }
    return 'written'
  } catch (error) {
    if (isSystemError(error)) return error.code === 'ENOSPC' || error.code === 'EDQUOT' ? 'disk-full' : 'denied'
    throw error
  }
}

/** A name in an open directory. Node has no openat(2); the kernel resolves this path to the directory itself, wherever it was moved. */
const at = (directory: FileHandle, name: string): string => `/proc/self/fd/${directory.fd}/${name}`

/** Opens the directory that holds the last of these names. With `owner`, directories that are missing are made and are the owner's. */
async function openAbove(root: FileHandle, names: readonly string[], owner: Owner | null | undefined) {
  const opened: FileHandle[] = []
  const close = async () => void (await Promise.all(opened.map((one) => one.close())))
  try {
    let directory = root
    for (const name of names.slice(0, -1)) {
      const path = at(directory, name)
      const made = owner !== undefined && (await mkdir(path, 0o755).then(() => true, isThere))
      directory = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
      opened.push(directory)
      if (made && owner) await directory.chown(owner.uid, owner.gid)
    }
    return { directory, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

function isThere(error: unknown): false {
  if (isSystemError(error) && error.code === 'EEXIST') return false
  throw error
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'syscall' in error
