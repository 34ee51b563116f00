import type { Draw } from './draw.ts'
import { itemMean } from './item-mean.ts'
import type { ItemRuns } from './item-runs.ts'
import type { MetricValue } from './port.ts'

/** Chance that k of n runs, drawn without replacement, hold at least one of the c right ones: 1 − C(n−c,k)/C(n,k). Needs k ≤ n. */
export function passAtKOf(n: number, c: number, k: number): number {
  if (n - c < k) return 1
  let miss = 1
  for (let i = n - c + 1; i <= n; i++) miss *= 1 - k / i
  return 1 - miss
}

/** Unbiased pass@k. Items with fewer than k answered runs are left out; `n` says how many were counted. */
export function passAtK(items: readonly ItemRuns[], k: number, draw: Draw): MetricValue {
  const rightOf = (item: ItemRuns): number => item.answered.filter((row) => row.outcome === 'right').length
  const value = itemMean(
    items.map((item) => ({ values: item.answered.length >= k ? [passAtKOf(item.answered.length, rightOf(item), k)] : [], asked: 1 })),
    draw,
  )
  return { ...value, method: `pass@${k}, ${value.method}` }
}
