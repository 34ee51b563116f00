import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type * as z from 'zod'
import { CatalogueTask } from '#shared/benchmarks/code_tasks/catalogue-task.ts'
import { readFolder } from './read-folder.ts'

/** Something wrong with a task: in which file below the catalogue, which field of it where it has fields, and what. */
export type CatalogueFault = { file: string; field: string; message: string }

/** A folder of a task as it was read: the task, or everything that is wrong with it. */
export type ReadTask = { id: string; task: CatalogueTask } | { id: string; faults: CatalogueFault[] }

export const faultText = ({ file, field, message }: CatalogueFault): string => `${file}${field === '' ? '' : `: ${field}`}: ${message}`

/** Every task of a catalogue's folder in the order of names, or the one task whose folder it is. */
export async function readCatalogue(dir: string): Promise<ReadTask[]> {
  if (existsSync(join(dir, 'task.json'))) return [await readTask(resolve(dir))]
  const folders = (await readdir(dir, { withFileTypes: true })).filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  const ids = folders.map(({ name }) => name).sort()
  return Promise.all(ids.map((id) => readTask(join(dir, id))))
}

/**
 * A catalogue as JSON lines, one task in each, as its data set is read; the same folder gives the same bytes. Throws `BadCatalogue` with all that is wrong with it.
 */
export async function packCatalogue(dir: string): Promise<string> {
  const read = await readCatalogue(dir)
  const faults = read.flatMap((one) => ('faults' in one ? one.faults : []))
  if (read.length === 0) faults.push({ file: dir, field: '', message: 'holds no task: a task is a folder with a task.json' })
  if (faults.length > 0) throw new BadCatalogue(faults)
  return read.map((one) => `${JSON.stringify('task' in one && one.task)}\n`).join('')
}

/** A folder that is no catalogue. */
export class BadCatalogue extends Error {
  readonly faults: readonly CatalogueFault[]
  constructor(faults: readonly CatalogueFault[]) {
    super(faults.map(faultText).join('\n'))
    this.faults = faults
  }
}

/** What a task's folder consists of. */
const parts = /^(task\.json|instructions\.md|expected\.json|(workspace|tests|reference)\/.+)$/

async function readTask(folder: string): Promise<ReadTask> {
  const id = basename(folder)
  const faults: CatalogueFault[] = []
  const { files, faults: unread } = await readFolder(folder)
  for (const { path, message } of unread) faults.push({ file: `${id}/${path}`, field: '', message })
  const json = (name: string): unknown => {
    const text = files[name]
    if (text === undefined) faults.push({ file: `${id}/${name}`, field: '', message: 'is missing' })
    else
      try {
        return JSON.parse(text)
      } catch (error) {
        faults.push({ file: `${id}/${name}`, field: '', message: `is no JSON: ${(error as Error).message}` }) // JSON.parse throws errors only
      }
    return undefined
  }
  for (const path of Object.keys(files).filter((path) => !parts.test(path)))
    faults.push({ file: `${id}/${path}`, field: '', message: 'is no part of a task' })
  const below = (name: string) =>
    Object.fromEntries(
      Object.entries(files).flatMap(([path, text]) => (path.startsWith(`${name}/`) ? [[path.slice(name.length + 1), text]] : [])),
    )
  const told = json('task.json')
  const expected = json('expected.json')
  if (files['instructions.md'] === undefined) faults.push({ file: `${id}/instructions.md`, field: '', message: 'is missing' })
  if (faults.length > 0) return { id, faults }

  const folders = { workspace: below('workspace'), tests: below('tests'), reference: below('reference') }
  const own = typeof told === 'object' && told !== null ? told : { task: told }
  const parsed = CatalogueTask.safeParse({ ...own, instructions: files['instructions.md'], ...folders, expected })
  if (!parsed.success) return { id, faults: parsed.error.issues.map((issue) => faultOf(id, issue)) }
  const { task_id } = parsed.data
  if (task_id !== id)
    return { id, faults: [{ file: `${id}/task.json`, field: 'task_id', message: `is ${task_id}, but the folder is ${id}` }] }
  return { id, task: parsed.data }
}

/** The file that a part of a packed task comes from. */
function faultOf(id: string, { path: at, message, ...issue }: z.core.$ZodIssue): CatalogueFault {
  const path = [...at.map(String), ...(issue.code === 'unrecognized_keys' ? [issue.keys.join(', ')] : [])]
  const [first, ...rest] = path
  const field = rest.join('.')
  if (first === 'expected') return { file: `${id}/expected.json`, field, message }
  if (first === 'instructions') return { file: `${id}/instructions.md`, field, message }
  if (first === 'workspace' || first === 'tests' || first === 'reference')
    return { file: `${id}/${[first, ...rest].join('/')}`, field: '', message }
  return { file: `${id}/task.json`, field: path.join('.'), message }
}
