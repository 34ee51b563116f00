import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Container } from 'dockerode'
import type { Outcome } from '#shared/contract/failure.ts'
import { readRegistries } from '#shared/dockerfile/registries.ts'
import { count } from '#shared/metrics/number-text.ts'
import { awaitHealth } from '#shared/solvers/await-health.ts'
import type { MachineImage, MachineSpec } from '#shared/solvers/machine.ts'
import { roomBeside } from '#shared/solvers/machine-services.ts'
import { demultiplexText } from '../docker/demultiplex.ts'
import { readEngineAddress, refusalIn } from '../docker/engine.ts'
import { ownHolder, trialLabelsOf } from '../docker/owner.ts'
import { type Amount, BeyondPool } from '../lanes/lane.ts'
import { type SandboxTrial, trialName } from '../sandbox/trial-name.ts'
import { isRunning } from './end-processes.ts'
import { createLimited, type MachineEngine, openMachineEngine, removeContainer } from './machine-engine.ts'
import { endOf, refusedMachine } from './machine-failure.ts'
import type { ReadyImage } from './machine-images.ts'
import { type MachineOptions, readReserve } from './machine-options.ts'
import { type MachineSizes, machineRefusal, machineSettings, sharesNetwork, sizesOf } from './machine-settings.ts'
import { makePlaces } from './make-places.ts'
import { type OpenServices, openServices } from './open-services.ts'
import { NoEngine, placeMachine } from './place-machine.ts'
import { readLogins } from './registry-login.ts'
import { createMachine, type OpenMachine } from './running-machine.ts'
import { type Coming, createImageWarmer } from './warm-images.ts'

/** Opens machines. Only the fleet closes one, whatever the solver did with it. */
export type Machines = {
  open(spec: MachineSpec, signal: AbortSignal, trial?: SandboxTrial): Promise<Outcome<OpenMachine>>
  /** Pulls an image ahead for a trial that waits for its turn, where there is one engine only: of several nobody knows yet which it will be. */
  warm(image: MachineImage, signal: AbortSignal): void
  /** Makes images ready for a trial that may come to this agent, where there is one engine only. Undefined where there are several. */
  expect: ((one: Coming) => void) | undefined
  /** Has an image at every engine, before a machine needs it. */
  prepare(image: MachineImage, signal: AbortSignal): Promise<Outcome<void>>
  /** What the engines have for machines together, what is taken, and how many wait. */
  load(): { pool: Amount; used: Amount; waiting: number }
  close(): Promise<void>
}

const defaultSizes: MachineSizes = { cpus: 1, memory_mb: 2048, storage_mb: 10_240 }

/**
 * Machines of one or several Docker engines, each a container with an image of its own. An engine that does not answer is asked again when a machine is
 * wanted; nothing is thrown for it.
 */
