import { createHash, randomUUID } from 'node:crypto'
import type Docker from 'dockerode'
import type { Outcome } from '#shared/contract/failure.ts'
import { builtPlace } from '#shared/dockerfile/image-name.ts'
import type { Registries } from '#shared/dockerfile/registries.ts'
import type { MachineImage, TreeFile } from '#shared/solvers/machine.ts'
import { refusalIn } from '../docker/engine.ts'
import { imageLabel } from '../docker/reap.ts'
import { importFiles, NotBrought } from './build-files.ts'
import { type BuildLimits, watchBuild } from './build-limits.ts'
import { followBuild } from './build-stream.ts'
import { leaveOutIgnored } from './docker-ignore.ts'
import { endOf, refusedMachine } from './machine-failure.ts'
import { type HaveNamed, type PreparedBuild, prepareBuild } from './prepare-build.ts'
import { packTree } from './transfer.ts'

export type BuiltImage = Extract<MachineImage, { type: 'built' }>
/** How images are built: what is known of the engine, which room they have, who is told what the builder says. */
export type BuildMeans = BuildLimits & {
  registries: Registries
  /** The network of a build that may reach the internet; of one that may not it is `none`. */
  network: string
  /** Builds have the network whatever mode their task has. */
  always_online: boolean
  say(line: string): void
}

/** What is kept of a build's log, in characters. */
const mostLog = 65_536

/** The name of what is built from these files with these arguments: of one content there is one image. */
export function builtName({ context, dockerfile, args = {}, network }: BuiltImage): string {
  const hash = createHash('sha256').update(JSON.stringify(dockerfile))
  const given = Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1))
  if (given.length > 0) hash.update(JSON.stringify(given))
  if (network === 'none') hash.update('none')
  const files = [...leaveOutIgnored(context, dockerfile)].sort((a, b) => (a.path < b.path ? -1 : 1))
  for (const { path, mode, bytes } of files) hash.update(JSON.stringify([path, mode & 0o777, bytes.length])).update(bytes)
  return `${builtPlace}/task:${hash.digest('hex').slice(0, 40)}`
}

/**
 * Builds an image at the engine and labels it as ours, when all that it names is there: the builder reaches nothing by itself. Here-documents are told to it in
 * another form; what only BuildKit knows (`--mount`, `--chmod`) is built by it, all else by the builder that holds every limit. A step that fails is `build-failed` with the
 * end of the log, what is not built here `task-refused`. Who aborts the signal gives it up. Of a build that fails nothing is left.
 */
export async function buildImage(
  docker: Docker,
  image: BuiltImage,
  means: BuildMeans,
  { name, have, signal }: { name: string; have: HaveNamed; signal: AbortSignal },
): Promise<Outcome<string>> {
  const late = AbortSignal.timeout(Math.min(Math.max(1, image.build_timeout_ms), 2 ** 31 - 1))
  const until = AbortSignal.any([signal, late])
  const files_image = name.replace('/task:', '/files:')
  let log = ''
  const seen = (text: string): void => {
    log = (log + text).slice(-mostLog)
    if (text.trim() !== '') means.say(text.trimEnd())
  }
  let brought = false
  try {
    const plan = await prepareBuild(docker, image, { files_image, registries: means.registries, have }, until)
    if (!plan.ok) return plan
    if (plan.value.files.some(({ from }) => from === 'address') && isClosed(image, means))
      return refusedMachine(
        'task-refused',
        false,
        `${image.dockerfile}: ADD of an address: the task has no network. Put the file beside the Dockerfile.`,
      )
    brought = plan.value.files.length > 0
    if (brought) await importFiles(docker, files_image, plan.value.files, until)
    return await runBuild(docker, { image, plan: plan.value, name, means, seen, endOfLog: () => endOf(log) }, until)
  } catch (error) {
    signal.throwIfAborted()
    if (late.aborted)
      return refusedMachine('timeout', true, `${endOf(log)}\nThe image was not built within ${image.build_timeout_ms / 1000} s.`)
    if (error instanceof NotBrought) return refusedMachine('build-failed', false, error.message)
    const { status, words } = refusalIn(error)
    return status === null ? refusedMachine('unavailable', true, `Docker does not build: ${words}`) : buildRefusal(words, endOf(log))
  } finally {
    if (brought) await removeImage(docker, files_image)
  }
}

