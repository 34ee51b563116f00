import type { Bound } from './cost.ts'

/** A turn that was given; giving it back twice changes nothing. */
export type Turn = { end(): void }

const lookMs = 20

/**
 * Turns at something of which only so much may go on at once. Whoever finds no place waits, if there is room to wait, by looking again every
 * 20 ms: a request of a Worker cannot be woken by another one. Undefined when there was no room or no turn came in time.
 */
export function openTurns(bound: Bound, sleep: (ms: number) => Promise<void>) {
  const running = new Map<string, number>()
  const waiting = new Map<string, number>()
  const isFull = (counts: ReadonlyMap<string, number>, { all, each }: Bound['at_once'], who: string): boolean =>
    [...counts.values()].reduce((total, count) => total + count, 0) >= all || (counts.get(who) ?? 0) >= each
  const add = (counts: Map<string, number>, who: string, change: 1 | -1) => {
    const count = (counts.get(who) ?? 0) + change
    if (count > 0) counts.set(who, count)
    else counts.delete(who)
  }
  const begin = (who: string): Turn | undefined => {
    if (isFull(running, bound.at_once, who)) return undefined
    add(running, who, 1)
    let open = true
    return {
      end() {
        if (open) add(running, who, -1)
        open = false
      },
    }
  }
  return {
    async take(who: string): Promise<Turn | undefined> {
      const first = begin(who)
      if (first || isFull(waiting, bound.waiting, who)) return first
      add(waiting, who, 1)
      try {
        for (let waitedMs = 0; waitedMs < bound.wait_ms; waitedMs += lookMs) {
          await sleep(lookMs)
          const turn = begin(who)
          if (turn) return turn
        }
        return undefined
      } finally {
        add(waiting, who, -1)
      }
    },
  }
}
