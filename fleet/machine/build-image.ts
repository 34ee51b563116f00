import { createHash } from 'node:crypto'
import type Docker from 'dockerode'
import * as z from 'zod'
import type { Outcome } from '#shared/contract/failure.ts'
import type { MachineImage } from '#shared/solvers/machine.ts'
import { refusalIn } from '../docker/engine.ts'
import { imageLabel } from '../docker/reap.ts'
import { leaveOutIgnored } from './docker-ignore.ts'
import { builtPlace } from './image-name.ts'
import { jsonLines } from './json-lines.ts'
import { endOf, refusedMachine } from './machine-failure.ts'
import { loginsByAddress, type RegistryLogin } from './registry-login.ts'
import { packTree } from './transfer.ts'

export type BuiltImage = Extract<MachineImage, { type: 'built' }>
/** How images are built: with which logins for what they start from, in which network, who is told what the builder says. */
export type BuildMeans = {
  logins: readonly RegistryLogin[]
  network: string | null
  cpus: number
  memory_mb: number
  say(line: string): void
}

const Line = z.object({ stream: z.string().optional(), error: z.string().optional() })

/** What is kept of a build's log, in characters. */
const mostLog = 65_536

/** The name of what is built from these files with these arguments: of one content there is one image. */
export function builtName({ context, dockerfile, args = {} }: BuiltImage): string {
  const hash = createHash('sha256').update(JSON.stringify(dockerfile))
  const given = Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1))
  if (given.length > 0) hash.update(JSON.stringify(given))
  const files = [...leaveOutIgnored(context, dockerfile)].sort((a, b) => (a.path < b.path ? -1 : 1))
  for (const { path, mode, bytes } of files) hash.update(JSON.stringify([path, mode & 0o777, bytes.length])).update(bytes)
  return `${builtPlace}/task:${hash.digest('hex').slice(0, 40)}`
}

/**
 * Builds an image with the engine's own builder and labels it as ours. What fails is `build-failed` with the end of the log, where the registry of what it
 * starts from refuses a failure as of a pull. Who aborts the signal gives it up.
 */
export async function buildImage(
  docker: Docker,
  image: BuiltImage,
  means: BuildMeans,
  { name, signal }: { name: string; signal: AbortSignal },
): Promise<Outcome<string>> {
  const late = AbortSignal.timeout(Math.min(Math.max(1, image.build_timeout_ms), 2 ** 31 - 1))
  let log = ''
  const seen = (text: string): void => {
    log = (log + text).slice(-mostLog)
    if (text.trim() !== '') means.say(text.trimEnd())
  }
  try {
    const tar = await packTree(leaveOutIgnored(image.context, image.dockerfile))
    const stream = await docker.buildImage(Buffer.from(tar.buffer, tar.byteOffset, tar.length), {
      ...settingsOf(image, means),
      t: name,
      abortSignal: AbortSignal.any([signal, late]),
    })
    for await (const line of jsonLines(stream)) {
      const { stream: text, error } = Line.parse(line)
      if (error !== undefined) return buildRefusal(error, log)
      if (text !== undefined) seen(text)
    }
    if (late.aborted || signal.aborted) throw late.reason
    return { ok: true, value: name }
  } catch (error) {
    signal.throwIfAborted()
    if (late.aborted)
      return refusedMachine('timeout', true, `${endOf(log)}\nThe image was not built within ${image.build_timeout_ms / 1000} s.`)
    const { status, words } = refusalIn(error)
    return status === null ? refusedMachine('unavailable', true, `Docker does not build: ${words}`) : buildRefusal(words, log)
  }
}

function settingsOf({ dockerfile, args }: BuiltImage, { logins, network, cpus, memory_mb }: BuildMeans): Record<string, unknown> {
  const memory = Math.floor(memory_mb * 1024 ** 2)
  return {
    dockerfile,
    ...(args && { buildargs: JSON.stringify(args) }),
    labels: JSON.stringify({ [imageLabel]: '1' }),
    rm: true,
    forcerm: true,
    memory,
    memswap: memory,
    cpuperiod: 100_000,
    cpuquota: Math.round(cpus * 100_000),
    ...(network === null ? {} : { networkmode: network }),
    ...(logins.length > 0 ? { registryconfig: loginsByAddress(logins) } : {}),
  }
}

/** A step that failed is the task's fault; a registry that lets nobody pull for now is not. */
function buildRefusal(words: string, log: string): Outcome<never> {
  if (/toomanyrequests|too many requests/i.test(words))
    return refusedMachine('unavailable', true, `${endOf(log)}\n${words}. The registry lets nobody pull more for now.`, 429)
  if (/no space left/i.test(words)) return refusedMachine('disk-full', true, `${endOf(log)}\n${words}`)
  return refusedMachine('build-failed', false, `${endOf(log)}\n${words.slice(0, 400)}`)
}
