import type { EventOf } from '../contract/event.ts'
import { type PreflightState, preflightMs } from '../contract/preflight.ts'
import type { RunHead, RunSpec } from '../contract/run.ts'
import { addUsage, noUsage } from '../contract/usage.ts'

/** Whoever looks at the endpoints is waited for so long; then another may. Twice what it may take, as its agent may have died of it. */
export const preflightWaitMs = 2 * preflightMs

/** The pre-flight of a run before its first event; undefined where the plan asks for none. */
export function plannedPreflight({ preflight, price }: Pick<RunSpec, 'preflight' | 'price'>): PreflightState | undefined {
  if (!preflight) return undefined
  return { round: 1, taken: null, found: null, spent: { usage: noUsage, cost_usd: price ? 0 : null } }
}

/** Whether the endpoints of the run still have to be looked at before a trial begins. */
export function isDue({ preflight }: Pick<RunHead, 'preflight'>): boolean {
  return preflight !== undefined && preflight.found?.round !== preflight.round
}

/** Whether this session looks at the endpoints now, or must do so before it begins what it gets. */
export function isAtPreflight(head: Pick<RunHead, 'preflight'>, session: string): boolean {
  return isDue(head) && head.preflight?.taken?.session === session
}

/** Whether somebody else is at it, so that this session gets nothing yet. */
export function waitsForPreflight(head: Pick<RunHead, 'preflight'>, session: string, nowMs: number): boolean {
  const taken = head.preflight?.taken
  return isDue(head) && taken != null && taken.session !== session && taken.until_ms > nowMs
}

/** A session that is gone looks at nothing any more. */
export function withoutTaker(state: PreflightState | undefined, session: string): PreflightState | undefined {
  return state?.taken?.session === session ? { ...state, taken: null } : state
}

/** What somebody mended may look otherwise now: a run that goes on is looked at again. */
export function nextRound(state: PreflightState | undefined): PreflightState | undefined {
  return state?.found?.round === state?.round && state ? { ...state, round: state.round + 1, taken: null } : state
}

/** What was found, kept; what it took is added up over the rounds. */
export function foundPreflight(state: PreflightState | undefined, { data, at }: EventOf<'run_preflight'>): PreflightState | undefined {
  if (!state) return undefined
  const { usage, cost_usd } = state.spent
  const spent = {
    usage: addUsage(usage, data.spent.usage),
    cost_usd: cost_usd === null ? null : cost_usd + (data.spent.cost_usd ?? 0),
  }
  return { ...state, taken: null, found: { ...data, at }, spent }
}
