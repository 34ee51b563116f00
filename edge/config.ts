import * as z from 'zod'
import type { EdgeConfig } from './deps.ts'
import type { Env } from './objects/env.ts'

const Providers = z.array(
  z.object({
    id: z.string(),
    label: z.string(),
    kind: z.enum(['chutes', 'openai', 'demo']),
    base_url: z.string(),
    models: z.array(z.string()),
    rate_limit: z.int().min(1).nullish(),
  }),
)

/** Configuration of this deployment, read once from its variables; a malformed one stops the Worker with the variable's name. */
export function readConfig(env: Env): EdgeConfig {
  return {
    version: env.VERSION ?? 'dev',
    local: env.LOCAL === '1',
    public_url: env.PUBLIC_URL ?? '',
    admin_secret: env.ADMIN_SECRET ?? null,
    agent_token: env.AGENT_TOKEN ?? null,
    maintenance: {
      mode: env.MAINTENANCE_MODE === 'true',
      message: env.MAINTENANCE_MESSAGE ?? 'New runs are paused for maintenance. Runs under way go on.',
    },
    providers: parse('PROVIDERS', Providers, env.PROVIDERS ?? '[]'),
    chutes: {
      catalogue_url: env.CHUTES_MODELS_API_URL ?? 'https://api.chutes.ai',
      llm_url: env.CHUTES_API_BASE_URL ?? 'https://llm.chutes.ai/v1',
    },
  }
}

/** Parses a JSON variable by its schema. */
export function parse<T>(name: string, schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`The variable ${name} is not what it should be: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
