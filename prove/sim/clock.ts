import type { Clock } from '#shared/run/clock.ts'

type Entry = { at: number; order: number; run: (() => void) | null }

const { setImmediate: nextTurn } = globalThis

/**
 * Virtual time: things happen in the order of their moment, ties in the order they were planned. Between two of them everything that only
 * waits for promises goes on to its end.
 */
export function createClock(startMs: number) {
  const heap: Entry[] = []
  let now = startMs
  let order = 0
  const before = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)
  const up = (from: number): void => {
    for (let i = from; i > 0; ) {
      const parent = (i - 1) >> 1
      if (!before(heap[i]!, heap[parent]!)) return
      ;[heap[i], heap[parent]] = [heap[parent]!, heap[i]!]
      i = parent
    }
  }
  const down = (): void => {
    for (let i = 0; ; ) {
      let least = i
      for (const child of [2 * i + 1, 2 * i + 2]) if (child < heap.length && before(heap[child]!, heap[least]!)) least = child
      if (least === i) return
      ;[heap[i], heap[least]] = [heap[least]!, heap[i]!]
      i = least
    }
  }
  const take = (): Entry | undefined => {
    const first = heap[0]
    if (!first) return undefined
    const last = heap.pop()!
    if (heap.length > 0) {
      heap[0] = last
      down()
    }
    return first
  }
  return {
    now: () => now,
    after(ms: number, run: () => void): () => void {
      const entry: Entry = { at: now + Math.max(0, ms), order: order++, run }
      heap.push(entry)
      up(heap.length - 1)
      return () => {
        entry.run = null
      }
    },
    /** Lets the next thing happen, and all that follows from it at once; false when nothing is left. */
    async step(): Promise<boolean> {
      let next = take()
      while (next?.run === null) next = take()
      if (!next) return false
      now = next.at
      next.run!()
      await new Promise<void>((resolve) => nextTurn(resolve))
      return true
    },
  } satisfies Clock & { step(): Promise<boolean> }
}
export type VirtualClock = ReturnType<typeof createClock>
