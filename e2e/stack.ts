import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { copyTestCluster } from '#db/embedded/test-cluster.ts'

export const root = resolve(import.meta.dirname, '..')

/** A whole service on this machine: database, Worker in workerd, agent and, without a provider, the demo model. */
export type Stack = {
  url: string
  dataDir: string
  pid: number
  /** Milliseconds from the first process to `ready`. */
  startedInMs: number
  /** What it has written to its terminal so far. */
  said(): string
  adminSecret: string
  /** SIGTERM to the process that was started, and waits until it has gone. Throws when it did not leave with exit code 0. */
  stop(): Promise<void>
}

/** What of a developer's own environment must not reach the parts; an empty value also keeps `.env` from setting it. */
const neutral = [
  'HOST',
  'CHUTES_API_KEY',
  'OPENAI_BASE_URL',
  'OPENAI_API_KEY',
  'OPENAI_MODELS',
  'HF_TOKEN',
  'BENCH_DATA_OVERRIDES',
  'BENCH_DATA_DIR',
]

/** A new data directory for a stack; `remove` deletes it. */
export function newDataDir(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'bench-e2e-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/**
 * Runs `start.mjs` of a checkout on a free port and resolves when it says `ready`. A new data directory begins with a copy of a migrated
 * database, unless `empty` asks for the first start of a user. Unless `sandboxes` is set, the agent's search path has no bubblewrap, and the agent skips its proof.
 * Throws with its output when it ends before `ready`.
 */
export async function startStack(
  dataDir: string,
  env: Record<string, string> = {},
  checkout = root,
  { empty = false, sandboxes = false }: { empty?: boolean; sandboxes?: boolean } = {},
): Promise<Stack> {
  const database = join(dataDir, 'postgres')
  if (!empty && !existsSync(database)) await copyTestCluster(database)
  const startedMs = performance.now()
  const cleared = Object.fromEntries(neutral.map((name) => [name, '']))
  const child = spawn(process.execPath, [join(checkout, 'start.mjs')], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...withoutVitest(process.env),
      ...cleared,
      ...(!sandboxes && { PATH: pathWithoutBubblewrap() }),
      ...env,
      BENCH_DATA: dataDir,
      PORT: '0',
    },
  })
  const exited = once(child, 'exit')
  const ready = Promise.withResolvers<string>()
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const url = /^ready (\S+)$/m.exec(output)?.[1]
      if (url) ready.resolve(url)
    })
  }
  void exited.then(([code]) => ready.reject(new Error(`start.mjs ended with ${code} before it was ready:\n${output}`)))
  const url = await ready.promise
  return {
    url,
    dataDir,
    pid: child.pid!,
    startedInMs: performance.now() - startedMs,
    said: () => output,
    adminSecret: (JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as { admin_secret: string }).admin_secret,
    async stop() {
      child.kill('SIGTERM')
      const [code] = await exited
      if (code !== 0) throw new Error(`start.mjs left with ${code}:\n${output}`)
    },
  }
}

let programs: string | undefined

/** Makes a folder of links to all programs of the search path except bubblewrap. The folder is removed when this process exits. */
function pathWithoutBubblewrap(): string {
  if (programs) return programs
  const dir = mkdtempSync(join(tmpdir(), 'bench-programs-'))
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  programs = dir
  const named = new Map<string, string>()
  for (const folder of (process.env.PATH ?? '').split(delimiter).reverse()) {
    if (existsSync(folder)) for (const name of readdirSync(folder)) named.set(name, join(folder, name))
  }
  named.delete('bwrap')
  for (const [name, path] of named) symlinkSync(path, join(dir, name))
  return dir
}

/** vitest marks its workers by variables (NODE_ENV=test among them) that would change how the parts build and run. */
export function withoutVitest(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(VITEST|TEST$|NODE_ENV$|npm_lifecycle_event$|BENCH_)/.test(name)))
}
