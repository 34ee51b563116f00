import type { Lease } from '#shared/contract/trial.ts'
import type { Clock } from '#shared/run/clock.ts'

/** With so many frames a second, trials are so short that their claims say that they begin at once. */
const mostFrames = 50
const windowMs = 1000

const keyOf = ({ ordinal, attempt }: Lease): string => `${ordinal}:${attempt}`

/**
 * Tells a run which leases its agent starts on, before it does: only these count as lost work should the agent vanish. All leases that are begun
 * in one moment are one frame; an agent that begins more than fifty times a second lets its claims say so instead.
 */
export function createBeginTeller(say: (leases: readonly Lease[]) => void, clock: Pick<Clock, 'now'>) {
  const covered = new Set<string>()
  let sinceMs = Number.NEGATIVE_INFINITY
  let frames = 0
  let before = 0
  const turnWindow = (): void => {
    const pastMs = clock.now() - sinceMs
    if (pastMs < windowMs) return
    before = pastMs < 2 * windowMs ? frames : 0
    frames = 0
    sinceMs = clock.now()
  }
  return {
    /** These leases are begun now. */
    begin(leases: readonly Lease[]): void {
      const fresh = leases.filter((lease) => !covered.delete(keyOf(lease)))
      if (leases.length === 0) return
      turnWindow()
      frames++
      if (fresh.length > 0) say(fresh)
    },
    /** Whether the next claim is to say that what it gives is begun at once. */
    isFast(): boolean {
      turnWindow()
      return Math.max(frames, before) > mostFrames
    },
    /** These leases came of a claim that said so. */
    cover(leases: readonly Lease[]): void {
      for (const lease of leases) covered.add(keyOf(lease))
    },
    /** These leases are given back: they are never begun. */
    drop(leases: readonly Lease[]): void {
      for (const lease of leases) covered.delete(keyOf(lease))
    },
  }
}
