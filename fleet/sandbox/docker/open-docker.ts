import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type Docker from 'dockerode'
import type { Outcome } from '#shared/contract/failure.ts'
import type { ExecRequest, ExecResult, Sandbox } from '#shared/solvers/sandbox.ts'
import { connectEngine, findVolumes, readFacts, refusalIn } from '../../docker/engine.ts'
import { labelsOf, ownHolder, trialLabelsOf } from '../../docker/owner.ts'
import { evictImages, reapOrphans } from '../../docker/reap.ts'
import type { SandboxProvider } from '../../trial/resources.ts'
import { trialName } from '../trial-name.ts'
import { containerSettings, writablePlaces } from './container-settings.ts'
import { type Prepared, prepare } from './prepared.ts'
import { isRequest, runExec, toResult } from './run-exec.ts'
import { refusalOf } from './spec-refusal.ts'
import { openWarmPool } from './warm-pool.ts'
import { fullCommand, readCommand, saysFull, writeCommand, writeEndOf } from './workspace-commands.ts'

/** What an agent may choose; everything has a default. */
export type DockerOptions = {
  /** Whose the containers are: one agent of a data directory has a name of its own, so that it finds what it left. Default: nobody else's. */
  owner?: string
  /** The image where a spec names none. Default: `BENCH_SANDBOX_IMAGE`. */
  image?: string
  /** Docker's runtime, as `runsc`. Default: `BENCH_DOCKER_RUNTIME`, else the engine's own default. */
  runtime?: string
  /** The network of sandboxes that ask for one. Default: `bridge`. */
  network?: string
  /** How many containers are kept ready. Default: 2. */
  warm?: number
  /** Free MB on Docker's disk below which images of ours are removed. Default: 2048. */
  leastFree_mb?: number
  /** Pings, 500 ms apart, before `open` fails for an engine that has stopped answering. Default: 120. */
  looks?: number
  /** Docker's socket. Default: `DOCKER_HOST`, else `/var/run/docker.sock`. */
  socketPath?: string
}

/** Opens sandboxes as containers. `close` removes those that were prepared and not given out. */
export type DockerSandboxes = SandboxProvider & {
  docker: Docker
  runtime: string | null
  image: string | null
  /** Whether connections were within the memory of every sandbox so far. */
  holdsSockets(): boolean
  close(): Promise<void>
}

/** How long one of our own commands in a container may take, in milliseconds: longer only when it waits for something. */
const ownCommand_ms = 30_000

/**
 * Connects to Docker, removes what agents that are no more left there, and makes room by removing our own images where the disk is nearly full.
 * Each sandbox is a container, its files are in memory: they count as memory too, and a sandbox of more disk than memory is refused. An engine
 * that does not answer is why each is refused.
 */
export async function createDocker(options: DockerOptions = {}): Promise<DockerSandboxes> {
  const { BENCH_SANDBOX_IMAGE, BENCH_DOCKER_RUNTIME } = process.env
  const defaultImage = (options.image ?? BENCH_SANDBOX_IMAGE) || null
  const runtime = (options.runtime ?? BENCH_DOCKER_RUNTIME) || null
  const owner = options.owner ?? randomUUID()
  const holder = ownHolder()
  const docker = await connectEngine(options.socketPath)
  const pool = openWarmPool(options.warm ?? 2)
  await tidy(docker, owner, options.leastFree_mb ?? 2048)
  const means = { runtime, network: options.network ?? 'bridge', labels: labelsOf(owner, holder) }
  let holdsSockets = true
  let hasOpened = false
  return {
    docker,
    runtime,
    image: defaultImage,
    holdsSockets: () => holdsSockets,
    close: pool.close,
    async open(spec, signal, trial) {
      const refusal = refusalOf(spec)
      if (refusal !== null) return failed('denied', false, refusal)
      if (spec.network && sharesNetwork.test(means.network)) return failed('denied', false, 'No sandbox has the network of the machine.')
      const image = spec.image ?? defaultImage
      if (image === null) return failed('unavailable', true, noImage)
      signal.throwIfAborted()
      for (let waited = false; ; waited = true) {
        let prepared: Prepared | undefined
        try {
          const volumes = await findVolumes(docker, image)
          if (!volumes) return failed('unavailable', true, `Docker has no image ${image} here: docker pull ${image}`)
          const settings = containerSettings(spec, { ...means, image, volumes })
          const ownSettings = trial ? { ...settings, Labels: { ...means.labels, ...trialLabelsOf(trial) } } : settings
          const name = nameOf(trial ? trialName(trial) : 'check')
          prepared = await pool.take(JSON.stringify(settings), {
            now: () => prepare(docker, ownSettings, name),
            ahead: () => prepare(docker, settings, nameOf('ready')),
            hand: (ready) => ready.rename(name),
          })
          holdsSockets &&= prepared.sockets.held !== 'nowhere'
          signal.throwIfAborted()
          hasOpened = true
          return { ok: true, value: createSandbox(prepared, signal) }
        } catch (error) {
          await prepared?.remove().catch(() => undefined)
          signal.throwIfAborted()
          // A restarted engine answers soon; each failure would use one of the trial's `maxDeaths` attempts.
          if (hasOpened && !waited && isAway(error) && (await answersAgain(docker, options.looks ?? 120, signal))) continue
          return failed('unavailable', true, `Docker cannot open a sandbox: ${refusalIn(error).words}`)
        }
      }
    },
  }
}

