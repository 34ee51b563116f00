import { hostname } from 'node:os'
import { join } from 'node:path'
import { sourceVersion } from '#fleet/source-version.ts'
import { type ListedModel, writtenModel } from '#shared/providers/listed-model.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { fleetProgram, type Secrets } from './data-dir.ts'
import type { HostConfig } from './host.ts'
import { isOpen, ownNames } from './listen.ts'
import type { Machine } from './machine.ts'
import type { PartSpec } from './part.ts'
import type { Settings } from './settings.ts'

export type DatabaseAddress = { url: string; endpoint_url: string }

/** Everything the parts are started with; addresses are filled in as the parts before them come up. */
export type Plan = {
  settings: Settings
  secrets: Secrets
  url: string
  database: DatabaseAddress
  machine: Machine
  providers: KeyedProvider[]
  env: NodeJS.ProcessEnv
  /** The fake identity provider; null if users sign in at Chutes or not at all. */
  fakeIdp: FakeIdp | null
  /** Asks the providers again for their lists of models, for `waitMs` at most. */
  listAgain?(waitMs: number): Promise<KeyedProvider[]>
}

/** URL of the fake identity provider and the client secret of this service. */
export type FakeIdp = { url: string; secret: string }
/** Client id of this service at the fake identity provider. */
const fakeClientId = 'cid_this_machine'

const signInNames = ['CHUTES_CLIENT_ID', 'CHUTES_CLIENT_SECRET', 'CHUTES_IDP_URL', 'FRONTEND_URL'] as const
const accessNames = [
  'CHUTES_KEY_URL',
  'CHUTES_ANY_KEY',
  'CORS_ORIGINS',
  'MAX_TRIALS_PER_RUN',
  'MAX_OPEN_RUNS_PER_OWNER',
  'BENCH_OPERATOR_PAYS_USD_PER_DAY',
  'BENCH_OWN_PROVIDER_URLS',
] as const

const drainMs = 32_000

export type DatabasePorts = { postgres: number; endpoint: number }

/** The ports are fixed for the supervisor's life, so that everybody finds a restarted database where it was. */
export function databaseSpec(settings: Settings, ports: DatabasePorts, env: NodeJS.ProcessEnv): PartSpec {
  return {
    name: 'database',
    file: join(import.meta.dirname, 'database.ts'),
    env: {
      ...withoutSecrets(env),
      BENCH_DATA: settings.dataDir,
      BENCH_POSTGRES_PORT: String(ports.postgres),
      BENCH_ENDPOINT_PORT: String(ports.endpoint),
    },
    stopMs: 15_000,
  }
}

export function demoSpec(settings: Settings, port: number, env: NodeJS.ProcessEnv): PartSpec {
  return {
    name: 'demo',
    file: fleetProgram(settings.dataDir, 'demo-model'),
    env: { ...withoutSecrets(env), BENCH_DATA: settings.dataDir, BENCH_DEMO_PORT: String(port) },
    stopMs: 2_000,
  }
}

export function fakeIdpSpec(settings: Settings, { url, secret }: FakeIdp, env: NodeJS.ProcessEnv): PartSpec {
  const own = { CHUTES_CLIENT_ID: fakeClientId, BENCH_FAKE_IDP_SECRET: secret, BENCH_FAKE_IDP_PORT: new URL(url).port }
  return {
    name: 'sign-in',
    file: join(settings.root, 'edge', 'local', 'serve-fake-idp.ts'),
    env: { ...withoutSecrets(env), ...own },
    stopMs: 2_000,
  }
}

export function edgeSpec(plan: Plan): PartSpec {
  const { settings } = plan
  const config: HostConfig = {
    server_dir: join(settings.root, 'dist', 'server'),
    data_dir: settings.dataDir,
    port: settings.port,
    host: settings.host,
    hosts: [...hostsOf(plan.env.PUBLIC_URL), ...ownNames(settings.host, settings.port, hostname())],
    bindings: edgeBindings(plan),
  }
  return {
    name: 'edge',
    file: join(import.meta.dirname, 'host.ts'),
    env: { ...withoutSecrets(plan.env), BENCH_HOST: JSON.stringify(config) },
    answer: async ({ wait_ms }) => publicProviders((await plan.listAgain?.(Number(wait_ms))) ?? plan.providers, writtenModel),
    stopMs: 10_000,
  }
}

