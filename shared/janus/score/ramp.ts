/**
 * Janus' measure of what should be small: 1 up to the target, falling to 0.5 at twice the target, then by `slope` for every further target, never
 * below 0. `value` and `target` have one unit; `target` is above 0. Source: reference 1.7, `P(x, T)`.
 */
export function ramp(value: number, target: number, slope = 0.1): number {
  if (value <= target) return 1
  if (value <= target * 2) return 1 - 0.5 * ((value - target) / target)
  return Math.max(0, 0.5 - slope * ((value - 2 * target) / target))
}

/** A number within 0 and 1; what is no number is 0. */
export const clamp01 = (value: number): number => (value > 0 ? Math.min(1, value) : 0)

/** Mean of numbers; 0 for none, as in the official reports. */
export const meanOrZero = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
