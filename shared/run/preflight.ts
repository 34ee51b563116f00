import type { EventOf } from '../contract/event.ts'
import { type PreflightState, preflightMs } from '../contract/preflight.ts'
import type { RunHead, RunSpec } from '../contract/run.ts'
import { addSpent, noUsage } from '../contract/usage.ts'
import { checkReserveUsd } from './reserve.ts'

/** Whoever looks at the endpoints is waited for so long; then another may. Twice what it may take, as its agent may have died of it. */
export const preflightWaitMs = 2 * preflightMs

/** The pre-flight of a run before its first event; undefined where the plan asks for none. */
export function plannedPreflight(spec: Pick<RunSpec, 'preflight' | 'price' | 'benchmarks'>): PreflightState | undefined {
  if (!spec.preflight) return undefined
  const reserve_usd = checkReserveUsd(spec)
  const spent = { usage: noUsage, cost_usd: spec.price ? 0 : null }
  return { round: 1, taken: null, found: null, spent, ...(reserve_usd !== undefined && { reserve_usd }) }
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
  return { ...state, taken: null, found: { ...data, at }, spent: addSpent(state.spent, data.spent) }
}
