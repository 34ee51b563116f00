import { parseDocument } from 'yaml'
import type { Healthcheck, MachineImage, TreeFile } from '../../solvers/machine.ts'
import type { MachineService, MachineServices } from '../../solvers/machine-services.ts'
import { fillIn } from './fill-in.ts'
import { machineHealth, orderOf, refuseMain, wrongOrder } from './main-service.ts'
import { readTopSecrets } from './read-secrets.ts'
import { type ReadService, type Refused, readService, type ServiceGiven } from './read-service.ts'
import { hostLogs } from './read-volumes.ts'
import { isTable } from './service-values.ts'

/** The machine of a task as its compose file has it: what is null the file does not say. */
export type ComposeMain = {
  image: MachineImage | null
  env: Readonly<Record<string, string>>
  workdir: string | null
  cpus: number | null
  memory_mb: number | null
  healthcheck: Healthcheck | null
}
export type Compose = { main: ComposeMain; services: MachineServices }
/** `refused`: everything that the file asks for and cannot have, by its dotted key. */
export type ReadCompose = { ok: true; compose: Compose } | { ok: false; refused: readonly [Refused, ...Refused[]] }

/** What a compose file is read with. `env`: variables of `[environment.env]` with their values; `image`: what `docker_image` names. */
export type ComposeGiven = {
  context: readonly TreeFile[]
  env: Readonly<Record<string, string>>
  image: string | null
  cpus: number | null
  memory_mb: number | null
  build_timeout_ms: number
  pull_timeout_ms: number
}

/** What a service beside a machine gets where the file does not say: as much as Harbor gives a machine of which nothing is said. */
const unsaid = { cpus: 1, memory_mb: 2048 }
/** Services of one file, and what stands for the image that the machine is built of. */
const mostServices = 20
const ownImage = 'bench-own-image'

/**
 * Reads a task's `docker-compose.yaml` as Harbor 0.25.0 lays it over its own: `main` is the machine, the others stand beside it. A setting that would give a
 * service something of its host, or that is known to nobody here, is refused by service and key, never left out. Never throws.
 */
export function readCompose(text: string, given: ComposeGiven): ReadCompose {
  const refused: Refused[] = []
  const file = readFile(text, given, refused)
  const [, ...others] = file.services
  const main = file.services[0]!
  refused.push(...refuseMain(main), ...wrongOrder(file.services))
  const built = new Map<string, MachineImage>(file.services.flatMap(({ image, build }) => (image && build ? [[image, build]] : [])))
  const dockerfile = given.context.some(({ path }) => path === 'Dockerfile')
  const own = main.build ?? (given.image === null && main.image === null && dockerfile ? builtHere(given) : null)
  const named = (name: string): MachineImage => ({ type: 'named', name, pull_timeout_ms: given.pull_timeout_ms })
  const imageOf = ({ image, build }: ReadService): MachineImage | null =>
    build ?? (image === null ? null : image === ownImage ? own : (built.get(image) ?? named(image)))
  const services = others.map((service): MachineService | null => {
    const image = imageOf(service)
    if (!image) refused.push({ key: `services.${service.name}`, text: 'it has neither an image nor a build' })
    const { build: _, cpus, memory_mb, ...rest } = service
    return image && { ...rest, image, cpus: cpus ?? unsaid.cpus, memory_mb: memory_mb ?? unsaid.memory_mb }
  })
  const image = given.image !== null && main.image === null ? named(given.image) : (imageOf(main) ?? own)
  if (!image) refused.push({ key: 'services.main', text: 'there is neither an image nor a Dockerfile for it' })
  const [first, ...more] = refused
  if (first) return { ok: false, refused: [first, ...more] }
  const { env, workdir, cpus, memory_mb, network, aliases, volumes, files, after, user } = main
  return {
    ok: true,
    compose: {
      main: { image, env, workdir, cpus, memory_mb, healthcheck: main.healthcheck && machineHealth(main.healthcheck) },
      services: {
        main: { network, aliases, volumes, files, after, user },
        others: orderOf(services.filter((one) => one !== null)),
        start_timeout_ms: given.build_timeout_ms,
      },
    },
  }
}

const builtHere = ({ context, build_timeout_ms }: ComposeGiven): MachineImage => ({
  type: 'built',
  context,
  dockerfile: 'Dockerfile',
  build_timeout_ms,
})

