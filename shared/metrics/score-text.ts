import type { Estimate } from '../contract/estimate.ts'

const none = '–'
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const points = (share: number): string => (share * 100).toFixed(1)

/** Sums leave dust in the last digits. */
const isPoint = (low: number, high: number): boolean => high - low < 1e-9

/**
 * The 95 % limits of a score in per cent, `71.1–73.6`: both ends, as they are seldom equally far from the score. `exact` where nothing is left
 * open; nothing where there is no interval.
 */
export function limitsText({ low, high }: Pick<Estimate, 'low' | 'high'>): string | undefined {
  if (low === null || high === null) return undefined
  return isPoint(low, high) ? 'exact' : `${points(low)}–${points(high)}`
}

/** What a score rests on: `n = 601` items, and how many answers where items were asked more than once: `n = 30 (300 trials)`. */
export function countText({ n, trials }: Pick<Estimate, 'n' | 'trials'>): string {
  return `n = ${whole.format(n)}${trials != null && trials !== n ? ` (${whole.format(trials)} trials)` : ''}`
}

/** A score with its limits, `72.4 % (71.1–73.6)`; a dash where nothing was scored. */
export function scoreWithLimits(estimate: Pick<Estimate, 'value' | 'low' | 'high'>): string {
  if (estimate.value === null) return none
  const limits = limitsText(estimate)
  return `${points(estimate.value)} %${limits === undefined ? '' : ` (${limits})`}`
}

/** A score as it is written everywhere: `72.4 % (71.1–73.6)  n = 601`. */
export function scoreText(estimate: Estimate): string {
  return estimate.value === null ? none : `${scoreWithLimits(estimate)}  ${countText(estimate)}`
}

/** What the limits say, in a sentence for people; nothing where there are none. */
export function meaningOf({ low, high, target, value }: Estimate): string | undefined {
  if (value === null || low === null || high === null) return undefined
  if (target === 'expected')
    return "95 % interval of the model's expected score on this set: answers to the same questions, given once more, would scatter around it."
  if (target !== 'as_answered') return '95 % interval, computed before intervals named what they are about.'
  if (isPoint(low, high)) return 'The score of this fixed set as answered. Every item was asked and answered, so nothing is left open.'
  return '95 % interval of the score of this fixed set as answered at temperature 0: what all of its items would have given.'
}
