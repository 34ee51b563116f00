import { existsSync } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { basename, join, posix, resolve } from 'node:path'
import { TaskRow, toTaskRow } from '#shared/episode/task-row.ts'
import { loadTask } from '#shared/harbor/load-task.ts'
import type { TreeFile } from '#shared/solvers/machine.ts'
import { BadCatalogue, type CatalogueFault } from './pack-catalogue.ts'

/** Bytes of all files of a task, as of an archive that is uploaded. */
const mostBytes = 1024 ** 3

/**
 * Tasks in Harbor's format as JSON lines, one in each, in the order of their names: of the one whose folder it is, or of all below it or below its `tasks/`,
 * as a checkout has them. The same folder gives the same bytes. Throws `BadCatalogue` with all that is wrong.
 */
export async function packTerminalTasks(dir: string): Promise<string> {
  const folders = await taskFolders(resolve(dir))
  const faults: CatalogueFault[] = []
  if (folders.length === 0) faults.push({ file: dir, field: '', message: 'holds no task: a task is a folder with a task.toml' })
  const lines: string[] = []
  for (const folder of folders) {
    const name = basename(folder)
    const files = await readTree(folder, name, faults)
    const loaded = loadTask(name, files)
    if (loaded.ok) lines.push(`${JSON.stringify(TaskRow.parse(toTaskRow(name, files)))}\n`)
    else for (const { entry, key, text } of loaded.problems) faults.push({ file: `${name}/${entry}`, field: key ?? '', message: text })
  }
  if (faults.length > 0) throw new BadCatalogue(faults)
  return lines.join('')
}

/** A task's folder by its name, with all its files. */
export type TaskFolder = { name: string; files: TreeFile[] }

/** The tasks of a folder as `packTerminalTasks` finds them, unread. Throws `BadCatalogue` for links and for what is too large. */
export async function readTaskFolders(dir: string): Promise<TaskFolder[]> {
  const faults: CatalogueFault[] = []
  const read: TaskFolder[] = []
  for (const folder of await taskFolders(resolve(dir))) {
    const name = basename(folder)
    read.push({ name, files: await readTree(folder, name, faults) })
  }
  if (faults.length > 0) throw new BadCatalogue(faults)
  return read
}

async function taskFolders(dir: string): Promise<string[]> {
  if (existsSync(join(dir, 'task.toml'))) return [dir]
  const below = async (folder: string): Promise<string[]> => {
    const entries = await readdir(folder, { withFileTypes: true })
    const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => join(folder, name))
    return names.filter((name) => existsSync(join(name, 'task.toml'))).sort()
  }
  const own = await below(dir)
  const tasks = join(dir, 'tasks')
  return own.length === 0 && existsSync(tasks) ? below(tasks) : own
}

/** All plain files below a folder; what is none is a fault, and no link is followed. */
async function readTree(folder: string, name: string, faults: CatalogueFault[]): Promise<TreeFile[]> {
  const files: TreeFile[] = []
  let left = mostBytes
  const walk = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      const path = posix.join(below, entry.name)
      if (entry.isDirectory()) await walk(path)
      else if (!entry.isFile()) faults.push({ file: `${name}/${path}`, field: '', message: 'is a link or no plain file' })
      else {
        const { size, mode } = await lstat(join(folder, path))
        left -= size
        if (left < 0) return void faults.push({ file: `${name}/${path}`, field: '', message: 'makes the task larger than 1 GB' })
        files.push({ path, mode: mode & 0o111 ? 0o755 : 0o644, bytes: await readFile(join(folder, path)) })
      }
    }
  }
  await walk('')
  return files
}
