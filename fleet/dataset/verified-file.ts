import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { Sha256 } from '#shared/contract/ids.ts'
import type { DatasetEnv } from './dataset-env.ts'
import { systemCode } from './dataset-error.ts'

const Mark = z.object({ path: z.string(), size: z.number(), mtime_ms: z.number(), ctime_ms: z.number(), sha256: Sha256 })
type Mark = z.infer<typeof Mark>

type HashEnv = Pick<DatasetEnv, 'cacheDir' | 'heavy' | 'signal'>

/** Larger files are hashed on a thread. */
const largeBytes = 16 * 2 ** 20

/** SHA-256 of a file as it is now. `recorded` is what an earlier look saw, also when the file has changed since; `read`: no mark answered. */
export type FileHash = { sha256: string; recorded: string | null; read: boolean }

/**
 * Hash of `path`, or undefined when there is no such file. A file whose size and times are as at the last look is not read again:
 * the mark in `<cacheDir>/verified` answers. A changed file is read in full and its mark is kept as `recorded`.
 */
export async function hashFile(path: string, { cacheDir, heavy, signal }: HashEnv): Promise<FileHash | undefined> {
  const before = await statOf(path)
  if (before === undefined) return undefined
  const mark = await readMark(path, cacheDir)
  if (mark && mark.size === before.size && mark.mtime_ms === before.mtime_ms && mark.ctime_ms === before.ctime_ms) {
    return { sha256: mark.sha256, recorded: mark.sha256, read: false }
  }
  const sha256 = before.size > largeBytes ? await heavy.run('hash', path, { signal }) : await sha256Of(path)
  return { sha256, recorded: mark?.sha256 ?? null, read: true }
}

/** SHA-256 in hex of a file's bytes, all of which are read. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Remembers that `path`, as it lies on the disk now, has this hash. */
export async function markVerified(path: string, cacheDir: string, sha256: string): Promise<void> {
  const now = await statOf(path)
  if (now === undefined) return
  const file = markPath(path, cacheDir)
  await mkdir(join(cacheDir, 'verified'), { recursive: true })
  const temporary = `${file}.${randomUUID()}`
  await writeFile(temporary, JSON.stringify({ path, ...now, sha256 } satisfies Mark))
  await rename(temporary, file)
}

async function statOf(path: string): Promise<Omit<Mark, 'path' | 'sha256'> | undefined> {
  try {
    const { size, mtimeMs, ctimeMs } = await stat(path)
    return { size, mtime_ms: mtimeMs, ctime_ms: ctimeMs }
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined
    throw error
  }
}

async function readMark(path: string, cacheDir: string): Promise<Mark | undefined> {
  try {
    const mark = Mark.safeParse(JSON.parse(await readFile(markPath(path, cacheDir), 'utf8')))
    return mark.success && mark.data.path === path ? mark.data : undefined
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function markPath(path: string, cacheDir: string): string {
  return join(cacheDir, 'verified', `${createHash('sha256').update(path).digest('hex')}.json`)
}
