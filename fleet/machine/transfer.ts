import { posix } from 'node:path'
import { Readable } from 'node:stream'
import type { Container } from 'dockerode'
import { createTarDecoder, packTar, type TarEntry, type TarHeader } from 'modern-tar'
import * as z from 'zod'
import type { Downloaded, Machine, TreeFile } from '#shared/solvers/machine.ts'
import { refusalIn } from '../docker/engine.ts'

type Written = Awaited<ReturnType<Machine['upload']>>

/** More entries than this are too many, however small. */
const mostEntries = 200_000
/** Bytes of files that a command is given beside its own output. */
const mostPackedBeside = 4 * 2 ** 20
/** The highest bit of Go's `os.FileMode`, of a folder, and those of all else that is no plain file: links, devices, pipes, sockets. */
const folderBit = 2 ** 31
const linkBit = 2 ** 27
const otherBits = linkBit + 2 ** 26 + 2 ** 25 + 2 ** 24 + 2 ** 21 + 2 ** 19

const Stat = z.object({ mode: z.int(), size: z.int(), mtime: z.string().optional() })
type Stat = z.infer<typeof Stat>

/** Names from a tree's root that stay in it: no empty one, no `.` or `..`, no NUL. */
const isInside = (path: string): boolean =>
  path !== '' && !path.includes('\0') && path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')

/** What stands at a path, without following a link there; null: nothing. Throws where the engine does not answer. */
async function statOf(container: Container, path: string): Promise<Stat | null> {
  try {
    const answer = await container.infoArchive({ path })
    answer.resume() // there is no body, and the connection serves the next question
    const text = Buffer.from(answer.headers['x-docker-container-path-stat'] ?? '', 'base64').toString()
    return Stat.parse(JSON.parse(text))
  } catch (error) {
    if (refusalIn(error).status === 404) return null
    throw error
  }
}

const isFolder = (stat: Stat | null): boolean => stat !== null && stat.mode >= folderBit

/** When the entries of a folder last changed, as the engine tells it; null: no folder is there, undefined: the engine does not tell. */
export async function folderStamp(container: Container, path: string): Promise<string | null | undefined> {
  try {
    const stat = await statOf(container, path)
    return isFolder(stat) ? stat!.mtime : null
  } catch {
    return undefined
  }
}

/** Whether a folder stands at a path, itself and no link to one, into which everybody may write. Throws where the engine does not answer. */
export async function isOpenFolder(container: Container, path: string): Promise<boolean> {
  const stat = await statOf(container, path)
  return isFolder(stat) && (stat!.mode & 0o777) === 0o777
}

/** Whether a folder stands at a path; not where the way there leads through a file. Throws where the engine does not answer. */
async function isFolderAt(container: Container, path: string): Promise<boolean> {
  try {
    return isFolder(await statOf(container, path))
  } catch (error) {
    if (refusalIn(error).status === null) throw error
    return false
  }
}

/** A tree as tar: every file as root's, with no more bits than permissions. `below`: where its root is, `made`: folders to be made anew, `mtime`: when. */
export function packTree(
  files: readonly TreeFile[],
  { below = '', made = [], mtime = new Date(0) }: { below?: string; made?: readonly string[]; mtime?: Date } = {},
): Promise<Uint8Array> {
  const place = below === '' ? '' : `${below}/`
  const rootOwned = { uid: 0, gid: 0, uname: 'root', gname: 'root', mtime }
  const entries: TarEntry[] = [
    ...made.map((path): TarEntry => ({ header: { ...rootOwned, name: `${path}/`, type: 'directory', mode: 0o755, size: 0 } })),
    ...files.map(
      ({ path, mode, bytes }): TarEntry => ({
        header: { ...rootOwned, name: `${place}${path}`, type: 'file', mode: mode & 0o777, size: bytes.length },
        body: bytes,
      }),
    ),
  ]
  return packTar(entries)
}

/**
 * Puts files below an absolute path. Folders that are there stay as they are; a link in the place of one, at the path or below, gives way to a folder.
 * Throws for a path or name that no tree has: the caller's fault.
 */
export async function uploadTree(container: Container, path: string, files: readonly TreeFile[], signal: AbortSignal): Promise<Written> {
  if (!path.startsWith('/') || path.includes('\0')) throw new TypeError(`${JSON.stringify(path)} is no absolute path`)
  const wrong = files.find((file) => !isInside(file.path))
  if (wrong) throw new TypeError(`${JSON.stringify(wrong.path)} is no path in a tree`)
  const root = posix.normalize(path).replaceAll(/^\/|\/$/g, '')
  try {
    const made = await foldersToMake(container, root, files)
    const tar = await packTree(files, { below: root, made, mtime: new Date() })
    await container.putArchive(Buffer.from(tar.buffer, tar.byteOffset, tar.length), { path: '/', abortSignal: signal })
    return 'written'
  } catch (error) {
    return /no space left|disk quota exceeded/i.test(refusalIn(error).words) ? 'disk-full' : 'unavailable'
  }
}

/**
 * Files as tar that is unpacked at the root, where their folder would be a new one there; null where it would not, or they are many bytes: then `uploadTree` puts
 * them. Throws where the engine does not answer.
 */
