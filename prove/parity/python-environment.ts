import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout, OfficialPackage } from './official-packages.ts'

/** Something that the comparison needs is not to be had on this machine: nothing was compared. */
export class CannotCompare extends Error {}

const interpreters = [process.env.PYTHON, 'python3', 'python', 'python3.13', 'python3.12'].filter((name) => name !== undefined)
const minutes = (count: number) => count * 60_000

/** An interpreter of at least this minor version of Python 3. */
export function findPython(least: number): string {
  const found = interpreters.find((name) => {
    const { status } = spawnSync(name, ['-c', `import sys, venv; sys.exit(sys.version_info < (3, ${least}))`], { stdio: 'ignore' })
    return status === 0
  })
  if (found) return found
  throw new CannotCompare(
    `Python 3.${least} or newer with the module venv is needed to run the official checkers; none was found (set PYTHON to name one)`,
  )
}

/** A new virtual environment; `install` returns false where pip could not get the packages. */
export type PythonEnvironment = { python: string; packages: string; install(...pip: string[]): { ok: boolean; detail: string } }

/** `least`: the minor version of Python 3 that is needed. What an earlier one left in the folder goes. */
export function createEnvironment(folder: string, least = 9): PythonEnvironment {
  const made = spawnSync(findPython(least), ['-m', 'venv', '--clear', folder], { encoding: 'utf8', timeout: minutes(2) })
  if (made.status !== 0) throw new CannotCompare(`no virtual environment could be made: ${made.stderr || made.stdout}`)
  const python = process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python')
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--quiet', '--retries', '1', '--timeout', '20', 'install']
  return {
    python,
    packages: sitePackages(folder),
    install(...names) {
      const done = spawnSync(python, [...pip, ...names], { encoding: 'utf8', timeout: minutes(4) })
      const detail = (done.stderr || (done.error?.message ?? '')).trim().split('\n').at(-1) ?? ''
      return { ok: done.status === 0, detail }
    },
  }
}

function sitePackages(folder: string): string {
  if (process.platform === 'win32') return join(folder, 'Lib', 'site-packages')
  const version = readdirSync(join(folder, 'lib')).find((name) => name.startsWith('python'))
  return join(folder, 'lib', version ?? '', 'site-packages')
}

/** The first of the packages that can be installed, without its dependencies. */
export function installFirst(environment: PythonEnvironment, packages: readonly OfficialPackage[]): OfficialPackage {
  const details: string[] = []
  for (const found of packages) {
    const { ok, detail } = environment.install('--no-deps', ...found.pip)
    if (ok) return found
    details.push(`${found.pip.join(' ')}: ${detail}`)
  }
  throw new CannotCompare(`pip could not install the official checkers. ${details.join('; ')}`)
}

/** Runs `oracle.py` over a file of answers. */
export function runOracle(
  python: string,
  { folder, layout, nltkData, input, output }: { folder: string; layout: Layout; nltkData: string; input: string; output: string },
): void {
  const script = join(import.meta.dirname, 'oracle.py')
  const env = { ...process.env, NLTK_DATA: nltkData, PYTHONHASHSEED: '0', PYTHONDONTWRITEBYTECODE: '1' }
  const done = spawnSync(python, [script, folder, layout, input, output], { env, stdio: ['ignore', 'inherit', 'pipe'], encoding: 'utf8' })
  if (done.status !== 0)
    throw new CannotCompare(`the official checkers could not be run: ${done.stderr.trim().split('\n').slice(-3).join(' | ')}`)
}
