import type { Estimate } from '#shared/contract/api.ts'
import { metricTexts } from '#shared/metrics/metric-texts.ts'
import { meaningOf } from '#shared/metrics/score-text.ts'
import { cleanLine, paint } from './terminal.ts'

/** What there is to say about a benchmark below its line in a table. */
export type ScoreDetails = { name: string; estimate: Estimate; warning: string | null; metrics: Readonly<Record<string, unknown>> }

/** Warnings, what the limits mean (each meaning once), and every recorded metric, one a line. */
export function scoreDetails(benchmarks: readonly ScoreDetails[], colour: boolean): string[] {
  const warnings = benchmarks.flatMap(({ name, warning }) =>
    warning ? [paint(`${name}: ${cleanLine(warning, 300)}`, 'yellow', colour)] : [],
  )
  return [...warnings, ...meanings(benchmarks), ...benchmarks.flatMap(metricLines)]
}

function meanings(benchmarks: readonly ScoreDetails[]): string[] {
  const names = new Map<string, string[]>()
  for (const { name, estimate } of benchmarks) {
    const meaning = meaningOf(estimate)
    if (meaning !== undefined) names.set(meaning, [...(names.get(meaning) ?? []), name])
  }
  return [...names].map(([meaning, of]) => (names.size === 1 ? `Limits: ${meaning}` : `Limits of ${of.join(', ')}: ${meaning}`))
}

function metricLines({ name, metrics }: ScoreDetails): string[] {
  const texts = metricTexts(metrics)
  if (texts.length === 0) return []
  const widest = Math.max(...texts.map(({ title }) => title.length))
  return ['', name, ...texts.map(({ title, text, n }) => `  ${title.padEnd(widest)}  ${text}  ${n}`)]
}
