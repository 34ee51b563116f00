import { meanOfAnswered } from './accuracy.ts'
import type { Draw } from './draw.ts'
import type { ItemRuns } from './item-runs.ts'
import type { MetricValue } from './port.ts'

/** Accuracy with 1/choices for an answer without a letter: the expectation of MMLU-Pro's random guess (reference 1.5). */
export function accuracyWithRandomCredit(items: readonly ItemRuns[], draw: Draw): MetricValue {
  return meanOfAnswered(items, (row) => (row.flags.includes('unparsed') && row.options ? 1 / row.options : (row.score ?? 0)), draw)
}
