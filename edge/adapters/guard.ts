import { edgeLog } from '../edge-log.ts'
import { type GuardPort, openStrikes } from '../limits/strikes.ts'
import type { Env } from '../objects/env.ts'

/** The guard all isolates share, in up to some dozen objects by a key's last letter; while it is away, each isolate counts for itself. */
export function createGuardPort(env: Pick<Env, 'GUARD'>, now: () => number = Date.now): GuardPort {
  const own = openStrikes()
  return {
    async strike(kind, key) {
      try {
        return await env.GUARD.getByName(key.slice(-1) || 'none').strike(kind, key)
      } catch (error) {
        edgeLog('warn', 'guard away, counting here', { error })
        return own.strike(kind, key, now())
      }
    },
  }
}
