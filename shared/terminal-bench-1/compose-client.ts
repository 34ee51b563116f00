import * as z from 'zod'
import { readPythonYaml } from './python-yaml.ts'

/** What harness variables stand for in a task's compose file. Logs are kept by other means, so that nothing of the host is needed. */
const variables: Readonly<Record<string, string>> = {
  T_BENCH_TASK_DOCKER_CLIENT_CONTAINER_NAME: 'client',
  T_BENCH_TASK_DOCKER_CLIENT_IMAGE_NAME: 'client',
  T_BENCH_TASK_DOCKER_NAME_PREFIX: 'task',
  T_BENCH_CONTAINER_LOGS_PATH: '/logs',
  T_BENCH_CONTAINER_AGENT_LOGS_PATH: '/agent-logs',
  T_BENCH_TEST_DIR: '/tests',
}
/** A volume that the harness reads logs from, as compose files write it. */
const logVolume = (host: string, inside: string): string => `\${T_BENCH_${host}}:\${T_BENCH_${inside}}`
const logVolumes: ReadonlySet<string> = new Set([
  logVolume('TASK_LOGS_PATH', 'CONTAINER_LOGS_PATH'),
  logVolume('TASK_AGENT_LOGS_PATH', 'CONTAINER_AGENT_LOGS_PATH'),
])

/**
 * The service `client` of a task's compose file as one machine. `context`: the folder that its image is built from, from the task's root, '' for that; null in a
 * size: nothing is said. `beyond`: what the file asks for that one machine alone is not, in words.
 */
export type ComposeClient = {
  context: string
  dockerfile: string
  env: Readonly<Record<string, string>>
  workdir: string | null
  cpus: number | null
  memory_mb: number | null
  beyond: readonly string[]
}
export type ReadCompose = { ok: true; client: ComposeClient } | { ok: false; text: string }

const Compose = z.looseObject({ services: z.record(z.string(), z.looseObject({})) })
const Build = z.union([
  z.string().transform((context) => ({ context, dockerfile: 'Dockerfile', more: [] as string[] })),
  z.looseObject({ context: z.string().default('.'), dockerfile: z.string().default('Dockerfile') }).transform((build) => ({
    context: build.context,
    dockerfile: build.dockerfile,
    more: Object.keys(build).filter((key) => key !== 'context' && key !== 'dockerfile'),
  })),
])
const Scalar = z.union([z.string(), z.number(), z.boolean()]).nullable()
const Environment = z.union([z.array(z.string()), z.record(z.string(), Scalar)])
const Limits = z.object({ cpus: z.union([z.number(), z.string()]).optional(), memory: z.union([z.number(), z.string()]).optional() })
const Deploy = z.strictObject({ resources: z.strictObject({ limits: Limits.optional(), reservations: z.unknown().optional() }).optional() })

/** Says nothing about a machine: what it is called, that it sleeps, ports of the host, and what a terminal is given anyway. */
const needless = [
  'image',
  'container_name',
  'ports',
  'expose',
  'tty',
  'stdin_open',
  'init',
  'restart',
  'hostname',
  'version',
  'pull_policy',
]

/** Reads a task's `docker-compose.yaml`. Never throws. */
export function readComposeClient(text: string): ReadCompose {
  const yaml = readPythonYaml(text)
  if (!yaml.ok) return yaml
  const file = Compose.safeParse(yaml.value)
  if (!file.success) return { ok: false, text: 'it has no services' }
  const names = Object.keys(file.data.services)
  const name = names.includes('client') ? 'client' : names[0]
  if (name === undefined) return { ok: false, text: 'it has no services' }
  const others = names.filter((one) => one !== name)
  const top = Object.keys(file.data).filter((key) => !['services', 'version', 'name'].includes(key))
  const read = readService(file.data.services[name] ?? {})
  const beyond = [...(others.length > 0 ? [`services ${others.join(', ')}`] : []), ...top, ...read.beyond]
  return { ok: true, client: { ...read, beyond } }
}

