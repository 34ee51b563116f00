import { randomUUID } from 'node:crypto'
import type Docker from 'dockerode'
import type { Container } from 'dockerode'
import * as z from 'zod'
import { namesOfPulled, ownReferences } from '#shared/dockerfile/image-name.ts'
import type { Registries } from '#shared/dockerfile/registries.ts'
import { connectEngine, type EngineAddress, refusalIn } from '../docker/engine.ts'
import { type Holder, labelsOf } from '../docker/owner.ts'
import { evictImages, freeMbAt, reapOrphans } from '../docker/reap.ts'
import { createLane } from '../lanes/lane.ts'
import { createDiskWatch, type DiskWatch } from './disk-watch.ts'
import { type EngineEvents, openEngineEvents } from './engine-events.ts'
import { createLikenesses, type Likenesses } from './likenesses.ts'
import { type MachineImages, type OnHad, openMachineImages } from './machine-images.ts'
import type { RegistryLogin } from './registry-login.ts'

/** What all engines of an agent have in common. */
export type EngineMeans = {
  owner: string
  holder: Holder
  mirror: string | null
  logins: readonly RegistryLogin[]
  /** Registries that tasks may name beside the usual ones. */
  registries: Registries
  /** The network of builds that may reach the internet. */
  buildNetwork: string
  /** Builds have it whatever mode their task has. */
  always_online: boolean
  /** What a build may leave on the disk where its task does not say. */
  storage_mb: number
  /** MB of an engine's disk that no machine and no build may take. */
  reserve_mb: number
  room: { cpus?: number; memory_mb?: number }
  leastFree_mb: number
  say(line: string): void
  onHad: OnHad
}

/** One engine that machines run at, and its room for them. */
export type MachineEngine = {
  name: string
  docker: Docker
  lane: ReturnType<typeof createLane>
  images: MachineImages
  events: EngineEvents
  /** Watches the engine's disk. */
  disk: DiskWatch
  likenesses: Likenesses
  /** Labels of every container that we make there, and the one that only machines have. */
  labels: Readonly<Record<string, string>>
  machineLabel: Readonly<Record<string, string>>
  /** Null when it answers, else why it does not. What was left there by agents that are no more is removed when it first answers. */
  reach(): Promise<string | null>
  /** It did not answer just now: it is asked again before the next machine. */
  lost(): void
  /** Whether so much of its disk is free as images may leave; not where that cannot be seen. */
  hasDisk(): Promise<boolean>
  /** Whether it limits the disk of a container itself; what it says of the first try counts. */
  limitsDisk: boolean
  /** Containers that could not be removed while it was away. */
  left: Set<string>
  /** What else could not be removed: networks and volumes of episodes. */
  undone: Set<() => Promise<unknown>>
  close(): void
}

const Networks = z.array(z.object({ Name: z.string() }))
const mib = 1024 ** 2
const Info = z.object({ NCPU: z.number(), MemTotal: z.number(), DockerRootDir: z.string().nullish() })
/** Part of an engine's memory that is left to itself and to the agent. */
const spared = 0.1

/** An engine by its address; nothing is asked of it before `reach`. */
export async function openMachineEngine(address: EngineAddress | undefined, means: EngineMeans): Promise<MachineEngine> {
  const docker = await connectEngine(address)
  const pool = randomUUID()
  const lane = createLane({})
  let root: string | null = null
  let reached = false
  const known = { cpus: 1, memory_mb: 1024, hasBridge: true }
  const disk = createDiskWatch({
    free: async () => {
      const free_mb = root === null ? null : await freeMbAt(root)
      return free_mb === null ? null : free_mb * mib
    },
    reserve: async () => means.reserve_mb * mib,
  })
  const images = openMachineImages(
    docker,
    {
      ...means,
      get network() {
        return known.hasBridge || means.buildNetwork !== 'bridge' ? means.buildNetwork : 'none'
      },
      disk,
      local: address === undefined || 'socketPath' in address,
      get cpus() {
        return known.cpus
      },
      get memory_mb() {
        return known.memory_mb
      },
    },
    async () => {
      if (root === null) return
      const own = { references: ownReferences, namesOf: namesOfPulled, lastUsed: images.lastUsed }
      await evictImages(docker, root, means.leastFree_mb, undefined, own).catch(() => undefined)
    },
    means.onHad,
  )
  const find = async (): Promise<void> => {
    const info = Info.parse(await docker.info())
    root = info.DockerRootDir ?? null
    known.cpus = means.room.cpus ?? info.NCPU
    known.memory_mb = means.room.memory_mb ?? Math.floor((info.MemTotal / 1024 ** 2) * (1 - spared))
    lane.resize({ cpus: known.cpus, memory_mb: known.memory_mb })
    // An engine that was begun without a bridge has no network but none.
    known.hasBridge = Networks.parse(await docker.listNetworks({ filters: { name: ['bridge'] } })).some(({ Name }) => Name === 'bridge')
    await reapOrphans(docker, means.owner, means.holder, Date.now() / 1000).catch(() => undefined)
  }
  const machineLabel = { 'chutes-bench.machines': pool }
  const events = openEngineEvents(docker, `chutes-bench.machines=${pool}`)
  const engine: MachineEngine = {
    name: nameOf(address),
    ...{ docker, lane, images, events, disk, machineLabel, likenesses: createLikenesses() },
    labels: labelsOf(means.owner, means.holder),
    hasDisk: async () => root !== null && ((await freeMbAt(root)) ?? 0) >= means.leastFree_mb,
    limitsDisk: true,
    left: new Set(),
    undone: new Set(),
    lost: () => {
      reached = false
    },
    async reach() {
      if (reached) return null
      try {
        await find()
        await removeLeft(engine)
        reached = true
        return null
      } catch (error) {
        return refusalIn(error).words
      }
    },
    close: () => {
      events.close()
      disk.close()
    },
  }
  return engine
}

/** Removes what could not be removed before. */
export async function removeLeft({ docker, left, undone }: Pick<MachineEngine, 'docker' | 'left' | 'undone'>): Promise<void> {
  for (const id of [...left]) if (await removeContainer(docker, id)) left.delete(id)
  for (const remove of [...undone]) {
    undone.delete(remove)
    await remove().catch((error: unknown) => {
      if (refusalIn(error).status === null) undone.add(remove) // else it is gone, or somebody else's
    })
  }
}

/** Makes a container; an engine that cannot limit its disk says so at the first. */
export async function createLimited(engine: MachineEngine, settings: (limitsDisk: boolean) => object): Promise<Container> {
  const limited = engine.limitsDisk
  try {
    return await engine.docker.createContainer(settings(limited))
  } catch (error) {
    if (!limited || !/storage-opt|storageopt|pquota/i.test(refusalIn(error).words)) throw error
    engine.limitsDisk = false
    return engine.docker.createContainer(settings(false))
  }
}

/** Whether a container with its volumes is gone now. */
export async function removeContainer(docker: Docker, id: string): Promise<boolean> {
  try {
    await docker.getContainer(id).remove({ force: true, v: true })
    return true
  } catch (error) {
    const { status } = refusalIn(error)
    return status === 404 || status === 409 // it is gone, or somebody else removes it
  }
}

const nameOf = (address: EngineAddress | undefined): string =>
  address === undefined ? 'Docker' : 'socketPath' in address ? address.socketPath : `${address.host}:${address.port}`
