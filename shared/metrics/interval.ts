import type { MetricValue } from './port.ts'

/** Two-sided 95 % quantile of the normal distribution. */
export const z95 = 1.959964

export const clip = (value: number): number => Math.min(1, Math.max(0, value))

/** The value of a metric that nothing can be said about yet. */
export function noValue(method: string): MetricValue {
  return { value: null, low: null, high: null, n: 0, method }
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