/** Tells whether the connection to the engine was refused or broke, so that no answer came. */
const isAway = (error: unknown): boolean => error instanceof Error && 'code' in error && awayCodes.includes(String(error.code))
const awayCodes = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE']

/** Pings the engine until it answers; false after `looks` pings. Throws the signal's reason on abort. */
async function answersAgain(docker: Docker, looks: number, signal: AbortSignal): Promise<boolean> {
  for (let look = 0; look < looks; look++) {
    if (
      await docker.ping().then(
        () => true,
        () => false,
      )
    )
      return true
    await delay(500, undefined, { signal })
  }
  return false
}

/** The name of a container, which no other has: what `docker ps` shows. */
const nameOf = (whose: string): string => `bench-${whose}-${randomBytes(4).toString('hex')}`

/** Docker's words for the machine's own network, and for that of another container. */
const sharesNetwork = /^(host$|container:)/

const noImage =
  'Docker has no image for sandboxes: set BENCH_SANDBOX_IMAGE to one that is on this machine, as after docker pull debian:bookworm.'

/** What cannot be tidied does not keep the agent from starting: whoever opens a sandbox is told what Docker says. */
async function tidy(docker: Docker, owner: string, leastFree_mb: number): Promise<void> {
  try {
    await reapOrphans(docker, owner, ownHolder(), Date.now() / 1000)
    const { root } = await readFacts(docker, null)
    if (root !== null) await evictImages(docker, root, leastFree_mb)
  } catch {
    // It does not answer.
  }
}

function createSandbox(prepared: Prepared, signal: AbortSignal): Sandbox & AsyncDisposable {
  const closing = new AbortController()
  const given = AbortSignal.any([signal, closing.signal])
  const running = new Set<Promise<unknown>>()
  const nothing = (end: ExecResult['end']): ExecResult => ({ end, exit_code: null, stdout: new Uint8Array(), stderr: new Uint8Array() })
  let removed: Promise<void> | undefined
  const remove = (): Promise<void> => {
    removed ??= prepared.remove()
    return removed
  }
  // Who gives a trial up need not close it first: what runs in it ends now.
  given.addEventListener('abort', () => void remove().catch(() => undefined), { once: true })
  const run = async (request: ExecRequest) => {
    const work = runExec(prepared, request, given, () => running.size > 1)
    running.add(work)
    try {
      return await work
    } finally {
      running.delete(work)
    }
  }
  const own = (argv: readonly [string, ...string[]], most: number, stdin?: Uint8Array) =>
    run({ argv, timeout_ms: ownCommand_ms, output_bytes: most, ...(stdin ? { stdin } : {}) })
  const isFull = async (): Promise<boolean> => saysFull((await own(fullCommand(writablePlaces), 0)).exit_code)
  const exec = async (request: ExecRequest): Promise<ExecResult> => {
    if (!isRequest(request)) return nothing('denied')
    const finding = await run(request)
    return given.aborted ? { ...(await toResult(finding, isFull)), end: 'unavailable', exit_code: null } : toResult(finding, isFull)
  }
  /** What Docker itself could not do, when it was away or had no room, ends nothing else. */
  const orElse = async <T>(work: Promise<T>, otherwise: T): Promise<T> => work.catch(() => otherwise)
  return {
    exec: (request) => (given.aborted ? Promise.resolve(nothing('unavailable')) : orElse(exec(request), nothing('unavailable'))),
    read: async (path, most) => {
      const argv = readCommand(path, most)
      if (!argv || given.aborted) return null
      const found = await orElse(own(argv, most), null)
      return found?.end === 'exited' && found.exit_code === 0 ? found.stdout : null
    },
    write: async (path, bytes) => {
      const argv = writeCommand(path, bytes.length, `.bench-${randomBytes(8).toString('hex')}`)
      if (given.aborted) return 'unavailable'
      if (!argv) return 'denied'
      const found = await orElse(own(argv, 0, bytes), null)
      return found === null || found.end === 'aborted' || given.aborted ? 'unavailable' : writeEndOf(found.exit_code)
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort()
      await Promise.allSettled(running)
      // An engine that is away removes it by itself: its first program has lost its input.
      await remove().catch(() => undefined)
    },
  }
}

function failed(reason: 'unavailable' | 'denied', retryable: boolean, detail: string): Outcome<never> {
  return { ok: false, failure: { at: 'sandbox', reason, retryable, status: null, detail: detail.slice(0, 2000) } }
}