export async function createMachines(options: MachineOptions = {}): Promise<Machines> {
  const { BENCH_DOCKER_HOSTS, BENCH_MACHINE_NETWORK, BENCH_REGISTRY_MIRROR, BENCH_REGISTRY_LOGINS } = process.env
  const { BENCH_REGISTRIES, BENCH_DISK_RESERVE_MB, BENCH_BUILD_NETWORK } = process.env
  const hosts =
    options.engines ??
    (BENCH_DOCKER_HOSTS ?? '')
      .split(',')
      .map((host) => host.trim())
      .filter(Boolean)
  const network = (options.network ?? BENCH_MACHINE_NETWORK) || 'bridge'
  const unsaid = options.unsaid ?? defaultSizes
  const means = {
    owner: options.owner ?? randomUUID(),
    holder: ownHolder(),
    mirror: (options.mirror ?? BENCH_REGISTRY_MIRROR) || null,
    logins: options.logins ?? readLogins(BENCH_REGISTRY_LOGINS),
    registries: options.registries ?? readRegistries(BENCH_REGISTRIES),
    buildNetwork: options.buildNetwork ?? network,
    always_online: options.always_online ?? BENCH_BUILD_NETWORK === 'public',
    storage_mb: unsaid.storage_mb,
    reserve_mb: options.reserve_mb ?? readReserve(BENCH_DISK_RESERVE_MB),
    room: options.room ?? {},
    leastFree_mb: options.leastFree_mb ?? 10_240,
    say: options.say ?? (() => undefined),
    onHad: options.onHad ?? (() => undefined),
  }
  const addresses = hosts.length > 0 ? hosts.map(readEngineAddress) : [undefined]
  const engines = await Promise.all(addresses.map((address) => openMachineEngine(address, means)))
  // What agents that are no more left is removed now and not when the first machine is wanted.
  await Promise.all(engines.map((engine) => engine.reach()))
  const opened = new Set<OpenMachine>()
  const [only, ...further] = engines
  const warmer = only && further.length === 0 ? createImageWarmer(only, () => performance.now(), options.onWarmed) : null
  return {
    async open(spec, signal, trial) {
      const sizes = sizesOf(spec, unsaid)
      const refusal = machineRefusal(spec, sizes)
      if (refusal !== null) return refusedMachine('denied', false, refusal)
      if (spec.network === 'public' && sharesNetwork.test(network))
        return refusedMachine('denied', false, 'No machine has the network of its host.')
      signal.throwIfAborted()
      const beside = roomBeside(spec.services)
      const room = { cpus: sizes.cpus + beside.cpus, memory_mb: sizes.memory_mb + beside.memory_mb }
      const place = await findPlace(engines, trial?.run_id ?? '', room, signal)
      if (!place.ok) return place
      const { engine, leave } = place.value
      let machine: Outcome<OpenMachine> | undefined
      try {
        machine = await openAt(engine, { spec, sizes, network, trial, leave }, signal)
        if (machine.ok) track(opened, machine.value)
        return machine
      } finally {
        if (!machine?.ok) leave()
      }
    },
    warm: (image, signal) => void warmer?.warm(image, signal),
    expect: warmer ? (one) => void warmer.expect(one) : undefined,
    async prepare(image, signal) {
      for (const engine of engines) {
        const outcome = await orUnavailable(engine, signal, () => engine.images.have(image, signal))
        if (!outcome.ok) return outcome
      }
      return { ok: true, value: undefined }
    },
    load: () => {
      const loads = engines.map(({ lane }) => lane.load())
      const sum = (amounts: readonly Amount[]): Amount => ({
        cpus: amounts.reduce((all, { cpus = 0 }) => all + cpus, 0),
        memory_mb: amounts.reduce((all, { memory_mb = 0 }) => all + memory_mb, 0),
      })
      return {
        pool: sum(engines.map(({ lane }) => lane.pool())),
        used: sum(loads.map(({ used }) => used)),
        waiting: loads.reduce((all, { waiting }) => all + waiting, 0),
      }
    },
    async close() {
      warmer?.close()
      await Promise.all([...opened].map((machine) => machine[Symbol.asyncDispose]()))
      for (const engine of engines) engine.close()
    },
  }
}

/** Keeps a machine among the open ones until it is closed. */
function track(opened: Set<OpenMachine>, machine: OpenMachine): void {
  opened.add(machine)
  const dispose = machine[Symbol.asyncDispose]
  machine[Symbol.asyncDispose] = async () => {
    await dispose()
    opened.delete(machine)
  }
}

async function findPlace(
  engines: readonly MachineEngine[],
  who: string,
  { cpus, memory_mb }: Omit<MachineSizes, 'storage_mb'>,
  signal: AbortSignal,
) {
  try {
    return { ok: true, value: await placeMachine(engines, who, { cpus, memory_mb }, signal) } as const
  } catch (error) {
    if (error instanceof NoEngine) return refusedMachine('unavailable', true, `Docker does not answer: ${error.message}`)
    if (!(error instanceof BeyondPool)) throw error
    const { cpus: most = 0, memory_mb: most_mb = 0 } = error.pool
    const room = `${cpus} CPUs and ${count(memory_mb)} MB of memory is more than this agent has for machines: ${most} CPUs and ${count(most_mb)} MB`
    return refusedMachine('unavailable', false, `A machine of ${room}.`)
  }
}

type Wanted = { spec: MachineSpec; sizes: MachineSizes; network: string; trial: SandboxTrial | undefined; leave(): void }

/** Has the image and what stands beside the machine, and starts it; nothing is left of what does not come up. */
function openAt(engine: MachineEngine, wanted: Wanted, signal: AbortSignal): Promise<Outcome<OpenMachine>> {
  return orUnavailable(engine, signal, async () => {
    const image = await engine.images.have(wanted.spec.image, signal)
    if (!image.ok) return image
    await engine.events.listen()
    if (!wanted.spec.services) return startMachine(engine, { ...wanted, image: image.value, beside: null }, signal)
    const { reach, ...means } = placeOf(engine, wanted)
    const beside = await openServices(engine, { ...means, reach, services: wanted.spec.services, image: image.value }, signal)
    if (!beside.ok) return beside
    const leave = async (): Promise<void> => {
      await beside.value.close()
      wanted.leave()
    }
    let machine: Outcome<OpenMachine> | undefined
    try {
      machine = await startMachine(engine, { ...wanted, image: image.value, beside: beside.value, leave }, signal)
      return machine
    } finally {
      if (!machine?.ok) await beside.value.close()
    }
  })
}

