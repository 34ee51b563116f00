import { mayStillSucceed } from '../contract/failure.ts'
import type { RunHead } from '../contract/run.ts'

/** What a retry of failed trials would do: how many it asks again, and the failures it leaves, most first. */
export type RetryCount = { again: number; left: number; reasons: [name: string, times: number][] }

/** Counts as `retry_failed` decides: the button, the command line and the answer of the API say the same. */
export function retryCount({ failures }: Pick<RunHead, 'failures'>): RetryCount {
  const all = Object.entries(failures).filter(([, times]) => times > 0)
  const sum = (of: [string, number][]) => of.reduce((total, [, times]) => total + times, 0)
  const reasons = all.filter(([name]) => !mayStillSucceed(name)).sort((a, b) => b[1] - a[1])
  return { again: sum(all) - sum(reasons), left: sum(reasons), reasons }
}

/** What is left and why, in a sentence; null when every failure may still succeed. */
export function leftText({ left, reasons }: RetryCount): string | null {
  if (left === 0) return null
  const named = reasons.map(([name, times]) => `${name} (${times})`).join(', ')
  return left === 1 ? `1 trial would fail again and stays failed: ${named}.` : `${left} trials would fail again and stay failed: ${named}.`
}
