import { ramp } from './ramp.ts'

/** What an answer took; null means unknown. */
export type Took = { tokens: number | null; cost_usd: number | null; sandbox_s: number | null }

const parts: readonly [keyof Took, target: number, weight: number][] = [
  ['tokens', 1000, 0.5],
  ['cost_usd', 0.01, 0.3],
  ['sandbox_s', 30, 0.2],
]

/**
 * How cheap an answer was: the weighted mean of what is known of tokens (target 1,000, weight 0.5), dollars (0.01, 0.3) and seconds of sandbox (30, 0.2).
 * Null where nothing is known; the official measure gives 0.5 for that (`unknownCost`).
 */
export function costScore(took: Took): number | null {
  let [sum, weights] = [0, 0]
  for (const [name, target, weight] of parts) {
    const value = took[name]
    if (value === null) continue
    sum += ramp(value, target) * weight
    weights += weight
  }
  return weights === 0 ? null : sum / weights
}

/** What the official measure gives where nothing is known of the cost. */
export const unknownCost = 0.5
