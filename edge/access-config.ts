import * as z from 'zod'
import { hostProblem } from '#shared/dockerfile/public-host.ts'
import type { Env } from './objects/env.ts'

/** What strangers may do and take. Every bound has a variable; README.md beside this file lists them. */
export type AccessConfig = {
  most_trials_per_run: number
  most_open_runs_per_owner: number
  /** Where a Chutes key is checked. */
  chutes_key_url: string
  /** Whether bearer keys of another form than `cpk_…` are taken for Chutes keys (and checked with Chutes like them). */
  any_chutes_key: boolean
  /** Origins whose pages may call the API, including the origin of FRONTEND_URL. */
  cors_origins: string[]
  /** Origins at which people may use keys of their own, beside the providers that are known by name. */
  own_provider_origins: string[]
}

const Bound = z.coerce.number().int().min(1).max(10_000_000)
const Origins = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
  )
  .pipe(z.array(z.url().transform((text) => new URL(text).origin)))

/**
 * Origins that may receive API keys of users. A deployment accepts HTTPS origins at public addresses only, so that a
 * user's base URL cannot reach the operator's private network. A local service accepts any HTTP or HTTPS origin.
 */
const ownOrigins = (local: boolean) =>
  z
    .string()
    .transform((text) => text.split(',').flatMap((one) => one.trim() || []))
    .pipe(
      z.array(
        z.string().transform((text, context) => {
          const why = originProblem(text, local)
          if (why === null) return new URL(text).origin
          context.addIssue(why)
          return z.NEVER
        }),
      ),
    )

function originProblem(text: string, local: boolean): string | null {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return 'an entry is no http(s):// address'
  if (url.pathname !== '/' || url.search || url.hash || url.username || url.password) return 'an entry has more than scheme, host and port'
  if (local) return null
  if (url.protocol !== 'https:') return 'an entry is not https://'
  const why = hostProblem(url.host)
  return why === null ? null : `the host of an entry cannot be used: ${why}`
}

const defaults = { most_trials_per_run: 300_000, most_open_runs_per_owner: 50 }

const checked = (off: string, schema: z.ZodType) => ({ off, needed: false, check: (text: string) => requireFit(schema, text) })

function requireFit(schema: z.ZodType, text: string): void {
  const { error } = schema.safeParse(text)
  if (error) throw new Error(error.issues[0]?.message ?? 'it does not fit')
}

/** What each variable turns off when it does not read; bounds then have their default. */
export const accessVariables = {
  MAX_TRIALS_PER_RUN: checked(`a bound of its own for trials: ${defaults.most_trials_per_run} hold`, Bound),
  MAX_OPEN_RUNS_PER_OWNER: checked(`a bound of its own for open runs: ${defaults.most_open_runs_per_owner} hold`, Bound),
  CHUTES_KEY_URL: checked('another address to check Chutes keys at', z.url()),
  CORS_ORIGINS: checked('front ends at other origins', Origins),
  BENCH_OWN_PROVIDER_URLS: {
    off: 'keys of users for other base URLs than those of known providers',
    needed: false,
    check: (text: string, { LOCAL }: Partial<Env>) => requireFit(ownOrigins(LOCAL === '1'), text),
  },
}

/** Reads the access variables. What does not read is as if it were not set, and named among the faults by `accessVariables`. */
export function readAccess(env: Partial<Env>): AccessConfig {
  const catalogue = (env.CHUTES_MODELS_API_URL ?? 'https://api.chutes.ai').replace(/(\/chutes)?\/*$/, '')
  return {
    most_trials_per_run: read(Bound, env.MAX_TRIALS_PER_RUN) ?? defaults.most_trials_per_run,
    most_open_runs_per_owner: read(Bound, env.MAX_OPEN_RUNS_PER_OWNER) ?? defaults.most_open_runs_per_owner,
    chutes_key_url: read(z.url(), env.CHUTES_KEY_URL) ?? `${catalogue}/users/me`,
    any_chutes_key: env.CHUTES_ANY_KEY === 'true',
    own_provider_origins: read(ownOrigins(env.LOCAL === '1'), env.BENCH_OWN_PROVIDER_URLS) ?? [],
    cors_origins: [...(read(Origins, env.CORS_ORIGINS) ?? []), ...(read(Origins, env.FRONTEND_URL) ?? [])],
  }
}

function read<T>(schema: z.ZodType<T>, text: string | undefined): T | undefined {
  return text?.trim() ? schema.safeParse(text).data : undefined
}
