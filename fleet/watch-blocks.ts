import { type Blocks, blockMs, blocksWindowMs } from '#shared/contract/blocks.ts'
import { type Clock, every } from '#shared/run/clock.ts'

const lookEveryMs = 10
const minuteMs = 60_000

/**
 * Counts how often this thread does nothing for more than 50 ms. It looks at the clock a hundred times a second, so a standstill is seen up to
 * 10 ms shorter than it was. `stop` ends it.
 */
export function watchBlocks(clock: Clock) {
  const minutes = new Map<number, Blocks>()
  let lookedMs = clock.now()
  const look = (): void => {
    const nowMs = clock.now()
    const lateMs = nowMs - lookedMs - lookEveryMs
    lookedMs = nowMs
    if (lateMs > blockMs) note(Math.floor(nowMs / minuteMs), Math.round(lateMs))
  }
  const note = (minute: number, ms: number): void => {
    const { count, longest_ms } = minutes.get(minute) ?? { count: 0, longest_ms: 0 }
    minutes.set(minute, { count: count + 1, longest_ms: Math.max(longest_ms, ms) })
    forget(minute)
  }
  const forget = (minute: number): void => {
    for (const old of minutes.keys()) if (old <= minute - blocksWindowMs / minuteMs) minutes.delete(old)
  }
  const stop = every(clock, lookEveryMs, look)
  return {
    /** Those of the last ten minutes, by whole minutes. */
    blocks(): Blocks {
      forget(Math.floor(clock.now() / minuteMs))
      const kept = [...minutes.values()]
      return { count: kept.reduce((sum, { count }) => sum + count, 0), longest_ms: Math.max(0, ...kept.map((one) => one.longest_ms)) }
    },
    stop,
  }
}
