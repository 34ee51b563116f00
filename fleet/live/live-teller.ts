import type { LiveTold, Watched } from '#shared/contract/live.ts'
import { type Clock, every } from '#shared/run/clock.ts'
import { Bag } from '../bag.ts'
import { openLiveCursor } from './live-cursor.ts'
import type { LiveTrial } from './live-trial.ts'

/** How often a trial that is watched tells what is new, in milliseconds. */
const tellMs = 200

type Cursor = ReturnType<typeof openLiveCursor>

/**
 * Tells of the trials of a run that somebody watches, and of no others: it looks by a timer that runs only while somebody does. `clean` takes
 * secrets out of texts that come from elsewhere than a model.
 */
export function createLiveTeller(tell: (told: LiveTold) => void, clean: (text: string) => string, clock: Clock) {
  const trials = new Bag<LiveTrial>()
  const cursors = new Map<number, Cursor>()
  let watched: readonly Watched[] = []
  let stop: (() => void) | undefined

  const look = (): void => {
    for (const { ordinal, attempt, watch } of watched) {
      const trial = trials.find((one) => one.ordinal === ordinal && one.attempt === attempt)
      if (!trial) continue
      const known = cursors.get(watch)
      const cursor = known ?? openLiveCursor(trial, clean)
      cursors.set(watch, cursor)
      trial.look(clock.now(), clean)
      const entries = cursor.next()
      if (!known || entries.length > 0) tell({ watch, from_start: !known, entries })
    }
  }
  return {
    /** A trial begins; what this gives is called at its end. */
    begin: (trial: LiveTrial): (() => void) => trials.add(trial),
    /** These are watched from now on; one under a new number is told from its beginning. */
    watch(next: readonly Watched[]): void {
      const kept = new Set(next.map(({ watch }) => watch))
      for (const watch of cursors.keys()) if (!kept.has(watch)) cursors.delete(watch)
      watched = next
      if (next.length === 0) return this.stop()
      stop ??= every(clock, tellMs, look)
      look()
    },
    stop(): void {
      stop?.()
      stop = undefined
    },
  }
}
