import { meanOfAnswered } from './accuracy.ts'
import type { Draw } from './draw.ts'
import { type FirstDraw, firstFactor } from './first-interval.ts'
import { clip, noValue, z95 } from './interval.ts'
import { estimateAround } from './item-mean.ts'
import type { ItemRuns } from './item-runs.ts'
import type { MetricRow, MetricValue } from './port.ts'
import { wilson } from './wilson.ts'

/** In which sense a check was met: by the answer as it stands, or allowing for framing lines and asterisks. */
export type Sense = 'strict' | 'loose'

/** One verdict per check of a trial, from `detail.checks` (see `scoreInstructions`); null for a trial without checks. */
function verdictsOf(row: MetricRow, sense: Sense): boolean[] | null {
  const checks = row.detail.checks
  if (row.outcome === 'failed' || !Array.isArray(checks) || checks.length === 0) return null
  return checks.map((check) => check?.verdicts?.[sense] === true)
}

/** Whether each step of a trial passed, from `detail.steps`; null for a trial without steps. */
function stepsOf(row: MetricRow): boolean[] | null {
  const { steps } = row.detail
  if (row.outcome === 'failed' || !Array.isArray(steps) || steps.length === 0) return null
  return steps.map((step) => step?.passed === true)
}

/** Items with only those answered runs that have checks. */
function checked(items: readonly ItemRuns[], sense: Sense): ItemRuns[] {
  return items.map((item) => ({ ...item, answered: item.answered.filter((row) => verdictsOf(row, sense) !== null) }))
}

/** Share of items of which every check was met: IFEval's prompt-level accuracy. */
export function promptShare(items: readonly ItemRuns[], sense: Sense, draw: Draw): MetricValue {
  return meanOfAnswered(checked(items, sense), (row) => (verdictsOf(row, sense)?.every(Boolean) ? 1 : 0), draw)
}

/** Share of all checks that were met, whichever item they belong to: IFEval's instruction-level accuracy. */
export function checkShare(items: readonly ItemRuns[], sense: Sense, draw: Draw): MetricValue {
  return shareOf(items, (row) => verdictsOf(row, sense), draw)
}

/** Share of all steps that passed, whichever item they belong to: SciCode's sub-problem score. Its denominator holds every step that is tested. */
export function stepShare(items: readonly ItemRuns[], draw: Draw): MetricValue {
  return shareOf(items, stepsOf, draw)
}

type Verdicts = (row: MetricRow) => readonly boolean[] | null

/**
 * Share of all verdicts that are good. Those of an item are not independent, so its error is that of a ratio of two sums, taken between items:
 * every answer counts with its distance from the share, in mean items. `n` counts the items.
 */
function shareOf(items: readonly ItemRuns[], verdicts: Verdicts, draw: Draw): MetricValue {
  const counted = items.map((item) => ({ asked: item.rows.length, answers: item.answered.flatMap((row) => metOf(verdicts(row))) }))
  const answers = counted.flatMap((item) => item.answers)
  if (draw.rule === 1) return firstCheckShare(counted, draw)
  const all = answers.reduce((sum, answer) => sum + answer.all, 0)
  const value = all > 0 ? answers.reduce((sum, answer) => sum + answer.met, 0) / all : 0
  const typical = all / answers.length
  return estimateAround(
    value,
    counted.map(({ asked, answers: own }) => ({ asked, values: own.map(({ met, all: of }) => value + (met - value * of) / typical) })),
    draw,
  )
}

function metOf(verdicts: readonly boolean[] | null): { met: number; all: number }[] {
  return verdicts ? [{ met: verdicts.filter(Boolean).length, all: verdicts.length }] : []
}

/** The interval of metrics version 1: standard error between items, and where it vanishes that of a share over the items. */
function firstCheckShare(items: readonly { answers: readonly { met: number; all: number }[] }[], draw: FirstDraw): MetricValue {
  const counts = items
    .filter((item) => item.answers.length > 0)
    .map(({ answers }) => answers.reduce((sum, one) => ({ met: sum.met + one.met, all: sum.all + one.all }), { met: 0, all: 0 }))
  const n = counts.length
  if (n === 0) return noValue('mean over checks')
  const all = counts.reduce((sum, count) => sum + count.all, 0)
  const value = counts.reduce((sum, count) => sum + count.met, 0) / all
  const part = draw.population !== null && draw.drawn < draw.population
  const factor = firstFactor(n, draw)
  const method = part ? `standard error clustered by item, finite population of ${draw.population}` : 'standard error clustered by item'
  const squares = counts.reduce((sum, count) => sum + (count.met - value * count.all) ** 2, 0)
  if (squares < 1e-12) return { value, ...wilson(value, n, factor), n, method: 'Wilson over items' }
  const half = ((z95 * Math.sqrt((n / (n - 1)) * squares)) / all) * factor
  return { value, low: clip(value - half), high: clip(value + half), n, method }
}
