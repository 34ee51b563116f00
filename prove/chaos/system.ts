import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { descendants, isAlive } from './processes.ts'

const root = resolve(import.meta.dirname, '..', '..')
const startMs = 120_000

export type Provider = { url: string; ledger: string; stop(): Promise<void> }

/** A simulated provider in a process of its own: nothing that is struck can touch its ledger. */
export async function startProvider(dir: string, replies: string, latencyMs: number): Promise<Provider> {
  const ledger = join(dir, 'ledger.jsonl')
  const args = ['--ledger', ledger, '--replies', replies, '--latency-ms', String(latencyMs)]
  const tether = ['--import', join(root, 'edge/local/tether.mjs')]
  const child = spawn(process.execPath, [...tether, join(root, 'prove/provider/main.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: true,
  })
  const line = await firstLine(child, (text) => text.startsWith('{'))
  const { url } = z.object({ url: z.url() }).parse(JSON.parse(line))
  return { url, ledger, stop: () => end(child) }
}

export type System = {
  url: string
  /** The process that was started; everything that may be struck descends from it. */
  pid: number
  agentToken: string
  /** Ends it as Ctrl-C does and says which of its processes are still there afterwards. */
  stop(): Promise<number[]>
}

export type SystemOptions = { dir: string; port: number; provider: string; overrides: string }

/** Everything `npm start` brings up, with its data in `dir` and the simulated provider as its only one; its output goes to `dir`/start.log. */
export async function startSystem({ dir, port, provider, overrides }: SystemOptions): Promise<System> {
  const dataDir = join(dir, 'data')
  const log = openSync(join(dir, 'start.log'), 'a')
  const child = spawn(process.execPath, [join(root, 'start.mjs')], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', log],
    env: {
      ...withoutProviders(),
      BENCH_DATA: dataDir,
      PORT: String(port),
      OPENAI_BASE_URL: provider,
      OPENAI_MODELS: 'sim',
      BENCH_DATA_OVERRIDES: overrides,
      NO_COLOR: '1',
      // As under npm: it ends when we do, however we end.
      npm_lifecycle_event: 'start',
    },
  })
  closeSync(log)
  const ready = await firstLine(child, (text) => {
    appendFileSync(join(dir, 'start.log'), `${text}\n`)
    return text.startsWith('ready ')
  }).catch(async (cause: unknown) => {
    await end(child)
    throw new Error(`npm start did not get ready:\n${readFileSync(join(dir, 'start.log'), 'utf8').slice(-4000)}`, { cause })
  })
  const pid = child.pid ?? 0
  const secrets = z.object({ agent_token: z.string() }).parse(JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')))
  return {
    url: ready.slice('ready '.length).trim(),
    pid,
    agentToken: secrets.agent_token,
    async stop() {
      const family = descendants(pid).map((process) => process.pid)
      await end(child)
      return family.filter(isAlive)
    },
  }
}

function withoutProviders(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(CHUTES_|OPENAI_|BENCH_|VITEST|HOST$|npm_lifecycle_event$)/.test(name)),
  )
}

/** The first line on standard output that `fits`; later lines go on being read. Rejects when the process ends or is silent too long. */
async function firstLine(child: ChildProcess, fits: (line: string) => boolean): Promise<string> {
  const found = Promise.withResolvers<string>()
  createInterface({ input: child.stdout! }).on('line', (line) => {
    if (fits(line)) found.resolve(line)
  })
  child.once('error', found.reject)
  child.once('exit', (code) => found.reject(new Error(`it ended with ${code}`)))
  const patience = setTimeout(() => found.reject(new Error(`nothing in ${startMs / 1000} s`)), startMs)
  try {
    return await found.promise
  } finally {
    clearTimeout(patience)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
