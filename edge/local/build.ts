import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { bundleFleet } from '#fleet/package/bundle.ts'
import { CannotStart } from './data-dir.ts'

/** What the build reads; tests and our own Node side are not part of it. */
const sources = [
  'web',
  'edge',
  'shared',
  'db',
  'vite.config.ts',
  'wrangler.toml',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
]
// The proof of an agent's sandboxes writes hidden files beside the data and removes them.
const ignored = /(\.test\.tsx?|\.md|\.jsonl|\/\.[^/]*)$|^edge\/local\/|^db\/embedded\/|\/node_modules\/|^web\/dev\//

/** Sources of the fleet's bundle. */
const fleetSources = ['fleet', 'shared', 'package.json', 'package-lock.json']

/** Digest over the names and bytes of everything that `vite build` reads. */
export const sourceDigest = (root: string): string => digestOf(root, sources)

function digestOf(root: string, names: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of listSources(root, names)) {
    const bytes = readFileSync(join(root, file))
    hash.update(`${file}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}

function listSources(root: string, names: readonly string[]): string[] {
  const files = names.flatMap((name) => {
    const path = join(root, name)
    if (!existsSync(path)) return []
    if (statSync(path).isFile()) return [name]
    const entries = readdirSync(path, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  })
  return files.filter((file) => !ignored.test(file)).sort()
}

/** Whether `dist` was built from the present sources. */
export function isBuilt(root: string): boolean {
  try {
    return (
      readFileSync(join(root, 'dist', '.stamp'), 'utf8') === sourceDigest(root) && existsSync(join(root, 'dist', 'server', 'wrangler.json'))
    )
  } catch {
    return false
  }
}

/** Runs `vite build` when sources changed since the last one; its output goes to `logPath`; `onStart` is called before. */
export async function buildIfChanged(
  root: string,
  logPath: string,
  onStart: () => void,
  env: NodeJS.ProcessEnv = process.env,
): Promise<'unchanged' | 'built'> {
  if (isBuilt(root)) return 'unchanged'
  onStart()
  const digest = sourceDigest(root)
  rmSync(join(root, 'dist', '.stamp'), { force: true })
  const log = openSync(logPath, 'w', 0o600)
  const built = Promise.withResolvers<number | null>()
  const child = spawn(process.execPath, [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', log, log],
    env: { ...env, NODE_ENV: 'production', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false', NO_COLOR: '1' },
  })
  closeSync(log)
  child.once('error', built.reject)
  child.once('exit', built.resolve)
  if ((await built.promise) !== 0) throw new CannotStart(`The build failed: ${faultIn(logPath)}\nThe whole output is in ${logPath}.`)
  writeFileSync(join(root, 'dist', '.stamp'), digest)
  return 'built'
}

/** Number of bundles of the fleet that a checkout keeps, so that two branches can alternate. */
const keptBundles = 2

/**
 * Empties the folder `dir` and copies the programs of the fleet that a service runs into it. They come from
 * `.cache/fleet` of the checkout and are bundled if the sources have changed. Throws esbuild's error
 * for an import that cannot be resolved.
 */
export async function placeFleet(root: string, dir: string): Promise<void> {
  const cache = join(root, '.cache', 'fleet')
  const kept = join(cache, digestOf(root, fleetSources).slice(0, 32))
  if (!existsSync(kept)) {
    mkdirSync(cache, { recursive: true })
    const made = mkdtempSync(join(cache, 'new-'))
    try {
      await bundleFleet(root, made)
      renameSync(made, kept)
    } catch (error) {
      rmSync(made, { recursive: true, force: true })
      if (!existsSync(kept)) throw error // another service of this checkout was first
    }
    removeOldest(cache, keptBundles)
  }
  rmSync(dir, { recursive: true, force: true })
  cpSync(kept, dir, { recursive: true })
}

/** Removes all but the newest `most` folders of `dir`. Folders of unfinished builds stay. */
function removeOldest(dir: string, most: number): void {
  const paths = readdirSync(dir).flatMap((name) => (name.startsWith('new-') ? [] : [join(dir, name)]))
  const newestFirst = paths.map((path) => ({ path, made: statSync(path).mtimeMs })).sort((a, b) => b.made - a.made)
  for (const { path } of newestFirst.slice(most)) rmSync(path, { recursive: true, force: true })
}

/** The part of the build's output that says what is wrong, without stack and colours. */
function faultIn(path: string): string {
  const lines = stripVTControlCharacters(readFileSync(path, 'utf8')).trimEnd().split('\n')
  const start = lines.findIndex((line) => line.startsWith('error during build'))
  const told = (start >= 0 ? lines.slice(start + 1) : lines.slice(-12)).filter((line) => !/^ {4}at /.test(line))
  return `\n  ${told.slice(0, 14).join('\n  ')}`
}
