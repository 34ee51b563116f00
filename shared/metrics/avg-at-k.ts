import { accuracy } from './accuracy.ts'
import type { Draw } from './draw.ts'
import type { ItemRuns } from './item-runs.ts'
import type { MetricValue } from './port.ts'

/** avg@k: mean over items of the share of right runs, k being the number of epochs. */
export function avgAtK(items: readonly ItemRuns[], epochs: number, draw: Draw): MetricValue {
  const value = accuracy(items, draw)
  return { ...value, method: `avg@${epochs}, ${value.method}` }
}
