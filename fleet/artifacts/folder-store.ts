import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ArtifactsPort, IncompleteRecord } from '#shared/export/bundle.ts'
import type { ArtifactStore } from '../trial/resources.ts'
import { onDisk, writeHashed } from './spool.ts'

const unfinished = '.part'

/** Where a local run keeps its artifacts, below its own folder. */
export const artifactsDir = (runDir: string): string => join(runDir, 'artifacts')

/**
 * Keeps the artifacts of a local run as files below `dir`, each under its hash and once. What an earlier process left unfinished is removed, so
 * only the process that works on the run may open it.
 */
export function openFolderStore(dir: string): ArtifactStore {
  for (const name of namesIn(dir)) if (name.endsWith(unfinished)) rmSync(join(dir, name))
  return {
    async keep({ body }) {
      const part = join(dir, `${randomUUID()}${unfinished}`)
      const opened = await onDisk(async () => {
        await mkdir(dir, { recursive: true })
        return open(part, 'wx')
      })
      if (!opened.ok) return opened
      try {
        const written = await writeHashed(opened.value, body).finally(() => opened.value.close())
        if (!written.ok) return written
        const named = await onDisk(() => rename(part, join(dir, written.value.sha256)))
        return named.ok ? written : named
      } finally {
        await rm(part, { force: true })
      }
    },
  }
}

/** What `openFolderStore` kept, for bundles. Throws `IncompleteRecord` for what is not there. */
export function readFolderStore(dir: string): ArtifactsPort {
  return {
    async *open(sha256) {
      const path = join(dir, sha256)
      if (!existsSync(path)) throw new IncompleteRecord(`${path} is missing`)
      yield* createReadStream(path)
    },
  }
}

function namesIn(dir: string): string[] {
  return statSync(dir, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(dir) : []
}