function readService(service: Readonly<Record<string, unknown>>): ComposeClient {
  const client = { context: '', dockerfile: 'Dockerfile', env: {}, workdir: null, cpus: null, memory_mb: null } as Omit<
    ComposeClient,
    'beyond'
  >
  const beyond: string[] = []
  for (const [key, value] of Object.entries(service)) {
    const part = needless.includes(key) ? {} : Object.hasOwn(readers, key) ? readers[key as keyof typeof readers](value) : null
    if (part === null) beyond.push(key)
    else Object.assign(client, part)
  }
  if (service.build === undefined) beyond.push('image')
  return { ...client, beyond }
}

type Part = Partial<Omit<ComposeClient, 'beyond'>>

/** How each setting of a service becomes one of a machine; null where it does not. */
const readers = {
  build(value: unknown): Part | null {
    const build = Build.safeParse(value)
    if (!build.success || build.data.more.length > 0) return null
    const context = build.data.context.replace(/^\.\/?/, '').replace(/\/+$/, '')
    return context.startsWith('/') || context.startsWith('.') || context.includes('..')
      ? null
      : { context, dockerfile: build.data.dockerfile }
  },
  // Every image of the first Terminal-Bench is kept alive by such a command; a machine is kept alive anyway.
  command: (value: unknown): Part | null => (/^(?:sh -c |bash -c )?"?sleep infinity"?$/.test([value].flat().join(' ')) ? {} : null),
  platform: (value: unknown): Part | null => (value === 'linux/amd64' ? {} : null),
  volumes: (value: unknown): Part | null => ([value].flat().every((one) => logVolumes.has(String(one))) ? {} : null),
  environment(value: unknown): Part | null {
    const told = Environment.safeParse(value)
    if (!told.success) return null
    const pairs = Array.isArray(told.data)
      ? told.data.map((line) => [line.split('=', 1)[0]!, line.includes('=') ? line.slice(line.indexOf('=') + 1) : null] as const)
      : Object.entries(told.data)
    const filled = pairs.map(([name, text]) => [name, text === null ? null : filledIn(String(text))] as const)
    // A name alone is a variable of whoever runs the harness.
    return filled.some(([, text]) => text === null) ? null : { env: Object.fromEntries(filled) as Record<string, string> }
  },
  working_dir: (value: unknown): Part | null => (typeof value === 'string' && value.startsWith('/') ? { workdir: value } : null),
  cpus: (value: unknown): Part | null => cpusOf(value),
  mem_limit: (value: unknown): Part | null => memoryOf(value),
  deploy(value: unknown): Part | null {
    const told = Deploy.safeParse(value)
    if (!told.success) return null
    const { cpus, memory } = told.data.resources?.limits ?? {}
    const [processors, room] = [cpus === undefined ? {} : cpusOf(cpus), memory === undefined ? {} : memoryOf(memory)]
    return processors && room && { ...processors, ...room }
  },
} satisfies Record<string, (value: unknown) => Part | null>

function cpusOf(value: unknown): Part | null {
  const cpus = Number(value)
  return Number.isFinite(cpus) && cpus > 0 ? { cpus } : null
}

const units: Readonly<Record<string, number>> = { '': 1, b: 1, k: 2 ** 10, kb: 2 ** 10, m: 2 ** 20, mb: 2 ** 20, g: 2 ** 30, gb: 2 ** 30 }

function memoryOf(value: unknown): Part | null {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(String(value)) ?? []
  const factor = units[unit.toLowerCase()]
  return amount === '' || factor === undefined ? null : { memory_mb: Math.ceil((Number(amount) * factor) / 2 ** 20) }
}

/** A text with the harness's variables filled in; null where it holds others. */
function filledIn(text: string): string | null {
  let unknown = false
  const filled = text.replace(/\$(?:\$|\{(\w+)\}|(\w+)|\{)/g, (all, braced?: string, bare?: string) => {
    if (all === '$$') return '$'
    const value = variables[braced ?? bare ?? '']
    if (value === undefined) unknown = true
    return value ?? all
  })
  return unknown ? null : filled
}
