type Entry = { at: number; order: number; run(): void }

/** Virtual time: things happen in the order of their moment, ties in the order they were planned. */
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
  return {
    now: () => now,
    after(ms: number, run: () => void): void {
      heap.push({ at: now + Math.max(0, ms), order: order++, run })
      up(heap.length - 1)
    },
    /** Lets the next thing happen; false when nothing is left. */
    step(): boolean {
      const first = heap[0]
      if (!first) return false
      const last = heap.pop()!
      if (heap.length > 0) {
        heap[0] = last
        down()
      }
      now = first.at
      first.run()
      return true
    },
  }
}
export type Clock = ReturnType<typeof createClock>
