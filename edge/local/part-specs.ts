import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Secrets } from './data-dir.ts'
import type { HostConfig } from './host.ts'
import type { PartSpec } from './part.ts'
import type { LocalProvider } from './providers.ts'
import type { Settings } from './settings.ts'

export type DatabaseAddress = { url: string; endpoint_url: string }
/** Identities of samples and overrides, as `fleet/cli/data-identities.ts` prints them: the Worker cannot read files. */
export type Identities = { samples: unknown; overrides: unknown }

/** Everything the parts are started with; addresses are filled in as the parts before them come up. */
export type Plan = {
  settings: Settings
  secrets: Secrets
  url: string
  database: DatabaseAddress
  identities: Identities
  providers: LocalProvider[]
  env: NodeJS.ProcessEnv
}

const drainMs = 32_000

export function databaseSpec(settings: Settings, env: NodeJS.ProcessEnv, onReady: PartSpec['onReady']): PartSpec {
  return {
    name: 'database',
    onReady,
    file: join(import.meta.dirname, 'database.ts'),
    env: () => ({ ...withoutSecrets(env), BENCH_DATA: settings.dataDir }),
    stopMs: 15_000,
  }
}

export function demoSpec(settings: Settings, port: number, env: NodeJS.ProcessEnv): PartSpec {
  return {
    name: 'demo',
    file: join(settings.root, 'fleet', 'cli', 'demo-model.ts'),
    env: () => ({ ...withoutSecrets(env), BENCH_DEMO_PORT: String(port) }),
    stopMs: 2_000,
  }
}

export function edgeSpec(plan: Plan): PartSpec {
  const { settings } = plan
  return {
    name: 'edge',
    file: join(import.meta.dirname, 'host.ts'),
    env: () => {
      const config: HostConfig = {
        server_dir: join(settings.root, 'dist', 'server'),
        data_dir: settings.dataDir,
        port: settings.port,
        bindings: edgeBindings(plan),
      }
      return { ...withoutSecrets(plan.env), BENCH_HOST: JSON.stringify(config) }
    },
    stopMs: 10_000,
  }
}

export function agentSpec(plan: Plan, isReady: PartSpec['isReady']): PartSpec {
  const { settings, secrets } = plan
  return {
    name: 'agent',
    file: join(settings.root, 'fleet', 'main.ts'),
    env: () => ({
      ...plan.env,
      BENCH_EDGE_URL: plan.url,
      BENCH_AGENT_TOKEN: secrets.agent_token,
      BENCH_DATA: settings.dataDir,
      BENCH_PROVIDERS: JSON.stringify(plan.providers),
    }),
    isReady,
    stopMs: drainMs,
  }
}

/** What the Worker gets as `env`, all text. The names are those a deployment sets with `wrangler secret put` and `vars`. */
export function edgeBindings(plan: Plan): Record<string, string> {
  const { settings, secrets, env } = plan
  const optional = ['MAINTENANCE_MODE', 'MAINTENANCE_MESSAGE', 'CHUTES_MODELS_API_URL', 'CHUTES_API_BASE_URL'] as const
  return {
    LOCAL: '1',
    VERSION: versionOf(settings.root),
    PUBLIC_URL: plan.url,
    DATABASE_URL: plan.database.url,
    NEON_ENDPOINT: plan.database.endpoint_url,
    AGENT_TOKEN: secrets.agent_token,
    MASTER_KEY: secrets.master_key,
    ADMIN_SECRET: env.ADMIN_SECRET || secrets.admin_secret,
    BENCH_SIGNING_PRIVATE_KEY: env.BENCH_SIGNING_PRIVATE_KEY || secrets.signing_seed,
    PROVIDERS: JSON.stringify(plan.providers.map(({ api_key: _, ...provider }) => provider)),
    DATA_OVERRIDES: JSON.stringify(plan.identities.overrides),
    SAMPLES: JSON.stringify(plan.identities.samples),
    ...Object.fromEntries(optional.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
  }
}

export function versionOf(root: string): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version
}

/** Parts that call no provider do not get keys: nothing of them can end up in a crash report or a process listing. */
function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/KEY|TOKEN|SECRET|PASSWORD/i.test(name)))
}
