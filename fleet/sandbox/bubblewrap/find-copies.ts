import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { isWithin } from './mount-table.ts'

/** The name of our package in its `package.json`, and at the beginning of its archives and folders. */
const packageName = 'chutes-bench-runner'
/** The longest search, in milliseconds: a cold disk beside busy processors. */
const search_ms = 120_000
/** Folders of installed packages, and stores that keep files of packages under names of their own. */
const packageFolders = ['node_modules*', '_npx', '_cacache', '.pnpm-store', 'pnpm']
/** The distribution's own packages: Node of Debian reads some of them. */
const ofTheDistribution = ['*/nodejs/*', '/usr/share/npm/*']
/** Files that hold answers or results whatever folder they lie in. */
const ownFiles = [`${packageName}*`, 'catalogue.jsonl', 'benchmark_results_*', '.env']

/**
 * Finds below `roots` what may hold answers: folders of installed packages, other copies of this program and its archives, bundles of runs, and
 * files with the content of one below `dataDir`, under any name. Gives the topmost folders and files. Throws where the search fails.
 */
export async function findCopies(roots: readonly string[], dataDir: string): Promise<string[]> {
  if (roots.length === 0) return []
  const data = dataFiles(dataDir)
  const or = (name: string, values: readonly string[]): string[] =>
    values.flatMap((value, index) => [...(index > 0 ? ['-o'] : []), name, value])
  const not = ofTheDistribution.flatMap((pattern) => ['!', '-path', pattern])
  const sizes = or('-size', [...new Set(data.map(({ size }) => `${size}c`))])
  const { stdout } = await promisify(execFile)(
    'find',
    [
      ...roots,
      ...['(', '-type', 'd', '(', ...or('-name', packageFolders), ')', ...not, '-print', '-prune', ')'],
      ...[
        '-o',
        '(',
        ...or('-name', [...ownFiles, 'package.json']),
        ...(sizes.length > 0 ? ['-o', '-type', 'f', '(', ...sizes, ')'] : []),
        ')',
        '-print',
      ],
    ],
    { timeout: search_ms, maxBuffer: 64 * 1024 ** 2 },
  ).catch((error: { code?: unknown; stdout?: string; stderr?: string; message: string }) => {
    // A file that was removed meanwhile, or a folder that this user cannot read, ends it with 1.
    if (error.code === 1 && error.stdout !== undefined) return { stdout: error.stdout }
    throw new Error(`copies of the program cannot be looked for: ${error.stderr || error.message}`.slice(0, 300))
  })
  const found: string[] = []
  for (const path of stdout.split('\n').filter(Boolean)) {
    const hidden = await hiddenBy(path, roots, data)
    if (hidden !== null) found.push(hidden)
  }
  return topmost(found)
}

/** Those that lie in no other of them. */
export function topmost(paths: readonly string[]): string[] {
  const sorted = [...new Set(paths)].sort()
  const kept: string[] = []
  for (const path of sorted) if (!kept.some((other) => isWithin(path, other))) kept.push(path)
  return kept
}

/** What has to be hidden for a found path: itself, or the copy of the program that it belongs to; null: nothing. */
async function hiddenBy(path: string, roots: readonly string[], data: readonly DataFile[]): Promise<string | null> {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name === 'package.json') return isOurs(dirname(path)) ? below(dirname(path), path, roots) : null
  if (name === 'catalogue.jsonl') return below(copyAround(path), path, roots)
  if (packageFolders.some((one) => name.startsWith(one.replace('*', ''))) || ownFiles.some((one) => name.startsWith(one.replace('*', ''))))
    return path
  return (await isCopy(path, data)) ? path : null
}

/** A folder that can be hidden: below the folders that programs need; else the path itself. */
const below = (folder: string, path: string, roots: readonly string[]): string =>
  roots.some((root) => isWithin(folder, root) && folder !== root) ? folder : path

/** The copy of our program that a file belongs to, six folders up at most; without one the file's own folder. */
function copyAround(path: string): string {
  let folder = dirname(path)
  for (let up = 0; up < 6 && folder !== '/'; up++, folder = dirname(folder)) if (isOurs(folder)) return folder
  return dirname(path)
}

function isOurs(folder: string): boolean {
  try {
    return new RegExp(`"name":\\s*"${packageName}"`).test(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return false
  }
}

/** `hash`: reads it once, when a file of its size is found. */
type DataFile = { size: number; hash(): Promise<string> }

/** Smaller files share their size with too many others; they are found by the folders that they lie in. */
const leastSize = 4096

function dataFiles(dir: string): DataFile[] {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  return names.flatMap((name) => {
    const path = join(dir, name)
    const { size } = statSync(path)
    let hash: Promise<string> | undefined
    return size < leastSize ? [] : [{ size, hash: () => (hash ??= hashOf(path)) }]
  })
}

async function isCopy(path: string, data: readonly DataFile[]): Promise<boolean> {
  try {
    const { size } = statSync(path)
    const own = data.filter((one) => one.size === size)
    if (own.length === 0) return false
    const hash = await hashOf(path)
    return (await Promise.all(own.map((one) => one.hash()))).includes(hash)
  } catch {
    return false // gone, or nobody may read it
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
