import { setTimeout as sleep } from 'node:timers/promises'
import type Docker from 'dockerode'
import * as z from 'zod'
import { refusalIn } from '../docker/engine.ts'
import { buildGroup, buildKitGroups, limitGroups } from './build-groups.ts'
import type { BuildEars } from './build-stream.ts'
import type { DiskWatch } from './disk-watch.ts'

/** What builds of one engine may take. `disk`: what watches its disk; `local`: whether its control groups may be this machine's. */
export type BuildLimits = { cpus: number; memory_mb: number; storage_mb: number; disk: DiskWatch; local: boolean }

/** A build while it is watched. */
export type WatchedBuild = {
  ears: Omit<BuildEars, 'text'>
  /** The control group that its steps are to run in, where one could be limited before they begin. */
  group: string | null
  /** Why an image is larger than it may be, in a sentence; null: it is not. */
  overSize(image: string): Promise<string | null>
  /** Ends it and removes what the build left beside its image. */
  close(built: boolean): Promise<void>
}

/** Processes and threads of a build together, as of a machine. */
export const mostProcesses = 4096

const Sized = z.object({ Size: z.number().default(0) })
const Written = z.object({ SizeRw: z.number().default(0) })
const Cache = z.object({ BuildCache: z.array(z.object({ ID: z.string() })).nullish() })

/** A stage of the first builder: the image that it began with, where that is told, and its newest. */
type Stage = { first: string | null; last: string | null }

/**
 * Watches a build: each container of a step gets the limit of processes that a builder itself does not give, and what all steps leave on the disk is counted.
 * `base`: the image that the last stage begins with; `onFull` is told why the build must end.
 */
export async function watchBuild(
  docker: Docker,
  { memory_mb, storage_mb: usual_mb, disk, local }: BuildLimits,
  { storage_mb, buildkit, base }: { storage_mb: number | null; buildkit: boolean; base: string | null },
  onFull: (why: Error) => void,
): Promise<WatchedBuild> {
  const most_mb = storage_mb ?? usual_mb
  const before = buildkit ? await cacheOf(docker) : null
  const memory_bytes = Math.floor(memory_mb * 1024 ** 2)
  const held = local ? await limitGroups(buildkit ? buildKitGroups : [buildGroup], { processes: mostProcesses, memory_bytes }) : 0
  const tooMuch = `The build takes more than the ${most_mb} MB of disk that the task has.`
  let container: string | null = null
  const stages: Stage[] = []
  const sizeOf = async (image: string | null): Promise<number> =>
    image === null ? 0 : Sized.parse(await docker.getImage(image).inspect()).Size
  const size = async (): Promise<number | null> => {
    if (buildkit) return null
    let bytes = container === null ? 0 : Written.parse(await docker.getContainer(container).inspect({ size: true })).SizeRw
    for (const { first, last } of stages) bytes += Math.max(0, (await sizeOf(last)) - (await sizeOf(first)))
    return bytes
  }
  const place = disk.enter({
    ...{ most_bytes: most_mb * 1024 ** 2, size },
    onFull: async (why) => onFull(new Error(why === 'own' ? tooMuch : 'The disk of the engine has no room to spare for the build.')),
  })
  return {
    group: !buildkit && held > 0 ? `/${buildGroup}` : null,
    ears: {
      step(id) {
        container = id
        void docker
          .getContainer(id)
          .update({ PidsLimit: mostProcesses })
          .catch(() => undefined) // it has ended
      },
      stage: () => void stages.push({ first: null, last: null }),
      layer(image) {
        container = null
        const stage = stages.at(-1)
        if (!stage) return
        stage.first ??= image
        stage.last = image
      },
    },
    overSize: async (image) => ((await sizeOf(image)) - (await sizeOf(base)) > most_mb * 1024 ** 2 ? tooMuch : null),
    async close(built) {
      place.leave()
      if (!built && container !== null) await removeLateLayer(docker, container, stages.at(-1)?.last ?? null)
      // Removing a stage's newest image removes all below it that nothing else needs. The one that it began with is somebody else's.
      for (const { first, last } of built ? stages.slice(0, -1) : stages)
        if (last !== null && last !== first) await removeLayer(docker, last)
      if (before !== null) await pruneCache(docker, before)
    },
  }
}

/** A step that was given up holds its image until its container is gone: how often that is asked for, and how long between, in milliseconds. */
const removals = { most: 40, pause_ms: 100 }

async function removeLayer(docker: Docker, image: string): Promise<void> {
  for (let tries = 0; tries < removals.most; tries++) {
    try {
      await docker.getImage(image).remove()
      return
    } catch (error) {
      const { status, words } = refusalIn(error)
      if (status !== 409 || !/container/i.test(words)) return
      await sleep(removals.pause_ms)
    }
  }
}

const Listed = z.array(z.object({ Id: z.string(), ParentId: z.string().nullish() }))

/** How long an engine may go on keeping a step that was given up, in looks of a second. */
const mostLooks = 180

/** A step that is given up while the engine keeps what it wrote becomes an image that nobody is told of: it is waited for, and removed. */
async function removeLateLayer(docker: Docker, container: string, below: string | null): Promise<void> {
  for (let looks = 0; looks < mostLooks; looks++) {
    const isThere = await docker
      .getContainer(container)
      .inspect()
      .then(
        () => true,
        () => false,
      )
    if (!isThere) break
    await sleep(1000)
  }
  if (below === null) return
  const listed = Listed.safeParse(await docker.listImages({ filters: { dangling: ['true'] } }).catch(() => [])).data ?? []
  for (const { Id, ParentId } of listed) if (ParentId?.startsWith(`sha256:${below}`)) await removeLayer(docker, Id)
}

/** The records of BuildKit at an engine; null where it does not tell. */
const cacheOf = async (docker: Docker): Promise<ReadonlySet<string> | null> => {
  try {
    return new Set((Cache.parse(await docker.df()).BuildCache ?? []).map(({ ID }) => ID))
  } catch {
    return null
  }
}

/** Removes what BuildKit keeps since `before`. */
async function pruneCache(docker: Docker, before: ReadonlySet<string>): Promise<void> {
  const made = [...((await cacheOf(docker)) ?? [])].filter((id) => !before.has(id))
  // What another record needs goes when that one is gone.
  for (let round = 0; round < 3 && made.length > 0; round++)
    for (const id of made.reverse()) await docker.pruneBuilder({ filters: JSON.stringify({ id: [id] }) }).catch(() => undefined)
}
