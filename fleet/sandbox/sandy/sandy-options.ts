import * as z from 'zod'
import type { Clock } from '#shared/run/clock.ts'

export type SandyOptions = {
  base_url: string
  api_key: string
  clock?: Clock
  /** Between 0 and 1, for waits before something is asked again. */
  random?(): number
  /** After so many seconds the service ends a sandbox by itself, whatever became of the agent. */
  ttl_seconds?: number
  /** Gets a line for each sandbox that could not be terminated. */
  tell?(line: string): void
}

const SandyEnv = z.object({
  SANDY_BASE_URL: z.url({ protocol: /^https?$/, error: 'SANDY_BASE_URL is no http or https address' }),
  SANDY_API_KEY: z.string('SANDY_API_KEY is missing').min(1, 'SANDY_API_KEY is missing'),
})

/** Where Sandy is, as the environment says; null where `SANDY_BASE_URL` is not set. Throws with what does not fit. */
export function sandyOptions(env: Record<string, string | undefined>): Pick<SandyOptions, 'base_url' | 'api_key'> | null {
  const base_url = env.SANDY_BASE_URL?.trim()
  if (!base_url) return null
  const parsed = SandyEnv.safeParse({ SANDY_BASE_URL: base_url, SANDY_API_KEY: env.SANDY_API_KEY?.trim() })
  if (!parsed.success) throw new Error(`${parsed.error.issues.map(({ message }) => message).join('; ')}.`)
  return { base_url: parsed.data.SANDY_BASE_URL, api_key: parsed.data.SANDY_API_KEY }
}