type Run = { image: BuiltImage; plan: PreparedBuild; name: string; means: BuildMeans; seen(text: string): void; endOfLog(): string }

async function runBuild(docker: Docker, { image, plan, name, means, seen, endOfLog }: Run, until: AbortSignal): Promise<Outcome<string>> {
  const full = new AbortController()
  const watch = await watchBuild(docker, means, { storage_mb: image.storage_mb ?? null, buildkit: plan.buildkit, base: plan.base }, (why) =>
    full.abort(why),
  )
  let built = false
  try {
    const { tar, dockerfile } = await packContext(image, plan)
    const stream = await docker.buildImage(Buffer.from(tar.buffer, tar.byteOffset, tar.length), {
      ...settingsOf(image, plan, means),
      ...(watch.group === null ? {} : { cgroupparent: watch.group }),
      ...{ dockerfile, t: name, abortSignal: AbortSignal.any([until, full.signal]) },
    })
    const refusal = await followBuild(stream, { text: seen, ...watch.ears })
    if (full.signal.aborted) throw full.signal.reason
    if (refusal !== null) return buildRefusal(refusal, endOfLog())
    if (until.aborted) throw until.reason
    const over = await watch.overSize(name)
    if (over !== null) return refusedMachine('build-failed', false, `${endOfLog()}\n${over}`)
    built = true
    return { ok: true, value: name }
  } catch (error) {
    until.throwIfAborted()
    if (full.signal.aborted) return refusedMachine('build-failed', false, `${endOfLog()}\n${String(full.signal.reason)}`)
    throw error
  } finally {
    if (!built) await removeImage(docker, name)
    await watch.close(built)
  }
}

/**
 * The files of a build. Its Dockerfile in the form that the builder reads is hidden from what the task copies: by a line of `.dockerignore` that the first builder follows
 * when it has read it. BuildKit follows none here, and is given it in the place of the task's own.
 */
async function packContext({ context, dockerfile }: BuiltImage, plan: PreparedBuild): Promise<{ tar: Uint8Array; dockerfile: string }> {
  const bytes = new TextEncoder().encode(plan.text)
  const sent = leaveOutIgnored(context, dockerfile)
  if (plan.buildkit) {
    const files = sent.map((file) => (file.path === dockerfile ? { ...file, bytes } : file))
    return { tar: await packTree(files), dockerfile }
  }
  const path = `.bench-${randomUUID()}`
  const own = sent.find((file) => file.path === '.dockerignore')
  const lines = own ? `${new TextDecoder().decode(own.bytes)}\n${path}\n` : `.dockerignore\n${path}\n`
  const ignore: TreeFile = { path: '.dockerignore', mode: own?.mode ?? 0o644, bytes: new TextEncoder().encode(lines) }
  const files = [...sent.filter((file) => file !== own), ignore, { path, mode: 0o644, bytes }]
  return { tar: await packTree(files), dockerfile: path }
}

const isClosed = ({ network }: BuiltImage, { always_online }: BuildMeans): boolean => network === 'none' && !always_online

function settingsOf(image: BuiltImage, { args, buildkit }: PreparedBuild, means: BuildMeans): Record<string, unknown> {
  const memory = Math.floor(means.memory_mb * 1024 ** 2)
  // BuildKit knows its own bridge and none, and no network by name.
  const reached = isClosed(image, means) || (buildkit && means.network !== 'bridge') ? 'none' : means.network
  return {
    ...(Object.keys(args).length > 0 && { buildargs: JSON.stringify(args) }),
    labels: JSON.stringify({ [imageLabel]: '1' }),
    rm: true,
    forcerm: true,
    networkmode: buildkit && reached === 'bridge' ? 'default' : reached,
    ...(buildkit
      ? { version: 2 } // as a number: as a text dockerode opens a session beside it, which nothing here needs
      : { memory, memswap: memory, cpuperiod: 100_000, cpuquota: Math.round(means.cpus * 100_000) }),
  }
}

/** A step that failed is the task's fault; a disk that is full is not. */
function buildRefusal(words: string, log: string): Outcome<never> {
  if (/no space left/i.test(words)) return refusedMachine('disk-full', true, `${log}\n${words}`)
  return refusedMachine('build-failed', false, `${log}\n${words.slice(0, 400)}`)
}

const removeImage = (docker: Docker, name: string): Promise<unknown> =>
  docker
    .getImage(name)
    .remove({ force: true })
    .catch(() => undefined)
