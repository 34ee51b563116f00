import * as z from 'zod'
import type { Quota } from '#shared/contract/sign-in.ts'
import type { Deps } from '../deps.ts'

const timeoutMs = 5_000

/** Quotas by model. `*` applies to every model without a quota of its own. */
const Quotas = z.array(z.object({ chute_id: z.string(), quota: z.number(), used: z.number().nullish() })).max(1000)
const Used = z.object({ used: z.number() })

const untold: Quota = { total: null, left: null }

/** Reads the remaining quota of a token's account. A value that Chutes does not return is null. */
export async function readQuota(token: string, deps: Pick<Deps, 'config' | 'fetch'>): Promise<Quota> {
  const base = new URL('/users/me/', deps.config.access.chutes_key_url)
  const ask = async <T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> => {
    try {
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
      const response = await deps.fetch(new URL(path, base).href, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
      return response.status === 200 ? schema.safeParse(await response.json()).data : undefined
    } catch {
      return undefined
    }
  }
  const general = (await ask('quotas', Quotas))?.find(({ chute_id }) => chute_id === '*')
  if (!general) return untold
  const used = general.used ?? (await ask('quota_usage/*', Used))?.used
  return { total: general.quota, left: used === undefined ? null : Math.max(0, general.quota - used) }
}
