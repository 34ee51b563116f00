import type { Clock } from '#shared/run/clock.ts'

/** One life after the other of a program that may be killed, and stand still in between: nothing of a former life goes on in the next. */
export function createLives(clock: Clock) {
  let life = 0
  let frozen = false
  let deferred: (() => void)[] = []
  let troubledMs = Number.NEGATIVE_INFINITY
  return {
    /** Its way to the edge is, or was just now, none: whatever it says may not be heard before it leaves. */
    trouble(): void {
      troubledMs = clock.now()
    },
    isTroubled: (withinMs: number): boolean => clock.now() - troubledMs < withinMs,
    /** Binds to this life: what it makes does nothing in a later one, and waits while the program stands still. */
    binder(): (run: () => void) => () => void {
      const mine = life
      return (run) => {
        const go = (): void => {
          if (mine !== life) return
          if (frozen) deferred.push(go)
          else run()
        }
        return go
      }
    },
    /** Whether the life that asks now is still going on, to be asked later. */
    alive(): () => boolean {
      const mine = life
      return () => mine === life
    },
    end(): void {
      life++
      deferred = []
      frozen = false
    },
    freeze(): void {
      frozen = true
    },
    thaw(): void {
      if (frozen) this.trouble()
      frozen = false
      const waiting = deferred
      deferred = []
      for (const run of waiting) run()
    },
    /** The clock as this life of the program has it, `skewMs` beside the world's. */
    clock(skewMs: number): Clock {
      const bound = this.binder()
      return {
        now: () => clock.now() + skewMs,
        after(ms, run) {
          let canceled = false
          const cancel = clock.after(
            ms,
            bound(() => canceled || run()),
          )
          // Also where its moment has passed while the program stood still.
          return () => {
            canceled = true
            cancel()
          }
        },
      }
    },
  }
}
export type Lives = ReturnType<typeof createLives>
