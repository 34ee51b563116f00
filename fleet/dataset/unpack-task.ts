import { createHash, randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { TaskRow, toTaskRow } from '#shared/episode/task-row.ts'
import { readTaskZip } from '#shared/harbor/read-task-zip.ts'
import { openFileSource } from '../file-source.ts'
import { datasetError } from './dataset-error.ts'

/** An archive of one task, what the task is called without a name of its own, and the file of rows that is made. */
export type UnpackJob = { zip: string; archive: string; target: string }

/** Makes the row of an archive's task, checked as it was when it was uploaded; the SHA-256 of what was written. Throws `dataset/bad-record`. */
export async function unpackTask({ zip, archive, target }: UnpackJob): Promise<string> {
  await using source = await openFileSource(zip)
  const read = await readTaskZip(source)
  if (!read.ok) throw datasetError('bad-record', `${archive}.zip: ${[read.problem.entry, read.problem.text].filter(Boolean).join(': ')}`)
  const text = `${lineOf(TaskRow.parse(toTaskRow(archive, read.files)), archive)}\n`
  const part = `${target}.${randomUUID()}.part`
  try {
    await writeFile(part, text)
    await rename(part, target)
  } finally {
    await rm(part, { force: true })
  }
  return createHash('sha256').update(text).digest('hex')
}

function lineOf(row: TaskRow, archive: string): string {
  try {
    return JSON.stringify(row)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw datasetError('bad-record', `${archive}.zip: its files are more than a row of a data set can hold (about 500 MB)`, { cause })
  }
}