/** The services of a file, `main` first, whether it is in the file or not. */
function readFile(text: string, given: ComposeGiven, refused: Refused[]): { services: readonly ReadService[] } {
  const nothing = (why: string) => {
    refused.push({ key: 'services', text: why })
    return {
      services: [
        readService(
          'main',
          {},
          { ...given, isMain: true, ...{ volumes: new Set(), networks: new Map() }, ...{ secrets: new Map(), variables: new Map() } },
        )[0],
      ],
    }
  }
  const document = parseDocument(text, { schema: 'core', merge: true, logLevel: 'silent' })
  if (document.errors.length > 0) return nothing(document.errors[0]?.message.split('\n')[0] ?? 'it is no YAML')
  let file: unknown
  try {
    file = document.toJS({ maxAliasCount: 1000 })
  } catch (cause) {
    return nothing((cause as Error).message)
  }
  if (!isTable(file) || !isTable(file.services)) return nothing('there are none')
  for (const key of Object.keys(file))
    if (!['services', 'version', 'name', 'volumes', 'networks', 'secrets'].includes(key) && !key.startsWith('x-'))
      refused.push({ key, text: 'machines here know no such setting' })
  const networks = topLevel(file.networks, 'networks', ['labels', 'name', 'internal', 'attachable'], refused)
  const variables = variablesOf(given)
  const secrets = filled(file.secrets, variables, 'secrets', refused)
  const around: Omit<ServiceGiven, 'isMain'> = {
    ...given,
    variables,
    secrets: readTopSecrets(secrets, { ...given, variables }),
    volumes: new Set(topLevel(file.volumes, 'volumes', ['labels', 'name'], refused).keys()),
    networks: new Map([...networks].map(([name, settings]) => [name, { internal: settings.internal === true }])),
  }
  const tables = Object.entries(file.services).filter(
    ([, table]) => !(isTable(table) && Array.isArray(table.profiles) && table.profiles.length > 0),
  )
  if (tables.length > mostServices) return nothing(`there are more than ${mostServices}`)
  const read = tables.map(([name, table]) => {
    const at = `services.${name}`
    const whole = /^[A-Za-z0-9][\w.-]{0,62}$/.test(name) && isTable(table) ? filled(table, around.variables, at, refused) : null
    if (whole === null) refused.push({ key: at, text: 'it is no service' })
    const [service, why] = readService(name, isTable(whole) ? whole : {}, { ...around, isMain: name === 'main' })
    refused.push(...why.map((one) => ({ ...one, key: `${at}.${one.key}` })))
    return service
  })
  const main = read.find(({ name }) => name === 'main') ?? readService('main', {}, { ...around, isMain: true })[0]
  return { services: [main, ...read.filter(({ name }) => name !== 'main')] }
}

type Settings = Readonly<Record<string, unknown>>

/** Volumes or networks at a file's top, by name. One that lies outside the episode is refused. */
function topLevel(value: unknown, key: 'volumes' | 'networks', harmless: readonly string[], refused: Refused[]): Map<string, Settings> {
  for (const [name, settings] of isTable(value) ? Object.entries(value) : [])
    for (const [setting, told] of isTable(settings) ? Object.entries(settings) : []) {
      const usual = setting === 'driver' ? told === (key === 'volumes' ? 'local' : 'bridge') : harmless.includes(setting)
      if (!usual && told !== false) refused.push({ key: `${key}.${name}.${setting}`, text: 'it would lie outside of the episode' })
    }
  return new Map(isTable(value) ? Object.entries(value).map(([name, settings]) => [name, isTable(settings) ? settings : {}]) : [])
}

/** A value of the file with the variables in its texts filled in. */
function filled(value: unknown, variables: ReadonlyMap<string, string>, at: string, refused: Refused[]): unknown {
  if (typeof value === 'string') {
    const text = fillIn(value, variables)
    if (!text.ok) refused.push({ key: at, text: text.text })
    return text.text
  }
  if (Array.isArray(value)) return value.map((one, index) => filled(one, variables, `${at}[${index}]`, refused))
  if (!isTable(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, variables, `${at}.${key}`, refused)]))
}

/** Variables of a compose file: the task's own, and Harbor's, which count before them. */
const variablesOf = ({ env, image, cpus, memory_mb }: ComposeGiven): Map<string, string> =>
  new Map([
    ...Object.entries(env),
    ...Object.entries({
      CONTEXT_DIR: '.',
      MAIN_IMAGE_NAME: ownImage,
      ...(image !== null && { PREBUILT_IMAGE_NAME: image }),
      ...(cpus !== null && { CPUS: String(cpus) }),
      ...(memory_mb !== null && { MEMORY: `${memory_mb}M` }),
    }),
    ...(['verifier', 'agent', 'artifacts'] as const).flatMap((what): [string, string][] => {
      const name = what === 'artifacts' ? 'ARTIFACTS' : `${what.toUpperCase()}_LOGS`
      return [
        [`HOST_${name}_PATH`, `${hostLogs}/${what}`],
        [`ENV_${name}_PATH`, `/logs/${what}`],
      ]
    }),
  ])
