import { accuracy, accuracyWhere, accuracyWithFailures, flagShare } from './accuracy.ts'
import { avgAtK } from './avg-at-k.ts'
import { calibrationError, calibrationErrorAllBins } from './calibration-error.ts'
import { checkShare, promptShare, stepShare } from './check-shares.ts'
import { consAtK } from './cons-at-k.ts'
import { type Draw, drawOf, type MeasuredPlan } from './draw.ts'
import { examAccuracy } from './exam-accuracy.ts'
import { epochCount, type ItemRuns, itemRuns } from './item-runs.ts'
import { passAtK } from './pass-at-k.ts'
import type { MetricRow, MetricValue } from './port.ts'
import { accuracyWithRandomCredit } from './random-credit.ts'
import { flipRate, passHatK } from './repeat-metrics.ts'

type Metric = (items: readonly ItemRuns[], epochs: number, draw: Draw) => MetricValue

const metrics = {
  accuracy: (items, _epochs, draw) => accuracy(items, draw),
  accuracy_worst_case: (items, _epochs, draw) => accuracyWithFailures(items, 0, draw),
  accuracy_best_case: (items, _epochs, draw) => accuracyWithFailures(items, 1, draw),
  accuracy_with_random_credit: (items, _epochs, draw) => accuracyWithRandomCredit(items, draw),
  exam_accuracy: (items, _epochs, draw) => examAccuracy(items, draw),
  calibration_error: (items, _epochs, draw) => calibrationError(items, draw),
  calibration_error_all_bins: (items, _epochs, draw) => calibrationErrorAllBins(items, draw),
  accuracy_exact_match: (items, _epochs, draw) => accuracyWhere(items, 'multiple_choice', false, draw),
  accuracy_multiple_choice: (items, _epochs, draw) => accuracyWhere(items, 'multiple_choice', true, draw),
  accuracy_with_picture: (items, _epochs, draw) => accuracyWhere(items, 'picture', true, draw),
  accuracy_without_picture: (items, _epochs, draw) => accuracyWhere(items, 'picture', false, draw),
  accuracy_easy: (items, _epochs, draw) => accuracyWhere(items, 'difficulty', 'easy', draw),
  accuracy_medium: (items, _epochs, draw) => accuracyWhere(items, 'difficulty', 'medium', draw),
  accuracy_expert: (items, _epochs, draw) => accuracyWhere(items, 'difficulty', 'expert', draw),
  accuracy_without_errata: (items, _epochs, draw) => accuracyWhere(items, 'errata', false, draw),
  accuracy_persona_none: (items, _epochs, draw) => accuracyWhere(items, 'persona', 'None', draw),
  accuracy_persona_easy: (items, _epochs, draw) => accuracyWhere(items, 'persona', 'Easy', draw),
  accuracy_persona_hard: (items, _epochs, draw) => accuracyWhere(items, 'persona', 'Hard', draw),
  level_1_share: (items, _epochs, draw) => flagShare(items, 'level_1', draw),
  unparsed_share: (items, _epochs, draw) => flagShare(items, 'unparsed', draw),
  truncated_share: (items, _epochs, draw) => flagShare(items, 'truncated', draw),
  prompt_strict: (items, _epochs, draw) => promptShare(items, 'strict', draw),
  prompt_loose: (items, _epochs, draw) => promptShare(items, 'loose', draw),
  inst_strict: (items, _epochs, draw) => checkShare(items, 'strict', draw),
  inst_loose: (items, _epochs, draw) => checkShare(items, 'loose', draw),
  steps_passed: (items, _epochs, draw) => stepShare(items, draw),
  early_exit_share: (items, _epochs, draw) => flagShare(items, 'early_exit', draw),
  avg_at_k: avgAtK,
  pass_at_k: passAtK,
  pass_hat_k: passHatK,
  pass_hat_2: (items, _epochs, draw) => passHatK(items, 2, draw),
  pass_hat_3: (items, _epochs, draw) => passHatK(items, 3, draw),
  flip_rate: flipRate,
  cons_at_k: consAtK,
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof metrics

export function isMetricName(name: string): name is MetricName {
  return Object.hasOwn(metrics, name)
}

/**
 * The named metrics over the rows of one benchmark, in the order of `names`; the first is the headline. How it was planned decides which
 * target the intervals have and by which rule they are computed. Throws for a name that is no metric.
 */
export function computeMetrics(names: readonly string[], rows: readonly MetricRow[], plan: MeasuredPlan): Record<string, MetricValue> {
  const items = itemRuns(rows)
  return metricsOf(names, rows, items, drawOf(plan, items.length, rows.length))
}

/** The same over rows of a draw that is already known, such as those of a group. */
export function metricsOf(
  names: readonly string[],
  rows: readonly MetricRow[],
  items: readonly ItemRuns[],
  draw: Draw,
): Record<string, MetricValue> {
  const epochs = epochCount(rows)
  return Object.fromEntries(
    names.map((name) => {
      if (!isMetricName(name)) throw new Error(`there is no metric "${name}"`)
      return [name, metrics[name](items, epochs, draw)]
    }),
  )
}
