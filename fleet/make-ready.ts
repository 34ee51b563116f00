import type { AheadItem } from '#shared/contract/ahead.ts'
import { itemKey } from '#shared/run/ahead.ts'
import type { OpenedBenchmark } from './trial/execute-trial.ts'
import type { MachineProvider } from './trial/resources.ts'

/**
 * Has the images of items made ready whose trials may come to this agent. Each list takes the place of the one before: what is on it already goes on, what is not any
 * more is left where it was not begun. `close` leaves all of that.
 */
export function createReadyMaker(
  benchmarks: ReadonlyMap<string, Pick<OpenedBenchmark, 'images'>>,
  expect: NonNullable<MachineProvider['expect']>,
): { ahead(items: readonly AheadItem[]): void; close(): void } {
  let wanted = new Map<string, AbortController>()
  const ahead = (items: readonly AheadItem[]): void => {
    const next = new Map<string, AbortController>()
    for (const item of items) {
      const images = benchmarks.get(item.benchmark)?.images
      if (!images) continue
      const key = itemKey(item)
      const known = wanted.get(key)
      const abort = known ?? new AbortController()
      next.set(key, abort)
      if (!known) expect({ images: () => images(Number(item.item_id)), signal: abort.signal })
    }
    for (const [key, abort] of wanted) if (!next.has(key)) abort.abort()
    wanted = next
  }
  return { ahead, close: () => ahead([]) }
}
