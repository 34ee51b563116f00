import * as z from 'zod'
import { DataIdentity } from '#shared/contract/run.ts'
import { openSigningKey } from '#shared/export/signing-key.ts'
import { ConfiguredProviders } from '#shared/providers/provider.ts'
import { OtlpEnv, otlpTarget } from '#shared/telemetry/otlp-target.ts'
import { accessVariables, readAccess } from './access-config.ts'
import { parseMasterKeys } from './auth/seal.ts'
import { operatorPaysVariables, readOperatorPays } from './budgets/operator-pays.ts'
import { buildCommit, buildVersion } from './build-version.ts'
import type { EdgeConfig, Fault } from './deps.ts'
import type { Env } from './objects/env.ts'
import { readSignIn, signInVariables } from './sign-in/sign-in-config.ts'

const Identities = z.record(z.string(), DataIdentity)

/** Configuration of this deployment. What is missing or does not read turns off one thing and is among `faults`; nothing throws. */
export function readConfig(env: Partial<Env>): EdgeConfig {
  return {
    version: env.VERSION || buildVersion,
    commit: buildCommit,
    local: env.LOCAL === '1',
    public_url: env.PUBLIC_URL ?? '',
    admin_secret: env.ADMIN_SECRET || null,
    agent_token: env.AGENT_TOKEN || null,
    maintenance: {
      mode: env.MAINTENANCE_MODE === 'true',
      message: env.MAINTENANCE_MESSAGE ?? 'New runs are paused for maintenance. Runs under way go on.',
    },
    providers: parsed(ConfiguredProviders, env.PROVIDERS) ?? [],
    access: readAccess(env),
    sign_in: readSignIn(env),
    operator_pays_usd: readOperatorPays(env),
    chutes: {
      catalogue_url: env.CHUTES_MODELS_API_URL ?? 'https://api.chutes.ai',
      llm_url: env.CHUTES_API_BASE_URL ?? 'https://llm.chutes.ai/v1',
    },
    otlp: readOtlp(env),
    faults: faultsOf(env),
  }
}

/** Data identities of a JSON variable by benchmark; none where it does not read. */
export function readIdentities(text: string | undefined): Record<string, DataIdentity> {
  return parsed(Identities, text) ?? {}
}

type Variable = { off: string; needed: boolean; check(text: string, env: Partial<Env>): void }

const variables: Partial<Record<keyof Env, Variable>> = {
  DATABASE_URL: { off: 'everything that needs the record', needed: true, check: (text) => checkPostgres(text) },
  MASTER_KEY: { off: 'runs paid for with the bearer key of a Chutes account', needed: true, check: (text) => void parseMasterKeys(text) },
  AGENT_TOKEN: {
    off: 'agents that join with the shared token; a key with the scope agents:join still works',
    needed: true,
    check: atLeast(16),
  },
  ADMIN_SECRET: { off: 'admin calls, and with them the making of keys', needed: true, check: atLeast(16) },
  BENCH_SIGNING_PRIVATE_KEY: { off: 'signed ZIP exports', needed: true, check: (text) => void openSigningKey(text) },
  PROVIDERS: { off: 'models, and with them the start of runs', needed: true, check: (text) => checkJson(ConfiguredProviders, text) },
  SAMPLES: { off: 'sample rows', needed: false, check: (text) => checkJson(Identities, text) },
  DATA_OVERRIDES: { off: "operators' own data", needed: false, check: (text) => checkJson(Identities, text) },
  PUBLIC_URL: { off: 'links to this service by its own address', needed: false, check: (text) => void new URL(text) },
  OTEL_EXPORTER_OTLP_ENDPOINT: { off: 'the push of metrics', needed: false, check: checkOtlp('OTEL_EXPORTER_OTLP_ENDPOINT') },
  OTEL_EXPORTER_OTLP_HEADERS: { off: 'the push of metrics', needed: false, check: checkOtlp('OTEL_EXPORTER_OTLP_HEADERS') },
  ...accessVariables,
  ...signInVariables,
  ...operatorPaysVariables,
}

/** What is wrong with the variables, without repeating any of their text. */
function faultsOf(env: Partial<Env>): Fault[] {
  return Object.entries(variables).flatMap(([name, { off, needed, check }]): Fault[] => {
    const text = env[name as keyof Env] as string | undefined // only text variables are named above
    if (!text?.trim()) return needed ? [{ variable: name, detail: 'is not set', off }] : []
    try {
      check(text, env)
      return []
    } catch (error) {
      return [{ variable: name, detail: `does not read: ${error instanceof Error ? error.message : 'unknown'}`, off }]
    }
  })
}

function atLeast(length: number) {
  return (text: string) => {
    if (text.length < length) throw new Error(`it needs ${length} characters at least`)
  }
}

function checkOtlp(name: 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_HEADERS') {
  return (text: string) => {
    if (!OtlpEnv.shape[name].safeParse(text).success) throw new Error('it does not fit')
  }
}

/** Where metrics are pushed; nowhere if a variable does not read. */
function readOtlp(env: Partial<Env>): EdgeConfig['otlp'] {
  const { data } = OtlpEnv.safeParse(env)
  return data ? otlpTarget(data) : null
}

function checkPostgres(text: string): void {
  if (!/^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? '')) throw new Error('it is no postgres:// address')
}

function checkJson(schema: z.ZodType, text: string): void {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new Error('it is no JSON', { cause }) // the parser's own sentence repeats the text
  }
  const { error } = schema.safeParse(json)
  if (error) throw new Error(error.issues.map((issue) => `${issue.path.join('.') || 'it'}: ${issue.message}`).join('; '))
}

function parsed<T>(schema: z.ZodType<T>, text: string | undefined): T | undefined {
  try {
    return schema.parse(JSON.parse(text ?? ''))
  } catch {
    return undefined // named among the faults
  }
}
