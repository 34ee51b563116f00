import type { MachineImage, TreeFile } from '../../solvers/machine.ts'
import type { MachineService, ServiceAfter, ServiceNetwork } from '../../solvers/machine-services.ts'
import { below } from '../python-text.ts'
import { readEnvFile } from './read-env-file.ts'
import { fileOfTask, readSecrets, type Secrets } from './read-secrets.ts'
import { readVolumes } from './read-volumes.ts'
import { isTable, type Read, readCommand, readCpus, readHealth, readMegabytes, readPairs, readRestart, wrong } from './service-values.ts'

/** What a file says beside the service: folder of the task, volumes and networks at its top, variables, times. */
export type ServiceGiven = {
  isMain: boolean
  context: readonly TreeFile[]
  volumes: ReadonlySet<string>
  /** Whether each reaches only itself. */
  networks: ReadonlyMap<string, { internal: boolean }>
  secrets: Secrets
  variables: ReadonlyMap<string, string>
  build_timeout_ms: number
  pull_timeout_ms: number
}

/** A service as it was read. `image` and `build` as they stand in the file; null in a size: nothing is said. */
export type ReadService = Omit<MachineService, 'image' | 'cpus' | 'memory_mb'> & {
  image: string | null
  build: MachineImage | null
  cpus: number | null
  memory_mb: number | null
}

/** One thing that a service asks for and cannot have. */
export type Refused = { key: string; text: string }

/** Reads a service, its variables filled in already. Everything that it cannot have is told, by its key. */
export function readService(name: string, table: Readonly<Record<string, unknown>>, given: ServiceGiven): [ReadService, Refused[]] {
  const service: ReadService = { ...plain, name }
  const refused: Refused[] = []
  // Variables that the service names itself count before those of its files.
  const told = Object.entries(table).sort(([one], [other]) => Number(other === 'env_file') - Number(one === 'env_file'))
  for (const [key, value] of told) {
    if (meansNothing.has(key) || key.startsWith('x-')) continue
    const read = Object.hasOwn(readers, key) ? readers[key as keyof typeof readers](value, given) : (why[key] ?? cannot)
    if (typeof read === 'string') refused.push({ key, text: read })
    else if (read.ok) Object.assign(service, mergedPart(service, read.value))
    else refused.push({ key, text: read.text })
  }
  return [service, refused]
}

const plain: Omit<ReadService, 'name'> = {
  ...{ image: null, build: null, cpus: null, memory_mb: null, shm_mb: null, command: null, entrypoint: null, env: {}, workdir: null },
  ...{ hostname: null, user: null, tmpfs: {}, read_only: false, init: false, tty: false, restart: { name: 'no', most: 0 }, drops: [] },
  ...{ healthcheck: null, network: { type: 'usual' }, aliases: [], volumes: [], files: [], after: [] },
}

/** What several settings give is added: names in networks (a container's name is one as well), files that are put in place, variables. */
const mergedPart = (service: ReadService, part: Part): Part => ({
  ...part,
  ...(part.aliases && { aliases: [...service.aliases, ...part.aliases] }),
  ...(part.files && { files: [...service.files, ...part.files] }),
  ...(part.env && { env: { ...service.env, ...part.env } }),
})

type Part = Partial<ReadService>

/** Says nothing about a service that machines have to know: ports of the host, which no machine opens, and how it is fetched, told of and ended. */
const meansNothing: ReadonlySet<string> = new Set(
  'annotations attach develop expose labels logging platform ports profiles pull_policy scale_down stdin_open stop_grace_period stop_signal'.split(
    ' ',
  ),
)

const cannot = 'machines here know no such setting'
const why: Readonly<Record<string, string>> = {
  devices: 'no device of a host is given',
  pid: 'a service has processes of its own',
  ipc: 'a service has memory of its own',
  extra_hosts: 'services find each other by name; an address of the host is not given',
  extends: 'write the service out',
  links: 'services find each other by name',
  configs: 'mount files of the task with :ro, or copy them in a Dockerfile',
  gpus: 'machines here have no GPU',
}

