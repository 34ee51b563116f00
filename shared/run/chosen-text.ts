import type { PlannedBenchmark, RunSpec } from '../contract/run.ts'
import { count } from '../metrics/number-text.ts'

/** How much of its benchmarks a run asks: `5 % of each benchmark`, or `chosen items`. */
export function subsetText({ subset, benchmarks }: Pick<RunSpec, 'subset' | 'benchmarks'>): string {
  const share = subset.count === null ? `${subset.pct} % of each benchmark` : `${count(subset.count)} items of each benchmark`
  const chosen = benchmarks.filter((one) => one.chosen)
  if (chosen.length === 0) return share
  return chosen.length === benchmarks.length
    ? 'chosen items'
    : `chosen items of ${chosen.map(({ name }) => name).join(', ')}; of the others ${share}`
}

/** Most runs of ids that a text names. */
const mostParts = 12

/** Ids of chosen items as people read them: `0–4, 9, 12`; null where none were chosen. */
export function chosenText({ chosen, items = [] }: Pick<PlannedBenchmark, 'chosen' | 'items'>): string | null {
  if (!chosen) return null
  const parts: [from: number, to: number][] = []
  for (const id of items.toSorted((a, b) => a - b)) {
    const last = parts.at(-1)
    if (last && id === last[1] + 1) last[1] = id
    else parts.push([id, id])
  }
  const shown = parts.slice(0, mostParts).map(([from, to]) => (from === to ? String(from) : `${from}–${to}`))
  const rest = parts.slice(mostParts).reduce((sum, [from, to]) => sum + to - from + 1, 0)
  return `${shown.join(', ')}${rest > 0 ? ` and ${count(rest)} more` : ''}`
}
