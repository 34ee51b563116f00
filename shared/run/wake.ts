import type { RunHead } from '../contract/run.ts'

/** How long results may wait for the database before the next batch leaves, in milliseconds. */
export const drainDelayMs = 250

/**
 * When the run must be looked at again without anybody asking: a lease runs out, a parked run may go on, something may leave: results, or the
 * run's word to the fleet (`sends`, Unix milliseconds, null where nothing waits). Null: never. No moment waits for another.
 */
export function nextWake(head: RunHead, sends: readonly (number | null)[], nowMs: number): number | null {
  const moments = Object.values(head.agents).map((agent) => agent.until_ms)
  if (head.parked?.until) moments.push(Date.parse(head.parked.until))
  moments.push(...sends.filter((moment) => moment !== null))
  return moments.length ? Math.max(nowMs, Math.min(...moments)) : null
}
