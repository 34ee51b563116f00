import type Docker from 'dockerode'
import * as z from 'zod'
import type { Outcome } from '#shared/contract/failure.ts'
import { type ImageName, pulledName, pullName, readImageName } from '#shared/dockerfile/image-name.ts'
import { registryProblem } from '#shared/dockerfile/registries.ts'
import { TooMuchWork } from '#shared/harbor/path-pattern.ts'
import type { MachineImage } from '#shared/solvers/machine.ts'
import { refusalIn } from '../docker/engine.ts'
import { type BuildMeans, type BuiltImage, buildImage, builtName } from './build-image.ts'
import { type LockMeans, withBuildLock } from './build-lock.ts'
import { refusedMachine } from './machine-failure.ts'
import { type PullMeans, pullImage } from './pull-image.ts'

/** An image that is on an engine: what it is called in its task, its own id, the digest it is known by, what it begins with and as whom. */
export type ReadyImage = { name: string; id: string; digest: string; entrypoint: readonly string[]; user: string }

const Inspected = z.object({
  Id: z.string(),
  RepoDigests: z.array(z.string()).nullish(),
  Config: z.object({ Entrypoint: z.array(z.string()).nullish(), User: z.string().nullish() }).nullish(),
})

/** The images of one engine. */
export type MachineImages = {
  /**
   * Has an image there: as it is, or pulled or built now, once however many ask for it at a time. Who aborts the signal does not wait for it any more, and when
   * nobody does it is given up. Throws the signal's reason then.
   */
  have(image: MachineImage, signal: AbortSignal): Promise<Outcome<ReadyImage>>
  /** The same for a machine that is not wanted yet: `fetched` says whether it was not there. Nobody is told of it as of one that a machine waited for. */
  haveAhead(image: MachineImage, signal: AbortSignal): Promise<Outcome<ReadyImage & { fetched: boolean }>>
  /** Resolves when no machine waits for an image. */
  quiet(): Promise<void>
  /** When an image was last asked for, in milliseconds since 1970; 0 where it was not since we look. */
  lastUsed(id: string): number
}

/** How a machine came to its image: it was there, it was there because it had been made ready, or the machine waited until it was. */
export type HowHad = 'there' | 'ahead' | 'waited'
/** Hears how a machine came to its image and how long that took, in milliseconds. */
export type OnHad = (how: HowHad, took_ms: number) => void

/** A build has its own time: the pull of an image that it begins with ends with that. */
const basePull_ms = 2 ** 31 - 1

type Work = { outcome: Promise<Outcome<string>>; waiting: number; giveUp: AbortController }

