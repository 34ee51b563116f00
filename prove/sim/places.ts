import { graceMs, leaseMs } from '#shared/run/lease.ts'
import { type Assignment, type MatchRun, slotsOf } from '#shared/run/match/fleet.ts'
import type { Sql } from '../../edge/run/run-storage.ts'

/** What the fleet's object knows of an agent, by which it counts as there; `left_ms`: since when it has no connection. */
export type Sign = { agent_id: string; draining: boolean; heard_ms: number; left_ms: number | null }
/** An agent that is there, with the slots it has, those it had of the run before a deal, and those it has after it. */
export type Place = { session: string; slots: number; before: number; after: number }

/** The agents in the object's rows, with the slots that each was given. */
export function rowsIn(sql: Sql): { session: string; agent_id: string; left_ms: number | null; slots: number; after: number }[] {
  const rows = sql.exec<{ session: string; known: string; given: string; left_ms: number | null }>(
    'SELECT session, known, given, left_ms FROM agent',
  )
  return [...rows].map(({ session, known, given, left_ms }) => {
    const { agent_id, slots } = JSON.parse(known) as { agent_id: string; slots: number } // written by the object
    const after = (JSON.parse(given) as Assignment[]).reduce((sum, { shares }) => sum + slotsOf(shares), 0)
    return { session, agent_id, left_ms, slots, after }
  })
}

/** Whether an agent is dealt anything, and keeps what it has (FLEET94). */
export const isThere = ({ draining, heard_ms, left_ms }: Sign, nowMs: number): boolean =>
  !draining && nowMs - heard_ms < leaseMs && (left_ms === null || nowMs - left_ms < graceMs)

/** Slots that the runs in the object's rows may have in all. */
export function wantedIn(sql: Sql): number {
  const runs = [...sql.exec<{ body: string }>('SELECT body FROM run')].map(({ body }) => JSON.parse(body) as MatchRun)
  return runs.reduce(
    (sum, { concurrency, parts }) =>
      sum +
      Math.min(
        concurrency,
        parts.reduce((all, { open }) => all + open, 0),
      ),
    0,
  )
}

/** So much below the mean load an agent is idle; above the mean so much, or this full, another is busy. */
const slack = 1 / 8
const full = 7 / 8
const near = 1e-9

/**
 * What one deal of a single run over agents of one kind may do (FLEET1, FLEET92), as the rule has it and not as the code does it: every slot that
 * is wanted and there is given; whoever has slots keeps them but for two reasons. One: fewer are wanted than are given. Two: an agent is idle,
 * more than an eighth below the mean load, and takes up to the mean from those that are busy, an eighth above it or seven eighths full, and
 * these keep the mean. Undefined where all is as it must be.
 */
export function wrongDeal(places: readonly Place[], wanted: number): string | undefined {
  const sum = (of: (place: Place) => number): number => places.reduce((all, place) => all + of(place), 0)
  const [room, before, after] = [sum(({ slots }) => slots), sum((place) => place.before), sum((place) => place.after)]
  if (after !== Math.min(wanted, room)) return `${after} slots are given, ${wanted} are wanted and ${room} there`
  const mean = room === 0 ? 0 : after / room
  const lost = sum((place) => Math.max(0, place.before - place.after))
  const forced = Math.max(0, before - wanted)
  const grown = Math.max(0, after - before)
  const mayTake = (place: Place): number => {
    const isIdle = forced > 0 || place.before < (mean - slack) * place.slots + near
    return isIdle ? Math.max(0, Math.floor(mean * place.slots + near) - place.before) : 0
  }
  const most = forced + sum(mayTake)
  if (lost > most) return `${lost} slots were taken, ${most} could be: ${forced} too many, the others for idle agents`
  if (forced > 0) return undefined
  const busyFrom = Math.min(mean + slack, Math.max(mean, full))
  for (const { session, slots, before: had, after: has } of places) {
    if (has >= had) continue
    if (has < mean * slots - near) return `${session} was left ${has} of ${slots}, less than the mean load of ${mean}`
    // What is free may have been given to it first, in the same deal.
    if (had + grown <= busyFrom * slots)
      return `${session} lost ${had - has} although it was not busy: ${had} of ${slots} at a mean load of ${mean}`
  }
  return undefined
}
