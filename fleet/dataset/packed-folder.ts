import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { BadCatalogue, packCatalogue } from '../catalogue/pack-catalogue.ts'
import type { DatasetEnv } from './dataset-env.ts'
import { datasetError } from './dataset-error.ts'

/**
 * The file of rows that stands for a path: a folder is a catalogue of tasks, packed into `<cacheDir>/catalogues` under its hash; anything else is the file itself.
 * Throws `dataset/bad-record` with everything that is wrong with a catalogue.
 */
export async function packedFolder(path: string, env: Pick<DatasetEnv, 'cacheDir'>): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory()) return path
  const text = await packCatalogue(path).catch((cause: unknown) => {
    throw cause instanceof BadCatalogue ? datasetError('bad-record', cause.message.slice(0, 2000), { cause }) : cause
  })
  const folder = join(env.cacheDir, 'catalogues', createHash('sha256').update(text).digest('hex'))
  const packed = join(folder, `${basename(path)}.jsonl`)
  if (existsSync(packed)) return packed
  await mkdir(folder, { recursive: true })
  const part = `${packed}.${randomUUID()}.part`
  await writeFile(part, text)
  await rename(part, packed)
  return packed
}