/** Docker's own rights for root: naming them gives nothing more. */
const usualRights: ReadonlySet<string> = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(' '),
)
const right = (part: Part): Read<Part> => ({ ok: true, value: part })
const put = <T>(read: Read<T>, part: (value: T) => Part): Read<Part> => (read.ok ? right(part(read.value)) : read)
const texts = (value: unknown): string[] | null => (Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : null)
const named = (key: 'image' | 'hostname' | 'workdir') => (value: unknown) =>
  typeof value === 'string' && value !== '' ? right({ [key]: value }) : wrong(`${JSON.stringify(value)} is no text`)
const truth = (key: 'read_only' | 'init' | 'tty') => (value: unknown) =>
  typeof value === 'boolean' ? right({ [key]: value }) : wrong('it is neither true nor false')

/** How each setting becomes one of a service. */
const readers = {
  image: named('image'),
  build: readBuild,
  command: (value) => put(readCommand(value), (command) => ({ command })),
  entrypoint: (value) => put(readCommand(value), (entrypoint) => ({ entrypoint })),
  environment: (value, { variables }) => put(readPairs(value, variables), (env) => ({ env })),
  env_file: readEnvFiles,
  secrets: readSecrets,
  working_dir: named('workdir'),
  hostname: named('hostname'),
  container_name: (value) => (typeof value === 'string' ? right({ aliases: [value] }) : wrong('it is no text')),
  user: (value) => (['string', 'number'].includes(typeof value) ? right({ user: String(value) }) : wrong('it is no user')),
  read_only: truth('read_only'),
  init: truth('init'),
  tty: truth('tty'),
  restart: (value) => put(readRestart(value), (restart) => ({ restart })),
  cpus: (value) => put(readCpus(value), (cpus) => ({ cpus })),
  mem_limit: (value) => put(readMegabytes(value), (memory_mb) => ({ memory_mb })),
  shm_size: (value) => put(readMegabytes(value), (shm_mb) => ({ shm_mb })),
  mem_reservation: () => right({}),
  deploy: readDeploy,
  healthcheck: (value) => put(readHealth(value), (healthcheck) => ({ healthcheck })),
  depends_on: readAfter,
  volumes: (value, given) => put(readVolumes(value, given), (read) => read),
  tmpfs: (value) => {
    const places = texts([value].flat())
    if (!places?.every((place) => place.startsWith('/'))) return wrong('it is no absolute path')
    return right({ tmpfs: Object.fromEntries(places.map((place) => [place.split(':')[0]!, place.split(':')[1] ?? ''])) })
  },
  network_mode: readNetworkMode,
  networks: readNetworks,
  privileged: (value) => (value === false ? right({}) : wrong('no service has the rights of its host')),
  cap_add: (value) => {
    const more = (texts(value) ?? ['ALL']).filter((one) => !usualRights.has(one.replace(/^CAP_/, '')))
    return more.length === 0 ? right({}) : wrong(`no service gets more rights than others: ${more.join(', ')}`)
  },
  cap_drop: (value) => {
    const drops = texts(value)
    return drops ? right({ drops }) : wrong('it is no list of rights')
  },
  scale: (value) => (Number(value) === 1 ? right({}) : wrong('a service is one container')),
} satisfies Record<string, (value: unknown, given: ServiceGiven) => Read<Part>>

/** Files of variables in their order, each over those before it; one that is not `required` may be absent. */
function readEnvFiles(value: unknown, { context, variables }: ServiceGiven): Read<Part> {
  const env: Record<string, string> = {}
  for (const one of [value].flat()) {
    const { path, required = true, ...more } = isTable(one) ? one : { path: one }
    if (typeof path !== 'string' || Object.keys(more).length > 0) return wrong(`${JSON.stringify(one)} is no path of a file`)
    if (/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(path)) return wrong(`${path} lies outside of the task`)
    const file = fileOfTask(path, context)
    if (file === null && required === false) continue
    if (file === null) return wrong(`there is no file ${path}`)
    const read = readEnvFile(new TextDecoder().decode(file.bytes), new Map([...variables, ...Object.entries(env)]))
    if (!read.ok) return wrong(`${path}: ${read.text}`)
    Object.assign(env, read.value)
  }
  return right({ env })
}

