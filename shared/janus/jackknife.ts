import { studentQuantile } from '../metrics/limits.ts'

/** One of what was drawn: `cluster` is drawn as a whole (an item with its repeats), from its `stratum` and independently of others. */
export type Drawn<T> = { stratum: string; cluster: string; one: T }
export type Estimated = { value: number | null; low: number | null; high: number | null }

/**
 * How much figures of a stratified draw would scatter, by the jackknife: each cluster is left out once, and what the figures become without it tells how much
 * hangs on it. `figures` are shares, computed from all that was drawn; for means it is their usual variance.
 */
export function spreads<T>(drawn: readonly Drawn<T>[], figures: (all: readonly T[]) => readonly (number | null)[]) {
  const strata = new Map<string, { clusters: number; variances: number[] }>()
  for (const stratum of new Set(drawn.map((one) => one.stratum))) {
    const clusters = [...new Set(drawn.filter((one) => one.stratum === stratum).map(({ cluster }) => cluster))]
    if (clusters.length < 2) continue
    const without = clusters.map((left) =>
      figures(drawn.filter((one) => one.stratum !== stratum || one.cluster !== left).map(({ one }) => one)),
    )
    const variances = without[0]!.map((_, figure) => varianceOf(without.map((values) => values[figure] ?? 0)))
    strata.set(stratum, { clusters: clusters.length, variances })
  }
  return {
    /** The 95 % interval of a figure that is computed from these strata; without limits where one of them holds fewer than two clusters. */
    limits(value: number | null, figure: number, from: readonly string[]): Estimated {
      const known = from.flatMap((stratum) => strata.get(stratum) ?? [])
      if (value === null || known.length < from.length) return { value, low: null, high: null }
      const variance = known.reduce((sum, { variances }) => sum + variances[figure]!, 0)
      const half = studentQuantile(Math.min(...known.map(({ clusters }) => clusters))) * Math.sqrt(variance)
      return { value, low: Math.max(0, value - half), high: Math.min(1, value + half) }
    },
  }
}

function varianceOf(values: readonly number[]): number {
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length
  return ((values.length - 1) / values.length) * values.reduce((sum, one) => sum + (one - mean) ** 2, 0)
}
