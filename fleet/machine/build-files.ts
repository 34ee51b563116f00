import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Docker from 'dockerode'
import { packTar, type TarSource } from 'modern-tar/fs'
import type { BuildFile } from '#shared/dockerfile/plan-build.ts'
import { type FetchMeans, fetchPublic, NotFetched } from './fetch-public.ts'
import { jsonLines } from './json-lines.ts'

/** Why a file of a Dockerfile could not be had, in words of ours. */
export class NotBrought extends Error {}

/** What all files of one Dockerfile that are fetched may have together, in bytes. */
const mostFetched_bytes = 2 * 2 ** 30

/**
 * Makes the image that a build takes its here-documents and fetched files from. A file that is fetched is root's alone, one of a here-document everybody's to read,
 * as Docker has them. Throws `NotBrought`, what the engine refuses, and the signal's reason.
 */
export async function importFiles(
  docker: Docker,
  name: string,
  files: readonly BuildFile[],
  signal: AbortSignal,
  fetch?: FetchMeans,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-fetched-'))
  try {
    let left_bytes = mostFetched_bytes
    const sources: TarSource[] = []
    for (const [index, file] of files.entries()) {
      const target = file.path.slice(1)
      if (file.from === 'text') {
        sources.push({ type: 'content', target, content: file.text, mode: 0o644, mtime: new Date(0) })
        continue
      }
      const source = join(folder, String(index))
      left_bytes -= await fetched(file, { path: source, most_bytes: left_bytes }, signal, fetch)
      sources.push({ type: 'file', target, source, mode: 0o600, mtime: new Date(0) })
    }
    const [repo, tag] = name.split(':') as [string, string]
    for await (const line of jsonLines(await docker.importImage(packTar(sources), { repo, tag, abortSignal: signal })))
      if (typeof line === 'object' && line !== null && 'error' in line) throw new Error(String(line.error))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Fetches one file; gives its bytes. */
async function fetched(
  { url, checksum, line }: Extract<BuildFile, { from: 'address' }>,
  place: { path: string; most_bytes: number },
  signal: AbortSignal,
  means: FetchMeans | undefined,
): Promise<number> {
  try {
    return await fetchPublic(url, { ...place, checksum }, signal, means)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NotFetched) throw new NotBrought(`Dockerfile, line ${line}: ADD ${error.message}`)
    throw error
  }
}