function readBuild(value: unknown, { context, variables, build_timeout_ms }: ServiceGiven): Read<Part> {
  const build = typeof value === 'string' ? { context: value } : isTable(value) ? value : {}
  const { context: folder = '.', dockerfile = 'Dockerfile', args: told, ...more } = build as Readonly<Record<string, unknown>>
  const others = Object.keys(more)
  if (others.length > 0) return wrong(`only context, dockerfile and args are read, not ${others.join(', ')}`)
  const args = readPairs(told, variables)
  if (!args.ok) return wrong(`args: ${args.text}`)
  if (typeof folder !== 'string' || typeof dockerfile !== 'string') return wrong('its context or dockerfile is no text')
  const path = folder.replace(/^(?:\.\/*)+(?=[^.]|$)/, '').replace(/\/+$/, '')
  if (path.startsWith('/') || path.split('/').includes('..')) return wrong(`${folder} is no folder of the task`)
  const files = path === '' ? context : below(context, path)
  const recipe = dockerfile.replace(/^\.\//, '')
  if (!files.some((file) => file.path === recipe)) return wrong(`there is no ${[path, recipe].filter(Boolean).join('/')}`)
  const given = Object.keys(args.value).length > 0 && { args: args.value }
  return right({ build: { type: 'built', context: files, dockerfile: recipe, build_timeout_ms, ...given } })
}

function readDeploy(value: unknown): Read<Part> {
  const { resources = {}, replicas = 1, ...more } = isTable(value) ? value : { it: value }
  const others = Object.keys(more).filter((key) => !['mode', 'labels', 'restart_policy'].includes(key))
  if (others.length > 0 || !isTable(resources)) return wrong(`only resources are read, not ${others.join(', ')}`)
  if (Number(replicas) !== 1) return wrong('a service is one container')
  if (isTable(resources.reservations) && resources.reservations.devices) return wrong('no device of a host is given')
  const { cpus, memory } = isTable(resources.limits) ? resources.limits : {}
  const [processors, room] = [cpus === undefined ? null : readCpus(cpus), memory === undefined ? null : readMegabytes(memory)]
  if (processors && !processors.ok) return processors
  if (room && !room.ok) return room
  return right({ ...(processors?.ok && { cpus: processors.value }), ...(room?.ok && { memory_mb: room.value }) })
}

const conditions = { service_started: 'started', service_healthy: 'healthy', service_completed_successfully: 'completed' } as const

function readAfter(value: unknown): Read<Part> {
  const list = texts(value)
  if (list) return right({ after: list.map((service) => ({ service, condition: 'started' as const, required: true })) })
  if (!isTable(value)) return wrong('it names no services')
  const after: ServiceAfter[] = []
  for (const [service, told] of Object.entries(value)) {
    const { condition = 'service_started', required = true } = isTable(told) ? told : {}
    if (!Object.hasOwn(conditions, String(condition))) return wrong(`${String(condition)} is no condition`)
    after.push({ service, condition: conditions[condition as keyof typeof conditions], required: required !== false })
  }
  return right({ after })
}

function readNetworkMode(value: unknown): Read<Part> {
  const [, service] = /^service:(.+)$/.exec(String(value)) ?? []
  const network: ServiceNetwork | null =
    service !== undefined ? { type: 'of', service } : value === 'none' ? { type: 'none' } : value === 'bridge' ? { type: 'usual' } : null
  return network ? right({ network }) : wrong(`${String(value)}: a service has no network of its host or of other containers`)
}

function readNetworks(value: unknown, { networks }: ServiceGiven): Read<Part> {
  const told = Array.isArray(value)
    ? value.map((name): [string, unknown] => [String(name), null])
    : isTable(value)
      ? Object.entries(value)
      : []
  const read: { name: string; aliases: readonly string[]; internal: boolean }[] = []
  for (const [name, settings] of told) {
    if (name !== 'default' && !networks.has(name)) return wrong(`there is no network ${name}; name it at the top, under networks`)
    const { aliases = [], priority: _, ...more } = isTable(settings) ? settings : {}
    const others = Object.keys(more)
    const names = texts(aliases)
    if (others.length > 0 || !names) return wrong(`of ${name} only aliases are read, not ${others.join(', ')}`)
    read.push({ name, aliases: names, internal: networks.get(name)?.internal ?? false })
  }
  return read.length === 0 ? wrong('it names no networks') : right({ network: { type: 'named', networks: read } })
}
