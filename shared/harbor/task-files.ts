import type { TreeFile } from '../solvers/machine.ts'
import { type Ignoring, matchSteps, readIgnoreFile } from './ignore-patterns.ts'
import type { MatchWork } from './path-pattern.ts'
import { below, readText } from './python-text.ts'
import type { TaskProblem } from './task-problem.ts'

const ignoreName = '.harborignore'

/** The files of a task, by their paths from its root. */
export type TaskFiles = {
  all: readonly TreeFile[]
  find(path: string): TreeFile | undefined
  /** The files below a folder, paths from there, without what a `.harborignore` leaves out. */
  kept(folder: string): TreeFile[]
  /** Whether a `.harborignore` leaves a file out: those files themselves, and what they say of `tests/` and `solution/`. */
  ignores(path: string): boolean
  /** What matching patterns of all ignore files of the task may still take. */
  work: MatchWork
}

/**
 * Harbor reads `.harborignore` in `tests` and `solution`, of the task and of its steps, and in folders below them. What tells whether a file is ignored throws
 * `TooMuchWork`.
 */
export function openTaskFiles(files: readonly TreeFile[], problems: TaskProblem[]): TaskFiles {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const work: MatchWork = { steps_left: matchSteps }
  const rules = readRules(files, problems, work)
  const folders = new Map<string, boolean>()
  const known = new Map<string, boolean>()
  const ignores = (path: string): boolean => {
    const before = known.get(path)
    if (before !== undefined) return before
    const ignored = isIgnored(path, rules, folders)
    known.set(path, ignored)
    return ignored
  }
  return {
    all: files,
    find: (path) => byPath.get(path),
    kept: (folder) => below(files, folder).filter(({ path }) => !ignores(`${folder}/${path}`)),
    ignores,
    work,
  }
}

function readRules(files: readonly TreeFile[], problems: TaskProblem[], work: MatchWork): Map<string, Ignoring> {
  const rules = new Map<string, Ignoring>()
  for (const { path, bytes } of files) {
    const folder = path.slice(0, Math.max(0, path.length - ignoreName.length - 1))
    if (path !== `${folder}/${ignoreName}` || !inScope(folder)) continue
    const text = readText(bytes)
    try {
      if (text === undefined) throw new RangeError('it is no UTF-8')
      rules.set(folder, readIgnoreFile(text, 'git', work))
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause
      problems.push({ reason: 'bad-ignore-file', entry: path, key: null, text: `this cannot be understood: ${cause.message}` })
    }
  }
  return rules
}

const inScope = (folder: string): boolean => /^(?:steps\/[^/]+\/)?(?:tests|solution)(?:\/|$)/.test(folder)

/** `folders`: what was found of folders before, so that files of one folder ask once. */
function isIgnored(path: string, rules: ReadonlyMap<string, Ignoring>, folders: Map<string, boolean>): boolean {
  if (path === ignoreName || path.endsWith(`/${ignoreName}`)) return true
  if (rules.size === 0) return false
  const names = path.split('/')
  const passed: { folder: string; ignoring: Ignoring }[] = []
  for (let count = 1; count <= names.length; count++) {
    const parent = names.slice(0, count - 1).join('/')
    const ignoring = rules.get(parent)
    if (ignoring) passed.push({ folder: parent, ignoring })
    const candidate = names.slice(0, count).join('/') + (count < names.length ? '/' : '')
    const says = folders.get(candidate) ?? lastSaid(candidate, passed)
    if (count < names.length) folders.set(candidate, says)
    if (says) return true
  }
  return false
}

function lastSaid(candidate: string, passed: readonly { folder: string; ignoring: Ignoring }[]): boolean {
  for (const { folder, ignoring } of passed.toReversed()) {
    const said = ignoring(folder === '' ? candidate : candidate.slice(folder.length + 1))
    if (said !== undefined) return said
  }
  return false
}
