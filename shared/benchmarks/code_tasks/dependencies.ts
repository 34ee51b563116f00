import * as z from 'zod'
import type { Outcome } from '../../contract/failure.ts'
import { requireTool, sandboxLost } from '../../solvers/in-sandbox.ts'
import type { ExecRequest, Sandbox } from '../../solvers/sandbox.ts'

/** A word of an installer's command: no option, no white space, nothing that a manifest gives a meaning to. */
const list = (form: RegExp, message: string) => z.array(z.string().max(200).regex(form, message)).min(1).max(50)

/**
 * What a task needs beside its toolchain, by who installs it: requirements as pip takes them, packages as npm does, `module@version` of Go, `crate@version` of
 * Rust. It takes a sandbox with a network.
 */
export const Dependencies = z
  .strictObject({
    python: list(/^[A-Za-z0-9][^\s"'\\]*$/, 'is no requirement of pip'),
    npm: list(/^[@A-Za-z0-9][^\s"'\\]*$/, 'is no package of npm'),
    go: list(/^[A-Za-z0-9][\w./~-]*@v[\w.+-]+$/, 'is not module@version'),
    cargo: list(/^[A-Za-z][\w-]*@[\w.=<>~^*+-]+$/, 'is not crate@version'),
  })
  .partial()
  .refine((all) => Object.keys(all).length > 0, 'names none')
export type Dependencies = z.infer<typeof Dependencies>
type Installer = keyof Dependencies

/** Where they lie, out of reach of the workspace's own files. Node finds packages beside a folder above. */
const place = '/workspace/dependencies'
const goPlace = { GOPATH: `${place}/go`, GOMODCACHE: `${place}/go/mod`, GOCACHE: '/tmp/go-build', GOFLAGS: '-mod=mod' }
const cargoPlace = { CARGO_HOME: `${place}/cargo` }

/** For all that is installed together, in milliseconds. */
const installMs = 300_000
const mostOutput = 1024 ** 2

type Way = {
  tool: readonly [string, ...string[]]
  packages: string
  commands(names: readonly string[]): { argv: readonly [string, ...string[]]; env?: Readonly<Record<string, string>> }[]
  /** Files that the installer reads, below the workspace of the sandbox. */
  files?(names: readonly string[]): Readonly<Record<string, string>>
  /** What the task's own commands are told, so that they find it. */
  env: Readonly<Record<string, string>>
}

const ways: Record<Installer, Way> = {
  python: {
    tool: ['python3', '-m', 'pip', '--version'],
    packages: 'python3-pip',
    commands: (names) => [
      {
        argv: ['python3', '-m', 'pip', 'install', '--no-cache-dir', '--disable-pip-version-check', '--target', `${place}/python`, ...names],
      },
    ],
    env: { PYTHONPATH: `${place}/python` },
  },
  npm: {
    tool: ['npm', '--version'],
    packages: 'npm',
    commands: (names) => [{ argv: ['npm', 'install', '--prefix', '/workspace', '--no-audit', '--no-fund', '--no-save', ...names] }],
    env: {},
  },
  go: {
    tool: ['go', 'version'],
    packages: 'golang-go',
    commands: (names) => names.map((name) => ({ argv: ['go', 'mod', 'download', name], env: goPlace })),
    env: goPlace,
  },
  cargo: {
    tool: ['cargo', '--version'],
    packages: 'cargo',
    files: (names) => ({
      'dependencies/fetched/Cargo.toml': `[package]\nname = "fetched"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\n${names
        .map((name) => `${name.slice(0, name.indexOf('@'))} = "${name.slice(name.indexOf('@') + 1)}"\n`)
        .join('')}`,
      'dependencies/fetched/src/lib.rs': '',
    }),
    commands: () => [{ argv: ['cargo', 'fetch', '--manifest-path', `${place}/fetched/Cargo.toml`], env: cargoPlace }],
    env: cargoPlace,
  },
}

/** What commands of a task are given so that they find what was installed for it. */
export function dependencyEnv(dependencies: Dependencies | undefined): Readonly<Record<string, string>> {
  return Object.assign({}, ...installersOf(dependencies).map((installer) => ways[installer].env))
}

/** What is installed, in words: `python: numpy==1.26.4, requests`. */
export function dependencyText(dependencies: Dependencies): string {
  return installersOf(dependencies)
    .map((installer) => `${installer}: ${dependencies[installer]!.join(', ')}`)
    .join('; ')
}

const installersOf = (dependencies: Dependencies | undefined): Installer[] =>
  (Object.keys(ways) as Installer[]).filter((installer) => dependencies?.[installer] !== undefined) // the keys of the table above

/**
 * Installs what a task names in a sandbox that has a network, before any file of the task is there. Whatever stands in the way is a failure of the sandbox
 * that says so: nothing is scored for it.
 */
export async function installDependencies(
  box: Sandbox,
  dependencies: Dependencies,
  { now, progress }: { now(): number; progress(text: string): void },
): Promise<Outcome<null>> {
  const until = now() + installMs
  for (const installer of installersOf(dependencies)) {
    const names = dependencies[installer]!
    const { tool, packages, commands, files } = ways[installer]
    const found = await requireTool(box, tool, packages)
    if (!found.ok) return found
    for (const [path, text] of Object.entries(files?.(names) ?? {})) {
      const end = await box.write(path, new TextEncoder().encode(text))
      if (end !== 'written') return sandboxLost(`The dependencies of the task could not be installed: ${path} was not written (${end}).`)
    }
    for (const command of commands(names)) {
      progress(`installing ${installer}: ${names.join(' ')}`)
      const failed = await run(box, command, until - now())
      if (failed !== null) return sandboxLost(`The dependencies of the task could not be installed: ${failed}`)
    }
  }
  return { ok: true, value: null }
}

/** Why a command of an installer did not end well, with the last that it said; null: it did. */
async function run(box: Sandbox, command: Pick<ExecRequest, 'argv' | 'env'>, timeout_ms: number): Promise<string | null> {
  if (timeout_ms <= 0) return `there was no time left for ${command.argv.join(' ')}.`
  const { end, exit_code, stdout, stderr } = await box.exec({ ...command, timeout_ms, output_bytes: mostOutput })
  if (end === 'exited' && exit_code === 0) return null
  const said = new TextDecoder().decode(stderr.length > 0 ? stderr : stdout).trim()
  const how = end === 'exited' ? `with exit code ${exit_code}` : `as ${end}`
  return `${command.argv.join(' ').slice(0, 400)} ended ${how}. ${said.slice(-600)}`
}
