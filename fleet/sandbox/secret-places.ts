import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { programPlaces } from '../program.ts'

/**
 * A folder or file of this machine that no sandbox may show. `whole`: everything below it is secret, also what other folders of the system lie in;
 * else only its own files are, as with a working folder `/`.
 */
export type SecretPlace = { path: string; what: string; whole: boolean }

/** Variables beside `BENCH_*` that name folders with keys or copies of packages. */
const folderVariables = ['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'npm_config_cache', 'NPM_CONFIG_CACHE', 'PNPM_HOME']

/** Lists the program, its data, caches, keys, the user's home and the working folder by their real paths; they need not exist. */
export function secretPlaces(env: Record<string, string | undefined>, cwd: string = process.cwd()): SecretPlace[] {
  const places: SecretPlace[] = [
    ...programPlaces.map((path) => ({ path, what: 'the program', whole: false })),
    { path: resolve(cwd, env.BENCH_DATA || '.data'), what: 'the data directory', whole: true },
    ...Object.entries(env).flatMap(([name, value]) =>
      name.startsWith('BENCH_') ? pathsIn(value ?? '', cwd).map((path) => ({ path, what: name, whole: name.includes('DATA') })) : [],
    ),
    ...folderVariables.flatMap((name) => (env[name]?.startsWith('/') ? [{ path: env[name], what: name, whole: false }] : [])),
    ...[env.HOME, ownHome()].flatMap((path) => (path ? [{ path, what: 'the home directory', whole: false }] : [])),
    { path: cwd, what: 'the working directory', whole: false },
    { path: tmpdir(), what: 'the directory of temporary files', whole: false },
  ]
  return places.map((place) => ({ ...place, path: realPathOf(resolve(cwd, place.path)) }))
}

/** The paths that a variable names: itself, those in its JSON, and those in the JSON file that it names. */
function pathsIn(value: string, cwd: string): string[] {
  const quoted = (text: string): string[] => [...text.matchAll(/"(\/(?:[^"\\]|\\.)+)"/g)].map(([, path]) => path!)
  if (value.trimStart().startsWith('{')) return quoted(value)
  const path = resolve(cwd, value)
  if (!value.startsWith('/') && !(value.includes('/') && existsSync(path))) return []
  return [path, ...(path.endsWith('.json') ? quoted(textOf(path)) : [])]
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function ownHome(): string | null {
  try {
    return homedir()
  } catch {
    return null // a user without an entry
  }
}

/** The path without links, as far as it exists. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const above = resolve(path, '..')
    return above === path ? path : join(realPathOf(above), path.slice(above === '/' ? 1 : above.length + 1))
  }
}