/** `makeRoom` is called before anything is fetched; `busy` says how many CPUs and how much memory a build may take. */
export function openMachineImages(
  docker: Docker,
  means: PullMeans & BuildMeans & LockMeans,
  makeRoom: () => Promise<void>,
  onHad: OnHad = () => undefined,
): MachineImages {
  const works = new Map<string, Work>()
  /** Images that were made ready and that no machine has started from yet. */
  const ready = new Set<string>()
  /** Machines that wait for an image, and who is told when none does any more. */
  let machines = 0
  const whenQuiet: (() => void)[] = []
  const used = new Map<string, number>()

  const find = async (name: string, names: readonly string[]): Promise<(ReadyImage & { local: string }) | null> => {
    for (const one of names) {
      const found = await inspect(docker, one)
      if (!found) continue
      used.set(found.Id, Date.now())
      const { Entrypoint, User } = found.Config ?? {}
      return { name, local: one, id: found.Id, digest: digestOf(found), entrypoint: Entrypoint ?? [], user: User ?? '' }
    }
    return null
  }
  /** One work for all who ask meanwhile. */
  const share = async (
    name: string,
    begin: (signal: AbortSignal) => Promise<Outcome<string>>,
    signal: AbortSignal,
  ): Promise<Outcome<string>> => {
    let work = works.get(name)
    if (!work) {
      const giveUp = new AbortController()
      work = { outcome: makeRoom().then(() => begin(giveUp.signal)), waiting: 0, giveUp }
      works.set(name, work)
      const over = (): void => void (works.get(name) === work && works.delete(name))
      work.outcome.then(over, over)
    }
    const shared = work
    shared.waiting++
    const { promise: left, reject } = Promise.withResolvers<never>()
    const leave = (): void => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([shared.outcome, left])
    } finally {
      signal.removeEventListener('abort', leave)
      shared.waiting--
      if (shared.waiting === 0 && signal.aborted) {
        if (works.get(name) === shared) works.delete(name)
        shared.giveUp.abort(signal.reason)
      }
    }
  }
  const obtain = async (
    name: string,
    names: readonly string[],
    begin: (signal: AbortSignal) => Promise<Outcome<string>>,
    signal: AbortSignal,
  ) => {
    const there = await find(name, names)
    if (there) return { ok: true, value: { ...there, fetched: false } } as const
    signal.throwIfAborted()
    const outcome = await share(names[0]!, begin, signal)
    if (!outcome.ok) return outcome
    const made = await find(name, [outcome.value])
    return made
      ? ({ ok: true, value: { ...made, fetched: true } } as const)
      : refusedMachine('unavailable', true, `${name} went away as soon as it was there.`)
  }
  const get = (image: MachineImage, signal: AbortSignal): Promise<Outcome<ReadyImage & { fetched: boolean; local: string }>> => {
    if (image.type === 'built') {
      const name = nameOfBuild(image)
      if (name === null) return Promise.resolve(refusedMachine('build-failed', false, costlyIgnoreFile))
      const build = async (given: AbortSignal): Promise<Outcome<string>> =>
        // Whoever had the lock before may have built it.
        (await inspect(docker, name))
          ? { ok: true, value: name }
          : buildImage(docker, image, means, { name, have: haveNamed, signal: given })
      return obtain(name, [name], (given) => withBuildLock(docker, name, means, () => build(given), given), signal)
    }
    const name = readImageName(image.name)
    const why = name ? registryProblem(name, means.registries) : 'it is no name of an image'
    if (!name || why !== null)
      return Promise.resolve(refusedMachine('task-refused', false, `${JSON.stringify(image.name.slice(0, 200))}: ${why}.`))
    const timeout_ms = image.pull_timeout_ms
    return obtain(image.name, namesOf(name, means.mirror), (given) => pullImage(docker, name, means, { timeout_ms, signal: given }), signal)
  }
  /** Images that a Dockerfile names are had as those of machines are. */
  const haveNamed = async (name: string, signal: AbortSignal): Promise<Outcome<string>> => {
    const had = await get({ type: 'named', name, pull_timeout_ms: basePull_ms }, signal)
    return had.ok ? { ok: true, value: had.value.local } : had
  }
  return {
    lastUsed: (id) => used.get(id) ?? 0,
    quiet: () => (machines === 0 ? Promise.resolve() : new Promise((resolve) => whenQuiet.push(resolve))),
    async haveAhead(image, signal) {
      const outcome = await get(image, signal)
      if (outcome.ok && outcome.value.fetched) ready.add(outcome.value.id)
      return outcome
    },
    async have(image, signal) {
      const began = performance.now()
      machines++
      try {
        const outcome = await get(image, signal)
        if (!outcome.ok) return outcome
        const { fetched, local: _, ...had } = outcome.value
        onHad(fetched ? 'waited' : ready.has(had.id) ? 'ahead' : 'there', performance.now() - began)
        ready.delete(had.id)
        return { ok: true, value: had }
      } finally {
        machines--
        if (machines === 0) for (const tell of whenQuiet.splice(0)) tell()
      }
    },
  }
}

/** Names under which an image may be there already: the one that we gave it, its own, its mirror's. */
function namesOf(name: ImageName, mirror: string | null): string[] {
  const own = pulledName(name)
  return [`${own.repo}:${own.tag}`, pullName(name, null), ...(mirror === null ? [] : [pullName(name, mirror)])]
}

async function inspect(docker: Docker, name: string): Promise<z.infer<typeof Inspected> | null> {
  try {
    return Inspected.parse(await docker.getImage(name).inspect())
  } catch (error) {
    if (refusalIn(error).status === 404) return null
    throw error
  }
}

/** The digest that registries know it by; an image that never was at one is known by its own id. */
const digestOf = ({ Id, RepoDigests }: z.infer<typeof Inspected>): string =>
  RepoDigests?.map((one) => one.split('@')[1]!).find(Boolean) ?? Id

const costlyIgnoreFile =
  'With as many files, the patterns of environment/.dockerignore take too long to match: write fewer or simpler ones, or leave files out of the task.'

/** Null where the `.dockerignore` of the context takes too long to match. */
function nameOfBuild(image: BuiltImage): string | null {
  try {
    return builtName(image)
  } catch (cause) {
    if (cause instanceof TooMuchWork) return null
    throw cause
  }
}
