import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
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
const ignored = /(\.test\.tsx?|\.md|\.jsonl)$|^edge\/local\/|^db\/embedded\/|\/node_modules\/|^web\/dev\//

/** Digest over the names and bytes of everything that `vite build` reads. */
export function sourceDigest(root: string): string {
  const hash = createHash('sha256')
  for (const file of listSources(root)) {
    const bytes = readFileSync(join(root, file))
    hash.update(`${file}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}

function listSources(root: string): string[] {
  const files = sources.flatMap((name) => {
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

/** The part of the build's output that says what is wrong, without stack and colours. */
function faultIn(path: string): string {
  const lines = stripVTControlCharacters(readFileSync(path, 'utf8')).trimEnd().split('\n')
  const start = lines.findIndex((line) => line.startsWith('error during build'))
  const told = (start >= 0 ? lines.slice(start + 1) : lines.slice(-12)).filter((line) => !/^ {4}at /.test(line))
  return `\n  ${told.slice(0, 14).join('\n  ')}`
}