export async function packAtNewFolder(container: Container, path: string, files: readonly TreeFile[]): Promise<Uint8Array | null> {
  const root = /^\/([^/\0]+)$/.exec(path)?.[1]
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
  if (root === undefined || !isInside(root) || bytes > mostPackedBeside || !files.every((file) => isInside(file.path))) return null
  if ((await statOf(container, path)) !== null) return null
  const folders = new Set([root, ...files.flatMap((file) => pathsTo(posix.dirname(file.path)).map((folder) => `${root}/${folder}`))])
  return packTree(files, { below: root, made: [...folders].sort(), mtime: new Date() })
}

/** Folders that are not there yet, or are something else: those on the way to the tree's root, where a link to a folder will do, and all of the tree. */
async function foldersToMake(container: Container, root: string, files: readonly TreeFile[]): Promise<string[]> {
  const above = pathsTo(posix.dirname(`/${root}`).slice(1))
  const folders = new Set(root === '' ? [] : [root])
  for (const { path } of files) for (const one of pathsTo(posix.dirname(path))) folders.add(posix.join(root, one))
  const made = new Set<string>()
  for (const folder of [...above, ...[...folders].sort()]) {
    const asked = above.includes(folder) ? `/${folder}/.` : `/${folder}`
    // Below a new folder everything is new.
    if (made.has(posix.dirname(folder)) || !(await isFolderAt(container, asked))) made.add(folder)
  }
  return [...made]
}

/** `a/b/c` as `a`, `a/b` and `a/b/c`; nothing for the root itself. */
function pathsTo(path: string): string[] {
  const names = path === '.' || path === '' ? [] : path.split('/')
  return names.map((_, index) => names.slice(0, index + 1).join('/'))
}

/** Most reads of one path. Docker aborts the archive of a file that changes its size meanwhile. */
const mostReads = 5

/** Reads a file or folder at an absolute path. Throws for a path that is none: the caller's fault. */
export async function downloadTree(container: Container, path: string, most_bytes: number, signal: AbortSignal): Promise<Downloaded> {
  if (!path.startsWith('/') || path.includes('\0')) throw new TypeError(`${JSON.stringify(path)} is no absolute path`)
  const clean = posix.normalize(path).replace(/(.)\/$/, '$1')
  for (let reads = 1; ; reads++) {
    const read = await readOnce(container, clean, most_bytes, signal)
    if (read.ok || read.reason !== 'unavailable' || reads === mostReads || signal.aborted) return read
  }
}

async function readOnce(container: Container, clean: string, most_bytes: number, signal: AbortSignal): Promise<Downloaded> {
  try {
    const stat = await statOf(container, clean)
    if (stat === null) return { ok: false, reason: 'absent' }
    if (!isFolder(stat) && notPlain(stat)) return { ok: false, reason: 'unsafe', entry: (stat.mode & linkBit) === 0 ? 'special' : 'link' }
    if (!isFolder(stat) && stat.size > most_bytes) return { ok: false, reason: 'too-large' }
    const stream = await container.getArchive({ path: clean, abortSignal: signal })
    try {
      return await readTree(stream, isFolder(stat), most_bytes)
    } finally {
      stream.destroy()
    }
  } catch (error) {
    // Of a path through a file an engine says nothing but that it failed, unless it may use words.
    const { status, words } = refusalIn(error)
    const said = status === 500 ? await wordsAt(container, clean, signal) : words
    return { ok: false, reason: status === 404 || /not a directory|no such file/i.test(said) ? 'absent' : 'unavailable' }
  }
}

const wordsAt = (container: Container, path: string, abortSignal: AbortSignal): Promise<string> =>
  container.getArchive({ path, abortSignal }).then(
    (stream) => {
      stream.destroy()
      return ''
    },
    (error: unknown) => refusalIn(error).words,
  )

const notPlain = ({ mode }: Stat): boolean => (mode & otherBits) !== 0

/** Plain files of what an engine sends of a path: its own name is the first of every entry's. Two names of one file are two files. */
async function readTree(stream: Readable, folder: boolean, most_bytes: number): Promise<Downloaded> {
  const files = new Map<string, TreeFile>()
  let bytes = 0
  let entries = 0
  const web = Readable.toWeb(stream) as ReadableStream<Uint8Array<ArrayBuffer>> // a stream of bytes
  for await (const { header, body } of web.pipeThrough(createTarDecoder({ strict: true }))) {
    entries++
    const plain = header.type === 'file'
    bytes += plain ? header.size : 0
    if (bytes > most_bytes || entries > mostEntries) return { ok: false, reason: 'too-large' }
    const path = pathOf(header.name, folder)
    if (path === null || (!folder && !plain)) return { ok: false, reason: 'unsafe', entry: 'name' }
    if (plain && path !== '') files.set(header.name, { path, mode: modeOf(header), bytes: await bytesOf(body, header.size) })
    else await body.cancel()
    const first = header.type === 'link' && header.linkname !== undefined ? files.get(header.linkname) : undefined
    if (first) {
      bytes += first.bytes.length
      if (bytes > most_bytes) return { ok: false, reason: 'too-large' }
      files.set(header.name, { ...first, path })
    }
  }
  return { ok: true, folder, files: [...files.values()] }
}

const modeOf = ({ mode = 0o644 }: TarHeader): number => mode & 0o777

/** The path of an entry in the tree: the folder itself is the empty one. Null for a name that leaves it. */
function pathOf(name: string, folder: boolean): string | null {
  const whole = name.replace(/\/$/, '').replace(/^\.?\//, '')
  const path = folder ? whole.split('/').slice(1).join('/') : whole
  return (folder && path === '') || isInside(path) ? path : null
}

async function bytesOf(body: ReadableStream<Uint8Array>, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  let at = 0
  for await (const part of body) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
