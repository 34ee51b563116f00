import type { Container } from 'dockerode'
import type { Outcome } from '#shared/contract/failure.ts'
import type { ServiceMachine } from '#shared/solvers/machine.ts'
import type { MachineService, MachineServices, ServicePlace } from '#shared/solvers/machine-services.ts'
import { demultiplexText } from '../docker/demultiplex.ts'
import { refusalIn } from '../docker/engine.ts'
import { type EpisodePlaces, openPlaces, type Reach } from './episode-places.ts'
import { createLimited, type MachineEngine, removeContainer } from './machine-engine.ts'
import { endOf, refusedMachine } from './machine-failure.ts'
import type { ReadyImage } from './machine-images.ts'
import { createMachine, type OpenMachine } from './running-machine.ts'
import { type JoinedSettings, serviceSettings } from './service-settings.ts'
import { awaitService } from './service-state.ts'
import { uploadTree } from './transfer.ts'

/** What services are opened with. `image`: the machine's; `name`: what containers are called, before the service's own name. */
export type ServiceWants = {
  services: MachineServices
  reach: Reach
  image: ReadyImage
  name: string
  labels: Readonly<Record<string, string>>
  storage_mb: number
}

/** The services beside a machine, those begun that it waits for. */
export type OpenServices = {
  /** What the machine's own container is told. */
  joined: JoinedSettings
  /** Puts a machine's container among them, before it begins: its files and its further networks. */
  prepare(main: Container): Promise<void>
  /** Begins the others, and waits until all stand. */
  stand(): Promise<Outcome<Readonly<Record<string, ServiceMachine>>>>
  close(): Promise<void>
}

/** A service that does not come up, in words. */
class NotStanding extends Error {}

/**
 * Has the images of all services, makes what they share, and begins those that the machine waits for, each when what it waits for is so. Nothing is left of them where
 * that fails. Throws what the engine refuses and the signal's reason.
 */
export async function openServices(engine: MachineEngine, wants: ServiceWants, signal: AbortSignal): Promise<Outcome<OpenServices>> {
  const { main, others, start_timeout_ms } = wants.services
  const images = new Map<string, ReadyImage>()
  for (const { name, image } of others) {
    const there = await engine.images.have(image, signal)
    if (!there.ok) return there
    images.set(name, there.value)
  }
  const late = AbortSignal.timeout(Math.min(start_timeout_ms, 2 ** 31 - 1))
  const until = AbortSignal.any([signal, late])
  const places = await openPlaces(engine, wants.services, wants.reach, { image: wants.image.id, labels: wants.labels })
  const running = new Map<string, { machine: OpenMachine; container: Container }>()
  const close = async (): Promise<void> => {
    await Promise.all([...running.values()].map(({ machine }) => machine[Symbol.asyncDispose]()))
    await places.close()
  }
  const begin = async (service: MachineService): Promise<void> => {
    for (const { service: other, condition } of service.after) await waitFor(other, condition)
    const image = images.get(service.name)!
    const container = await startService(engine, service, { ...wants, image, places }, until).catch((error: unknown) => {
      const { status, words } = refusalIn(error)
      throw status === 400 ? new NotStanding(`The service ${service.name} does not start: ${words}`) : error
    })
    const storage_mb = engine.limitsDisk ? null : wants.storage_mb
    const machine = createMachine({ engine, container, image, storage_mb, leave: () => undefined }, signal)
    running.set(service.name, { machine, container })
    places.knows(service.name, container.id)
  }
  const waitFor = async (name: string, wanted: Parameters<typeof awaitService>[1]): Promise<void> => {
    const other = running.get(name)
    const why = other && (await awaitService(other.container, wanted, until))
    if (other && why)
      throw new NotStanding(`The service ${name} does not stand: ${why}. ${endOf(await logOf(other.container), 500)}`.trim())
  }
  const orRefused = async <T>(work: () => Promise<T>): Promise<Outcome<T>> => {
    try {
      return { ok: true, value: await work() }
    } catch (error) {
      await close()
      signal.throwIfAborted()
      if (error instanceof NotStanding) return refusedMachine('unhealthy', false, error.message)
      if (!late.aborted) throw error
      const names = others.map(({ name }) => name).join(', ')
      return refusedMachine('timeout', true, `The services ${names} did not stand within ${start_timeout_ms / 1000} s.`)
    }
  }
  const first = neededBefore(beforeOf(main), others)
  const begun = await orRefused(async () => {
    for (const service of others) if (first.has(service.name)) await begin(service)
    for (const { service, condition } of main.after) await waitFor(service, condition)
  })
  if (!begun.ok) return begun
  const open: OpenServices = {
    joined: places.join('main', main),
    async prepare(container) {
      places.knows('main', container.id)
      await places.connect('main', main, container)
      await putFiles(container, main.files, until)
    },
    stand: () =>
      orRefused(async () => {
        for (const service of others) if (!first.has(service.name)) await begin(service)
        const completes = new Set(
          [main, ...others].flatMap(({ after }) => after.flatMap((one) => (one.condition === 'completed' ? one.service : []))),
        )
        for (const { name } of others) await waitFor(name, completes.has(name) ? 'completed' : 'standing')
        return Object.fromEntries([...running].map(([name, { machine }]) => [name, machine]))
      }),
    close,
  }
  return { ok: true, value: open }
}

/** Names of the services that must have begun before the machine: those that it waits for, those that they wait for, and so on. */
function neededBefore(waitedFor: readonly string[], others: readonly MachineService[]): ReadonlySet<string> {
  const needed = new Set<string>()
  for (let left = [...waitedFor]; left.length > 0; ) {
    const name = left.pop()!
    const service = others.find((one) => one.name === name)
    if (!service || needed.has(name)) continue
    needed.add(name)
    left = [...left, ...beforeOf(service)]
  }
  return needed
}

const beforeOf = ({ after, network }: ServicePlace): string[] => [
  ...after.map(({ service }) => service),
  ...(network.type === 'of' ? [network.service] : []),
]

type StartWants = ServiceWants & { places: EpisodePlaces }

async function startService(engine: MachineEngine, service: MachineService, wants: StartWants, signal: AbortSignal): Promise<Container> {
  const { places, image, labels, storage_mb, reach } = wants
  const joined = places.join(service.name, service)
  const means = { image: image.id, joined, labels, storage_mb, open: reach.open }
  const name = `${wants.name}-${service.name}`
  const container = await createLimited(engine, (limitsDisk) => ({ ...serviceSettings(service, { ...means, limitsDisk }), name }))
  try {
    await places.connect(service.name, service, container)
    await putFiles(container, service.files, signal)
    signal.throwIfAborted()
    await container.start()
    return container
  } catch (error) {
    if (!(await removeContainer(engine.docker, container.id).catch(() => false))) engine.left.add(container.id)
    throw error
  }
}

async function putFiles(container: Container, files: MachineService['files'], signal: AbortSignal): Promise<void> {
  if (files.length === 0) return
  const inTree = files.map((file) => ({ ...file, path: file.path.replace(/^\/+/, '') }))
  const written = await uploadTree(container, '/', inTree, signal)
  if (written !== 'written') throw new NotStanding(`Files of the task could not be put into a service: ${written}.`)
}

/** What a service said last. */
const logOf = (container: Container): Promise<string> =>
  container.logs({ stdout: true, stderr: true, tail: 20 }).then(demultiplexText, () => '')
