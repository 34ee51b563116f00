import { type MeasuredPlan, metricsVersion } from '../draw.ts'

/** A benchmark planned before metrics version 2, over a set of so many items; the default is a set that is never larger than what was drawn. */
export function firstPlan(total_items = 1): MeasuredPlan {
  return { total_items, sampled_items: 1, epochs: 1, params: { temperature: 0 } }
}

/** A benchmark planned by the present rule: `items` of `of` items, asked `epochs` times at a temperature. */
export function planOf(
  items: number,
  { of = items, epochs = 1, temperature = 0 }: { of?: number; epochs?: number; temperature?: number | null } = {},
  group_items: MeasuredPlan['group_items'] = null,
): MeasuredPlan {
  return { total_items: of, sampled_items: items, epochs, params: { temperature }, metrics_version: metricsVersion, group_items }
}
