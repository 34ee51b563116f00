import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataIdentity } from '#shared/contract/run.ts'
import { revisionOf } from './overrides.ts'

/**
 * Identity of the invented sample of every benchmark that has one: `sample.jsonl` is the role `test`, `sample.<role>.jsonl` any other.
 * The edge cannot read files: whoever starts it passes these as configuration.
 */
export async function sampleIdentities(benchmarksDir: string): Promise<Record<string, DataIdentity>> {
  const folders = (await readdir(benchmarksDir, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const identities: Record<string, DataIdentity> = {}
  for (const { name } of folders.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const files = await sampleFiles(join(benchmarksDir, name))
    if (files.length > 0) identities[name] = { source: 'sample', repo: 'sample', revision: revisionOf(files), files }
  }
  return identities
}

async function sampleFiles(folder: string): Promise<DataIdentity['files']> {
  const names = (await readdir(folder)).filter((name) => sampleRole(name) !== undefined).sort()
  return Promise.all(
    names.map(async (path) => {
      const bytes = await readFile(join(folder, path))
      const rows = bytes
        .toString('utf8')
        .split('\n')
        .filter((line) => line.trim() !== '').length
      return { role: sampleRole(path) ?? 'test', path, sha256: createHash('sha256').update(bytes).digest('hex'), rows }
    }),
  )
}

/** Role of a sample file by its name; undefined for every other file of a benchmark's folder. */
export function sampleRole(name: string): string | undefined {
  const match = /^sample(?:\.([a-z0-9_-]+))?\.jsonl$/.exec(name)
  return match ? (match[1] ?? 'test') : undefined
}
