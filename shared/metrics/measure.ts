import type { Streaming } from '../contract/streaming.ts'
import { groupDrawOf, type MeasuredPlan } from './draw.ts'
import { itemRuns } from './item-runs.ts'
import { computeMetrics, metricsOf } from './metrics.ts'
import type { MetricRow, MetricValue } from './port.ts'
import { streamingOf } from './streaming.ts'
import { type Timings, timingsOf } from './timings.ts'

/** What stands beside the metrics of a benchmark under names that no metric has. */
export type BesideMetrics = {
  /** The headline of each group, with the intervals of the group's own population. */
  by_group: Record<string, MetricValue>
  timing: Timings
  /** Absent where nothing was measured, as in runs from before it was. */
  streaming?: Streaming
}
export const besideMetrics = ['by_group', 'timing', 'streaming'] as const satisfies readonly (keyof BesideMetrics)[]

/**
 * Everything that is computed when a benchmark of a run has ended, over its finished trials: the named metrics, the headline by group, how long
 * answers took and how they came in. Runs planned before metrics version 2 have the metrics alone. Throws for a name that is no metric.
 */
export function measureBenchmark(
  names: readonly string[],
  rows: readonly MetricRow[],
  plan: MeasuredPlan,
): Record<string, MetricValue> | (Record<string, MetricValue> & BesideMetrics) {
  const metrics = computeMetrics(names, rows, plan)
  if ((plan.metrics_version ?? 1) < 2) return metrics
  const streaming = streamingOf(rows)
  const beside = { by_group: headlineByGroup(names[0], rows, plan), timing: timingsOf(rows), ...(streaming && { streaming }) }
  return { ...metrics, ...beside } as Record<string, MetricValue> & BesideMetrics // no metric has these names
}

function headlineByGroup(headline: string | undefined, rows: readonly MetricRow[], plan: MeasuredPlan): Record<string, MetricValue> {
  const groups = new Map<string | null, MetricRow[]>()
  for (const row of rows) {
    const own = groups.get(row.group)
    if (own) own.push(row)
    else groups.set(row.group, [row])
  }
  const ungrouped = groups.get(null)?.length ?? 0
  const found: Record<string, MetricValue> = {}
  if (headline === undefined) return found
  for (const [group, own] of groups) {
    if (group === null) continue
    const items = itemRuns(own)
    const draw = groupDrawOf(plan, group, items.length, rows.length, ungrouped)
    const value = metricsOf([headline], own, items, draw)[headline]
    // Data chose the name: `__proto__` becomes a plain key too.
    Object.defineProperty(found, group, { value, enumerable: true, configurable: true, writable: true })
  }
  return found
}
