import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DataFile } from '#shared/contract/card.ts'
import { archiveNameOf } from '#shared/run/upload-data.ts'
import type { DatasetEnv } from './dataset-env.ts'
import { datasetError, unwrap } from './dataset-error.ts'
import { withFileLock } from './file-lock.ts'
import { hashFile, markVerified } from './verified-file.ts'

/** Rows of an uploaded task: `sha256` is that of the archive, `rows` names the file that was made of it. */
export type OpenedUpload = { path: string; sha256: string; rows: { name: string; sha256: string } }

/**
 * The task of an archive that the service keeps, as the row that a folder of tasks gives. It is fetched and unpacked once, into
 * `<cacheDir>/uploads/<sha256>`. Throws `dataset/unavailable | mismatch | bad-record`.
 */
export async function openUpload({ path: name, sha256 }: DataFile, env: DatasetEnv): Promise<OpenedUpload> {
  const archive = archiveNameOf(name)
  if (sha256 === null || !/^[\w-][\w.-]*$/.test(archive)) throw datasetError('bad-record', `"${name}" is no uploaded task`)
  const path = join(env.cacheDir, 'uploads', sha256, `${archive}.jsonl`)
  const hash = (await keptHash(path, env)) ?? (await make(path, { archive, sha256 }, env))
  return { path, sha256, rows: { name: `${archive}.jsonl`, sha256: hash } }
}

/** Hash of rows that were made before and have not changed since. */
async function keptHash(path: string, env: DatasetEnv): Promise<string | undefined> {
  const hash = await hashFile(path, env)
  return hash && hash.recorded === hash.sha256 ? hash.sha256 : undefined
}

async function make(path: string, { archive, sha256 }: { archive: string; sha256: string }, env: DatasetEnv): Promise<string> {
  const { uploads } = env
  if (!uploads)
    throw datasetError('unavailable', 'An uploaded task lies with the service it was uploaded to: only agents of that service can open it.')
  await mkdir(dirname(path), { recursive: true })
  return withFileLock(path, env.signal, async () => {
    const before = await keptHash(path, env)
    if (before !== undefined) return before
    const zip = `${path}.zip`
    await rm(zip, { force: true }) // of a process that was killed
    try {
      await uploads(sha256, zip, env.signal)
      const made = unwrap(await env.heavy.run('unpack', { zip, archive, target: path }, { signal: env.signal }))
      await markVerified(path, env.cacheDir, made)
      return made
    } finally {
      await rm(zip, { force: true })
    }
  })
}
