import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { works } from '../../../images/debian-image.ts'

/** An engine of Docker beside that of the machine, which may be killed: its socket, and every file it has below one folder. */
export type OwnEngine = {
  socketPath: string
  folder: string
  /** `docker` for this engine; what it prints. */
  docker(...args: string[]): Promise<string>
  /** Copies an image of the machine's engine. */
  load(image: string): Promise<void>
  /** Begins it again after `kill` or `stop`. Resolves when it answers. */
  start(): Promise<void>
  kill(): Promise<void>
  stop(): Promise<void>
} & AsyncDisposable

/** Why no engine can be started here; null: one can. */
export const missingForEngine = async (): Promise<string | null> =>
  process.getuid?.() === 0 && (await works('dockerd', '--version')) ? null : 'an engine of its own takes root and dockerd'

/** Starts one. `path`: where its dockerd finds programs, `PATH` of this process by default. Throws where it does not come up. */
export async function startOwnEngine({ path = process.env.PATH }: { path?: string | undefined } = {}): Promise<OwnEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-engine-'))
  const socketPath = join(folder, 'docker.sock')
  const host = `unix://${socketPath}`
  const containerd = join(folder, 'containerd.sock')
  const places = { root: join(folder, 'containerd'), state: join(folder, 'containerd-state'), address: containerd }
  await writeFile(join(folder, 'containerd.toml'), containerdConfig(places))
  // As on a machine with both as services: it outlives an engine that is killed, and so do the containers.
  const keeper = spawn('containerd', ['--config', join(folder, 'containerd.toml')], { stdio: ['ignore', 'ignore', 'pipe'] })
  await untilSaid(keeper, 'containerd successfully booted')
  const args = [
    '--containerd',
    containerd,
    '--host',
    host,
    '--data-root',
    join(folder, 'data'),
    '--exec-root',
    join(folder, 'exec'),
    '--pidfile',
    join(folder, 'pid'),
  ]
  let running: ChildProcess | null = null
  const docker = async (...words: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)('docker', ['--host', host, ...words], { maxBuffer: 64 * 1024 ** 2 })
    return stdout
  }
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (!running || running.exitCode !== null) return
    const ended = once(running, 'close')
    running.kill(signal)
    await ended
    running = null
  }
  const start = async (): Promise<void> => {
    const program = await whereIs('dockerd')
    running = spawn(program, [...args, '--bridge=none', '--iptables=false'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, PATH: path },
    })
    await untilSaid(running, 'API listen on')
  }
  const engine: OwnEngine = {
    ...{ socketPath, folder, docker, start },
    async load(image) {
      const from = spawn('docker', ['save', image], { stdio: ['ignore', 'pipe', 'inherit'] })
      const to = spawn('docker', ['--host', host, 'load', '--quiet'], { stdio: ['pipe', 'ignore', 'inherit'] })
      const [[code]] = await Promise.all([once(to, 'close'), pipeline(from.stdout, to.stdin)])
      if (code !== 0) throw new Error(`docker load ended with ${code}`)
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    async [Symbol.asyncDispose]() {
      await end('SIGTERM')
      const ended = once(keeper, 'close')
      keeper.kill('SIGTERM')
      await ended
      await works('umount', '--lazy', join(folder, 'data')) // an engine leaves its own folder mounted onto itself
      await rm(folder, { recursive: true, force: true })
    },
  }
  await start().catch(async (error: unknown) => {
    await engine[Symbol.asyncDispose]()
    throw error
  })
  return engine
}

/** The file of a program; a `PATH` given to a child is also where the child itself is sought. */
const whereIs = async (program: string): Promise<string> => (await promisify(execFile)('sh', ['-c', `command -v ${program}`])).stdout.trim()

/** Resolves when a program has said this on its standard error; throws when it ends before. */
function untilSaid(child: ChildProcess, words: string): Promise<void> {
  let said = ''
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${child.spawnfile} ended with ${code}: ${said.slice(-500)}`)))
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-5000)
      if (said.includes(words)) resolve()
    })
  })
}

const containerdConfig = ({ root, state, address }: Record<'root' | 'state' | 'address', string>): string =>
  `version = 2\nroot = "${root}"\nstate = "${state}"\ndisabled_plugins = ["io.containerd.grpc.v1.cri"]\n[grpc]\n  address = "${address}"\n[ttrpc]\n  address = "${address}.ttrpc"\n`