export function agentSpec(plan: Plan, isReady: PartSpec['isReady']): PartSpec {
  const { settings, secrets } = plan
  return {
    name: 'agent',
    file: fleetProgram(settings.dataDir, 'agent'),
    env: {
      ...plan.env,
      BENCH_EDGE_URL: plan.url,
      BENCH_AGENT_TOKEN: secrets.agent_token,
      BENCH_DATA: settings.dataDir,
      BENCH_PROVIDERS: JSON.stringify(plan.providers.map((provider) => ({ ...provider, models: [] }))), // an agent asks what it is told to
      // glibc keeps a heap for each thread that allocates; two for all of them are 12 MiB less, and nothing waits for another.
      MALLOC_ARENA_MAX: plan.env.MALLOC_ARENA_MAX || '2',
      // Its log is a file that people open.
      BENCH_LOG: plan.env.BENCH_LOG || 'plain',
      VERSION: sourceVersion(settings.root).version,
    },
    isReady,
    stopMs: drainMs,
  }
}

/** The `name:port` of a configured public address: visitors may use it besides loopback names. */
function hostsOf(publicUrl = ''): string[] {
  if (!URL.canParse(publicUrl)) return []
  const { hostname, port, protocol } = new URL(publicUrl)
  return [`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`]
}

/** What the Worker gets as `env`, all text. The names are those a deployment sets with `wrangler secret put` and `vars`. */
export function edgeBindings(plan: Plan): Record<string, string> {
  const { settings, secrets, env } = plan
  const optional = [
    'MAINTENANCE_MODE',
    'MAINTENANCE_MESSAGE',
    'CHUTES_MODELS_API_URL',
    'CHUTES_API_BASE_URL',
    ...accessNames,
    ...signInNames,
  ] as const
  return {
    LOCAL: '1',
    // An open service has several addresses: each visitor is told his own.
    PUBLIC_URL: env.PUBLIC_URL || (isOpen(settings.host) ? '' : plan.url),
    VERSION: sourceVersion(settings.root).version,
    DATABASE_URL: plan.database.url,
    NEON_ENDPOINT: plan.database.endpoint_url,
    AGENT_TOKEN: secrets.agent_token,
    MASTER_KEY: secrets.master_key,
    ADMIN_SECRET: env.ADMIN_SECRET || secrets.admin_secret,
    BENCH_SIGNING_PRIVATE_KEY: env.BENCH_SIGNING_PRIVATE_KEY || secrets.signing_seed,
    PROVIDERS: toldProviders(plan.providers),
    DATA_OVERRIDES: JSON.stringify(plan.machine.overrides),
    SAMPLES: JSON.stringify(plan.machine.samples),
    ...Object.fromEntries(optional.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
    ...(plan.fakeIdp && signInAt(plan.fakeIdp)),
  }
}

const signInAt = ({ url, secret }: FakeIdp): Record<string, string> => ({
  CHUTES_CLIENT_ID: fakeClientId,
  CHUTES_CLIENT_SECRET: secret,
  CHUTES_IDP_URL: url,
})

/** So much one variable of a process may hold beside what else is in it; Linux ends at 128 KiB. */
const mostProviderChars = 60_000

/** The providers without their keys and headers. What is known of models is told as long as a variable can hold it; their names always are. */
export function toldProviders(providers: readonly KeyedProvider[]): string {
  const write = (each: (model: ListedModel) => unknown): string => JSON.stringify(publicProviders(providers, each))
  const told = write(writtenModel)
  return told.length <= mostProviderChars ? told : write(({ id }) => id)
}

const publicProviders = (providers: readonly KeyedProvider[], each: (model: ListedModel) => unknown): object[] =>
  providers.map(({ api_key: _, headers: _headers, models, ...provider }) => ({ ...provider, models: models.map(each) }))

/** Parts that call no provider do not get keys: nothing of them can end up in a crash report or a process listing. */
function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/KEY|TOKEN|SECRET|PASSWORD|BENCH_PROVIDERS/i.test(name)))
}
