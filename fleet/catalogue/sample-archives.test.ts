import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleTasks } from '#shared/episode/sample-tasks.ts'
import { bytesSource } from '#shared/export/byte-source.ts'
import { loadTask } from '#shared/harbor/load-task.ts'
import { readTaskZip } from '#shared/harbor/read-task-zip.ts'
import { sampleArchives } from './sample-archives.ts'

const root = join(import.meta.dirname, '..', '..')
const served = join(root, 'web', 'public')

test('[LINE11] the archives that the service gives are the tasks of the program, and each is a task that can be uploaded', async () => {
  const packed = await sampleArchives(join(root, 'shared/benchmarks/terminal_tasks/tasks'))
  expect(sampleTasks.map(({ name }) => name).toSorted()).toEqual(packed.map(({ name }) => name))
  expect(readdirSync(join(served, 'sample-tasks')).toSorted()).toEqual(packed.map(({ name }) => `${name}.zip`))
  for (const { name, zip } of packed) {
    const { path } = sampleTasks.find((one) => one.name === name)!
    const bytes = readFileSync(join(served, path))
    expect(bytes.equals(zip), `npm run pack-tasks makes ${path} anew`).toBe(true)
    const read = await readTaskZip(bytesSource(new Uint8Array(bytes)))
    expect(read.ok && loadTask(name, read.files).ok).toBe(true)
  }
})
