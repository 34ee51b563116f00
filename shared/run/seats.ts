import type { RunHead } from '../contract/run.ts'

/** Trials that an agent wants to execute at once, and trials that it executes; absent before it has sent them. */
export type Wish = { width?: number | undefined; working?: number | undefined }

/**
 * How many trials of a run an agent may have at work at once: what it wants, as far as the run's concurrency is not taken by others. An agent
 * takes no more of it than it has trials, and no more than it was granted or is still at work on; so the sum stays within the
 * concurrency also while slots move from one agent to another.
 * `held` are the leases of each session.
 */
export function grantSeats(
  head: Pick<RunHead, 'concurrency' | 'agents'>,
  held: ReadonlyMap<string, number>,
  session: string,
  wish: Wish,
): number {
  let taken = 0
  for (const [other, leases] of held) if (other !== session) taken += Math.min(leases, head.agents[other]?.width ?? leases)
  return Math.min(wish.width ?? Number.POSITIVE_INFINITY, Math.max(0, head.concurrency - taken))
}
