/** A binary heap: `first` comes before all others by `before`. Nothing in it may change its place but through `moved`, and only the first. */
export function createHeap<T>(items: readonly T[], before: (a: T, b: T) => boolean) {
  const heap = [...items]
  const sink = (from: number): void => {
    for (let at = from; ; ) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < heap.length && before(heap[child]!, heap[least]!)) least = child
      if (least === at) return
      ;[heap[at], heap[least]] = [heap[least]!, heap[at]!]
      at = least
    }
  }
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(at)
  return {
    first: (): T | undefined => heap[0],
    /** The first has changed and now comes later. */
    moved: (): void => sink(0),
    /** Takes the first out. */
    drop(): void {
      const last = heap.pop()
      if (last === undefined || heap.length === 0) return
      heap[0] = last
      sink(0)
    },
  }
}
