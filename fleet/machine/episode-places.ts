import { randomBytes } from 'node:crypto'
import type { Container } from 'dockerode'
import type { MachineServices, ServicePlace } from '#shared/solvers/machine-services.ts'
import { refusalIn } from '../docker/engine.ts'
import { type MachineEngine, removeContainer } from './machine-engine.ts'
import { type JoinedSettings, mountsOf } from './service-settings.ts'

/** Whether services reach more than their episode, and the network that the agent names for machines that do. */
export type Reach = { open: boolean; network: string }

/** The networks and volumes of one episode, which only its containers have. */
export type EpisodePlaces = {
  /** Settings of a container that is called `name` there. */
  join(name: string, place: ServicePlace): JoinedSettings
  /** Joins a container to all further networks that it has, before it begins. */
  connect(name: string, place: ServicePlace, container: Container): Promise<void>
  /** A container that others share the network of. */
  knows(name: string, id: string): void
  close(): Promise<void>
}

/** The network of services that name none. */
const usual = 'default'
/** Takes the address of the bridge away from the host, so that a network that is to reach nothing does not reach that. */
const noHost = { 'com.docker.network.bridge.inhibit_ipv4': 'true' }

/**
 * Makes what the containers of an episode share. Where it reaches more than itself each network of the task is a bridge of its own; where the agent names a network
 * for machines they reach nothing, and every service is on that one too. Where it reaches nothing, services that name no network share that of one container, as
 * at Harbor (each reaches the others at `localhost`, and here by their names as well), and those that do name one have networks without a way out. Source:
 * Harbor 0.25.0, `environments/docker/docker.py`.
 */
export async function openPlaces(
  engine: MachineEngine,
  { main, others }: MachineServices,
  { open, network }: Reach,
  means: { image: string; labels: Readonly<Record<string, string>> },
): Promise<EpisodePlaces> {
  const { docker } = engine
  const all = [main, ...others]
  const mark = randomBytes(6).toString('hex')
  const made: (() => Promise<unknown>)[] = []
  const volumes = new Map<string, string>()
  const networks = new Map<string, string>()
  const ids = new Map<string, string>()
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed ??= removeAll(engine, made.reverse())
    return closed
  }
  const shares = !open && all.some((one) => one.network.type === 'usual')
  const wanted = new Map<string, boolean>()
  for (const { network: one } of all) {
    if (one.type === 'named') for (const { name, internal } of one.networks) wanted.set(name, internal)
    if (one.type === 'usual' && open) wanted.set(usual, false)
  }
  try {
    for (const name of new Set(all.flatMap((one) => one.volumes.flatMap(({ volume }) => volume ?? [])))) {
      const Name = `bench-${mark}-${name}`
      made.push(() => docker.getVolume(Name).remove())
      await docker.createVolume({ Name, Labels: means.labels })
      volumes.set(name, Name)
    }
    for (const [name, internal] of wanted) {
      const Name = `bench-${mark}-${name}`
      const isClosed = !open || internal || network !== 'bridge'
      const created = await docker.createNetwork({
        ...{ Name, Driver: 'bridge', Internal: isClosed, Labels: means.labels, ...(isClosed ? { Options: noHost } : {}) },
      })
      made.push(() => docker.getNetwork(created.id).remove())
      networks.set(name, Name)
    }
    if (shares) {
      const holder = await openHolder(
        engine,
        means,
        all.flatMap((one) => ('name' in one ? [one.name as string, ...one.aliases] : ['main', ...one.aliases])),
      )
      made.push(() => removeContainer(docker, holder.id))
      await holder.start()
      ids.set('', holder.id)
    }
  } catch (error) {
    await close()
    throw error
  }
  const namesOf = (name: string, { network: one, aliases }: ServicePlace): [string, string[]][] =>
    one.type === 'named'
      ? one.networks.map((each) => [networks.get(each.name)!, [name, ...aliases, ...each.aliases]])
      : [[networks.get(usual)!, [name, ...aliases]]]
  return {
    join(name, place) {
      const common = { ...(place.user === null ? {} : { User: place.user }) }
      const Mounts = mountsOf(place.volumes, volumes)
      const only = soleNetwork(place, others, ids, shares)
      if (only !== null) return { ...common, HostConfig: { NetworkMode: only, Mounts } }
      const [[first, Aliases]] = namesOf(name, place) as [[string, string[]]]
      // Else it is told the resolvers of the host; who asks for a name outside is not to wait for long.
      const resolver = open ? {} : { Dns: ['127.0.0.1'], DnsSearch: ['.'], DnsOptions: ['timeout:1', 'attempts:1'] }
      return {
        ...common,
        HostConfig: { NetworkMode: first, Mounts, ...resolver },
        NetworkingConfig: { EndpointsConfig: { [first]: { Aliases } } },
      }
    },
    async connect(name, place, container) {
      if (soleNetwork(place, others, ids, shares) !== null) return
      const [, ...more] = namesOf(name, place)
      for (const [one, Aliases] of more) await docker.getNetwork(one).connect({ Container: container.id, EndpointConfig: { Aliases } })
      if (open && network !== 'bridge') await docker.getNetwork(network).connect({ Container: container.id })
    },
    knows: (name, id) => void ids.set(name, id),
    close,
  }
}

/** Docker's word for the network of a container that has none of its own; null: it has. */
function soleNetwork(
  { network }: ServicePlace,
  others: MachineServices['others'],
  ids: ReadonlyMap<string, string>,
  shares: boolean,
): string | null {
  if (network.type === 'none') return 'none'
  if (network.type === 'usual') return shares ? `container:${ids.get('')}` : null
  if (network.type === 'named') return null
  const other = others.find(({ name }) => name === network.service)
  // A container cannot share the network of one that shares another's.
  const whose = other && soleNetwork(other, others, ids, shares)
  return whose ?? `container:${ids.get(network.service)}`
}

/** A container that only holds a network without a way out; services that share it read its names. */
function openHolder(
  { docker }: MachineEngine,
  { image, labels }: { image: string; labels: Readonly<Record<string, string>> },
  names: readonly string[],
): Promise<Container> {
  const memory = 32 * 1024 ** 2
  return docker.createContainer({
    Image: image,
    Entrypoint: ['sh', '-c', "trap '' HUP INT TERM; exec sleep 2147483647"],
    Cmd: [],
    User: 'root',
    Labels: labels,
    Healthcheck: { Test: ['NONE'] },
    StopSignal: 'SIGKILL',
    HostConfig: {
      ...{ NetworkMode: 'none', Dns: ['127.0.0.1'], DnsSearch: ['.'], ExtraHosts: names.map((name) => `${name}:127.0.0.1`) },
      ...{ CapDrop: ['ALL'], Privileged: false, IpcMode: 'private', Memory: memory, MemorySwap: memory, NanoCpus: 1e8, PidsLimit: 16 },
      LogConfig: { Type: 'none' },
    },
  })
}

/** Removes them in this order; what an engine that is away cannot remove is removed when it is back. */
async function removeAll(engine: MachineEngine, all: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const remove of all) {
    try {
      await remove()
    } catch (error) {
      const { status } = refusalIn(error)
      if (status === 404) continue
      engine.undone.add(remove)
      engine.lost()
    }
  }
}
