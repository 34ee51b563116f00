import type { Healthcheck } from '../../solvers/machine.ts'
import type { MachineService, ServiceHealth } from '../../solvers/machine-services.ts'
import type { ReadService, Refused } from './read-service.ts'

/** Commands that do nothing for ever: a machine is kept alive anyway. */
const sleeps =
  /^(?:(?:\/bin\/)?(?:ba)?sh -l?c )?(?:exec )?(?:sleep (?:infinity|\d+[smhd]?)|tail -f \/dev\/null|while true; ?do sleep \d+[smhd]?; ?done)$/

/** What `main` asks for that a machine in which somebody works is not. */
export function refuseMain(main: ReadService): Refused[] {
  const refused: Refused[] = []
  const refuse = (key: string, text: string): void => void refused.push({ key: `services.main.${key}`, text })
  if (main.command !== null && !sleeps.test(main.command.join(' ').trim()))
    refuse('command', 'the machine is kept alive by a program that sleeps: start others in the image, or beside it as a service')
  if (main.entrypoint !== null) refuse('entrypoint', 'a machine begins as its image says: write it in the Dockerfile')
  if (main.network.type === 'none') refuse('network_mode', 'write network_mode = "no-network" in [environment]')
  if (main.restart.name !== 'no') refuse('restart', 'a machine that ended is not the one that was worked in')
  for (const key of ['read_only', 'init', 'tty'] as const)
    if (main[key]) refuse(key, 'a machine has a disk, a first program and terminals of its own')
  if (main.hostname !== null) refuse('hostname', 'name the machine under networks, as an alias')
  if (main.shm_mb !== null) refuse('shm_size', 'a machine has the shared memory that Docker gives')
  if (Object.keys(main.tmpfs).length > 0) refuse('tmpfs', 'a machine has its disk')
  if (main.drops.length > 0) refuse('cap_drop', 'a machine has the rights that all machines have')
  if (main.after.some(({ service }) => service === 'main')) refuse('depends_on', 'it waits for itself')
  return refused
}

/** A compose file's check of `main`, as machines are asked for their health. Compose's own times where it says none. */
export function machineHealth(health: ServiceHealth): Healthcheck | null {
  const [kind, ...words] = health.test
  if (kind === undefined || kind === 'NONE') return null
  const interval_ms = health.interval_ms ?? 30_000
  return {
    command: kind === 'CMD-SHELL' ? words.join(' ') : words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' '),
    interval_ms,
    timeout_ms: health.timeout_ms ?? 30_000,
    start_period_ms: health.start_period_ms ?? 0,
    start_interval_ms: health.start_interval_ms ?? Math.min(5000, interval_ms),
    retries: health.retries ?? 3,
  }
}

type Waiting = Pick<MachineService, 'name' | 'after' | 'network'>

/** Whom a service must not begin before: those that it waits for, and whose network it shares. */
const before = ({ after, network }: Waiting): string[] => [
  ...after.map(({ service }) => service),
  ...(network.type === 'of' ? [network.service] : []),
]

/** Waiting that never ends, or for whom nobody knows. */
export function wrongOrder(services: readonly Waiting[]): Refused[] {
  const names = new Set(services.map(({ name }) => name))
  const unknown = services.flatMap(({ name, after, network }) => [
    ...after.filter(({ service, required }) => required && !names.has(service)).map(({ service }) => told(name, 'depends_on', service)),
    ...(network.type === 'of' && !names.has(network.service) ? [told(name, 'network_mode', network.service)] : []),
  ])
  const healthy = services.flatMap(({ name, after }) =>
    after.some(({ service, condition }) => service === 'main' && condition !== 'started')
      ? [{ key: `services.${name}.depends_on`, text: 'of main a service can wait for its begin alone' }]
      : [],
  )
  const circle = orderOf(services).length < services.length && unknown.length === 0
  return [...unknown, ...healthy, ...(circle ? [{ key: 'services', text: 'they wait for each other in a circle' }] : [])]
}

const told = (name: string, key: string, service: string): Refused => ({
  key: `services.${name}.${key}`,
  text: `there is no service ${service}`,
})

/** Services so that each comes after those that it waits for; those of a circle are left out. Others than these count as there. */
export function orderOf<T extends Waiting>(services: readonly T[]): T[] {
  const names = new Set(services.map(({ name }) => name))
  const ordered: T[] = []
  const there = new Set<string>()
  for (let left = [...services]; left.length > 0; ) {
    const next = left.filter((one) => before(one).every((name) => there.has(name) || !names.has(name)))
    if (next.length === 0) break
    for (const one of next) there.add(one.name)
    ordered.push(...next)
    left = left.filter((one) => !next.includes(one))
  }
  return ordered
}
