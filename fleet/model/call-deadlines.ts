import { Bag } from '../bag.ts'

/** A moment of `performance.now` and what is to hear that it has come; whoever hears it moves it on, or takes it out. */
export type Deadline = { at_ms: number; due(): void }

/**
 * The deadlines of many calls behind one timer that fires at the nearest. A timer for each call costs more than all else that watches it, and nearly
 * none would ever fire. The timer keeps no process alive: what a call waits for does.
 */
export function createCallDeadlines() {
  const open = new Bag<Deadline>()
  let timer: NodeJS.Timeout | undefined
  let timerMs = Number.POSITIVE_INFINITY

  const arm = (at_ms: number): void => {
    if (at_ms >= timerMs) return
    clearTimeout(timer)
    timerMs = at_ms
    timer = setTimeout(fire, Math.max(0, Math.ceil(at_ms - performance.now()))).unref()
  }
  const fire = (): void => {
    timerMs = Number.POSITIVE_INFINITY
    const nowMs = performance.now()
    for (const one of open.values()) if (one.at_ms <= nowMs) one.due()
    arm(open.values().reduce((nearest, { at_ms }) => Math.min(nearest, at_ms), Number.POSITIVE_INFINITY))
  }

  return {
    /** Watches a deadline; what this gives takes it out. */
    add(deadline: Deadline): () => void {
      arm(deadline.at_ms)
      return open.add(deadline)
    },
    /** Says that a deadline has come nearer than it was. */
    nearer: ({ at_ms }: Deadline): void => arm(at_ms),
    close: (): void => clearTimeout(timer),
  }
}
export type CallDeadlines = ReturnType<typeof createCallDeadlines>
