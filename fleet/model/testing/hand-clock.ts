import type { ProviderReason } from '#shared/contract/failure.ts'
import type { AdaptiveLimiter, LimiterClock, Permit } from '../adaptive-limiter.ts'

/** A clock whose timers run when the test moves it. */
export function handClock(): LimiterClock & { to(ms: number): Promise<void> } {
  let now = 0
  let timers: { at: number; run: () => void }[] = []
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    async to(ms) {
      await settled()
      for (;;) {
        const next = timers.filter((timer) => timer.at <= ms).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        timers = timers.filter((timer) => timer !== next)
        now = Math.max(now, next.at)
        next.run()
        await settled()
      }
      now = ms
      await settled()
    },
  }
}
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 6; turn += 1) await Promise.resolve()
}

export const ended = (reason: ProviderReason | null, retry_after_ms: number | null = null) => ({ reason, retry_after_ms, canceled: false })

/** A permit that is there at once. */
export async function take(limiter: AdaptiveLimiter): Promise<Permit> {
  const permit = await limiter.acquire(null, 0)
  if (permit === 'circuit-open') throw new Error('circuit open')
  return permit
}