/** What containers of a machine and of the services beside it are called, and what they reach. */
function placeOf(engine: MachineEngine, { spec, sizes, network, trial }: Wanted) {
  return {
    reach: { open: spec.network === 'public', network },
    name: nameOf(trial),
    labels: { ...engine.labels, ...engine.machineLabel, ...(trial ? trialLabelsOf(trial) : {}) },
    storage_mb: sizes.storage_mb,
  }
}

const nameOf = (trial: SandboxTrial | undefined): string =>
  `bench-${trial ? trialName(trial) : 'machine'}-${randomBytes(4).toString('hex')}`

type Starting = Omit<Wanted, 'leave'> & { image: ReadyImage; beside: OpenServices | null; leave(): void | Promise<void> }

/** Starts a machine of an image; what is left of one that does not come up is removed. */
async function startMachine(engine: MachineEngine, wanted: Starting, signal: AbortSignal): Promise<Outcome<OpenMachine>> {
  const { beside, image } = wanted
  const container = await createContainer(engine, wanted)
  try {
    await beside?.prepare(container)
    signal.throwIfAborted()
    await container.start()
    signal.throwIfAborted()
    if (!(await isRunning(container))) {
      const log = await logOf(container)
      await discard(engine, container)
      return refusedMachine('unhealthy', false, `The image's first program ended at once: ${endOf(log) || 'it said nothing'}`)
    }
  } catch (error) {
    await discard(engine, container)
    if (refusalIn(error).status === 400) return refusedMachine('denied', false, `The image does not start: ${refusalIn(error).words}`)
    throw error
  }
  const storage_mb = engine.limitsDisk ? null : wanted.sizes.storage_mb
  const alike = engine.likenesses.of(wanted.spec, image)
  const machine = createMachine({ engine, container, image, storage_mb, alike, leave: wanted.leave }, signal)
  const isRoots = /^(root|0)?(:|$)/.test(wanted.spec.services?.main.user ?? image.user)
  const unmade = await makePlaces({ container, exec: machine.exec }, wanted.spec.places ?? [], isRoots).catch((error: unknown) =>
    String(error),
  )
  if (unmade !== null) {
    await machine[Symbol.asyncDispose]()
    signal.throwIfAborted()
    return refusedMachine('unavailable', true, `The machine did not make its folders: ${endOf(unmade, 500)}`)
  }
  const services = await beside?.stand()
  if (services?.ok) machine.services = services.value
  if (services?.ok === false) {
    await machine[Symbol.asyncDispose]()
    return services
  }
  const { healthcheck } = wanted.spec
  if (healthcheck === null) return { ok: true, value: machine }
  const said = await awaitHealth(healthcheck, machine.exec, {
    now: () => performance.now(),
    wait: (ms) => sleep(ms, undefined, { signal }),
  }).catch((error: unknown) => String(error))
  if (said === null && !signal.aborted) return { ok: true, value: machine }
  const log = await logOf(container)
  await machine[Symbol.asyncDispose]()
  signal.throwIfAborted()
  return refusedMachine('unhealthy', false, `The machine's health check never held: ${said}${log === '' ? '' : `\n${endOf(log, 500)}`}`)
}

function createContainer(engine: MachineEngine, { image, beside, ...wanted }: Starting): Promise<Container> {
  const { spec, sizes, network } = wanted
  const { labels, name } = placeOf(engine, wanted)
  const means = { image: image.id, entrypoint: image.entrypoint, network, labels, joined: beside?.joined ?? null }
  return createLimited(engine, (limitsDisk) => ({ ...machineSettings(spec, sizes, { ...means, limitsDisk }), name }))
}

async function discard(engine: MachineEngine, { id }: Container): Promise<void> {
  if (!(await removeContainer(engine.docker, id).catch(() => false))) engine.left.add(id)
}

/** What the first program of a container said. */
const logOf = (container: Container): Promise<string> =>
  container.logs({ stdout: true, stderr: true, tail: 20 }).then(demultiplexText, () => '')

/** What an engine refuses or does not answer is a failure; the signal's reason is thrown. */
async function orUnavailable<T>(engine: MachineEngine, signal: AbortSignal, work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    const { status, words } = refusalIn(error)
    if (status === null) engine.lost()
    return refusedMachine(/no space left/i.test(words) ? 'disk-full' : 'unavailable', true, `Docker cannot open a machine: ${words}`)
  }
}
