import { bytesToHex } from '@noble/hashes/utils.js'
import { sha256Hex } from '#sha256'
import { openNoble } from '../export/running-sha256.ts'
import type { TreeFile } from '../solvers/machine.ts'
import { readIgnoreFile } from './ignore-patterns.ts'
import { readText, sortByCodePoint } from './python-text.ts'
import type { TaskFiles } from './task-files.ts'
import type { TaskProblem } from './task-problem.ts'

/** The SHA-256 of a file in hexadecimal. Platforms bring faster ones than ours, and some know it without the bytes. */
export type HashFile = (file: TreeFile) => string

const hashFile: HashFile = ({ bytes }) => {
  const running = openNoble()
  running.update(bytes)
  return bytesToHex(running.digest())
}

/** Hashes of a task's files by which Harbor knows it. */
export type TaskHashes = { checksum: string; digest: string }

/**
 * The two hashes that Harbor 0.25.0 takes of a task: the hash of its folder (`task_checksum` of results; the scheme of the Python package
 * dirhash, SHA-256), and the hash of the files it would publish (`task.digest` of locks). Modes are in neither. Made in
 * steps that each look at all files once.
 */
export function* hashTask(files: TaskFiles, problems: TaskProblem[], hashOf: HashFile = hashFile): Generator<undefined, TaskHashes> {
  const hashes = new Map(files.all.map((file) => [file.path, hashOf(file)]))
  yield
  const kept = files.all.filter(({ path }) => !files.ignores(path)).map(({ path }) => path)
  yield
  const leavesOut = readGitignore(files, problems)
  const published = sortByCodePoint(kept.filter((path) => isPublished(path) && !leavesOut(path)))
  yield
  const lines = published.map((path) => `${path}\0${hashes.get(path)}\n`).join('')
  const digest = `sha256:${sha256Hex(lines)}`
  yield
  return { checksum: hashFolder(kept, '', (path) => hashes.get(path) ?? ''), digest }
}

function hashFolder(paths: readonly string[], folder: string, hashOf: (path: string) => string): string {
  const entries: string[] = []
  const folders = new Map<string, string[]>()
  for (const path of paths) {
    const slash = path.indexOf('/', folder.length)
    const name = path.slice(folder.length, slash < 0 ? undefined : slash)
    if (slash < 0) entries.push(`data:${hashOf(path)}\0name:${name}`)
    else insert(folders, name, path)
  }
  for (const [name, inside] of folders) entries.push(`dirhash:${hashFolder(inside, `${folder}${name}/`, hashOf)}\0name:${name}`)
  return sha256Hex(sortByCodePoint(entries).join('\0\0'))
}

function insert(folders: Map<string, string[]>, name: string, path: string): void {
  const inside = folders.get(name)
  if (inside) inside.push(path)
  else folders.set(name, [path])
}

const singles = ['task.toml', 'instruction.md', 'README.md', 'trajectory.json']
const isPublished = (path: string): boolean => singles.includes(path) || /^(?:environment|tests|solution|steps)\//.test(path)

/** Where a task says nothing itself, these are not published. */
const left = ['__pycache__/', '*.pyc', '.DS_Store', '*.swp', '*.swo', '*~'].join('\n')

function readGitignore(files: TaskFiles, problems: TaskProblem[]): (path: string) => boolean {
  const own = files.find('.gitignore')
  const text = own ? readText(own.bytes) : left
  try {
    if (text === undefined) throw new RangeError('it is no UTF-8')
    const ignoring = readIgnoreFile(text, 'documented', files.work)
    return (path) => ignoring(path) ?? false
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    problems.push({ reason: 'bad-ignore-file', entry: '.gitignore', key: null, text: `this cannot be understood: ${cause.message}` })
    return () => false
  }
}
