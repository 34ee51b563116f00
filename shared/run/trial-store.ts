import type { RunEvent } from '../contract/event.ts'
import type { TrialOutcome } from '../contract/trial.ts'
import type { PlannedTrial } from './plan.ts'

/**
 * Where one trial stands. `attempt` counts its leases so far; `deaths` those that came to nothing (see `maxDeaths`). `begun`: its agent has said that
 * it starts work on this lease.
 */
export type TrialState = { attempt: number; deaths: number } & (
  | { state: 'pending' }
  | { state: 'leased'; session: string; begun: boolean }
  | { state: 'done'; outcome: TrialOutcome; failure: string | null; group: string | null }
)
export type Trial = PlannedTrial & TrialState

/** Ordinals from the first to before the last. */
export type Stretch = { from: number; to: number }

/** What `decide` may look at. Rows, never one big map: a run may have 100,000 trials. */
export type TrialView = {
  find(ordinal: number): Trial | undefined
  /** Pending trials, lowest ordinal first; those taken back from a lost agent therefore come before fresh ones. `among`: only of these stretches. */
  open(count: number, among?: readonly Stretch[]): Trial[]
  /** How many trials each session holds. */
  held(): ReadonlyMap<string, number>
  leasedTo(session: string): Trial[]
  /** Finished trials that carry a failure, lowest ordinal first. */
  failed(): Trial[]
  /** Whether the usage of this attempt is counted although its result does not stand: refused before, or retried since. */
  refused(ordinal: number, attempt: number): boolean
  /** Whether this attempt was given up because its agent vanished or the run was canceled, and has not reported since. */
  lost(ordinal: number, attempt: number): boolean
}

/** Rows that follow events. `write` is the only way they change. */
export type TrialStore = TrialView & { write(event: RunEvent): void }

/** Trial rows in memory: for the local coordinator, the simulator and tests. The object keeps the same rows in SQLite. */
export function createMemoryTrials(planned: Iterable<PlannedTrial>): TrialStore & { rows(): readonly Trial[] } {
  const trials: Trial[] = [...planned].map((trial) => ({ ...trial, attempt: 0, deaths: 0, state: 'pending' }))
  const held = new Map<string, Set<number>>()
  const refusals = new Set<string>()
  const lost = new Set<string>()
  let lowestOpen = 0

  const replace = (ordinal: number, state: TrialState): void => {
    const { benchmark, item_id, epoch, ...before } = trials[ordinal]!
    if (before.state === 'leased') held.get(before.session)?.delete(ordinal)
    if (state.state === 'leased') held.set(state.session, (held.get(state.session) ?? new Set()).add(ordinal))
    if (state.state === 'pending') lowestOpen = Math.min(lowestOpen, ordinal)
    trials[ordinal] = { ordinal, benchmark, item_id, epoch, ...state }
  }

  return {
    rows: () => trials,
    find: (ordinal) => trials[ordinal],
    open(count, among) {
      const found: Trial[] = []
      for (let ordinal = lowestOpen; ordinal < trials.length && found.length < count; ordinal++) {
        if (trials[ordinal]!.state !== 'pending') {
          if (lowestOpen === ordinal) lowestOpen = ordinal + 1
        } else if (!among || among.some(({ from, to }) => from <= ordinal && ordinal < to)) found.push(trials[ordinal]!)
      }
      return found
    },
    held: () => new Map([...held].map(([session, ordinals]) => [session, ordinals.size])),
    leasedTo: (session) => [...(held.get(session) ?? [])].sort((a, b) => a - b).map((ordinal) => trials[ordinal]!),
    failed: () => trials.filter((trial) => trial.state === 'done' && trial.failure !== null),
    refused: (ordinal, attempt) => refusals.has(`${ordinal}:${attempt}`),
    lost: (ordinal, attempt) => lost.has(`${ordinal}:${attempt}`),
    write(event) {
      for (const [ordinal, attempt] of lostAttempts(event)) lost.add(`${ordinal}:${attempt}`)
      for (const [ordinal, attempt] of foundAttempts(event)) lost.delete(`${ordinal}:${attempt}`)
      for (const [ordinal, attempt] of spentAttempts(event, (ordinal) => trials[ordinal]!)) {
        if (!lost.has(`${ordinal}:${attempt}`)) refusals.add(`${ordinal}:${attempt}`)
      }
      for (const change of changesOf(event, (ordinal) => trials[ordinal]!)) replace(change.ordinal, change.to)
      if (event.event_type === 'run_canceled') {
        for (const ordinals of [...held.values()]) {
          for (const ordinal of [...ordinals]) {
            const { attempt, deaths } = trials[ordinal]!
            lost.add(`${ordinal}:${attempt}`)
            replace(ordinal, { attempt, deaths, state: 'pending' })
          }
        }
      }
    },
  }
}

/**
 * Attempts whose usage is counted although no result of theirs stands: a report of one that comes again
 * changes nothing. One that was lost with its agent is not among them, whatever became of its trial: it was never counted.
 */
export function* spentAttempts(event: RunEvent, row: (ordinal: number) => TrialState): Generator<[number, number]> {
  if (event.event_type === 'attempt_refused') yield [event.data.ordinal, event.data.attempt]
  if (event.event_type === 'run_requeued') for (const { ordinal } of event.data.retried) yield [ordinal, row(ordinal).attempt]
}

/** Attempts given up with their agent: what they cost is not known yet. */
export function lostAttempts(event: RunEvent): readonly [number, number][] {
  return event.event_type === 'trials_released' && (event.data.death || event.data.lost) ? event.data.leases : []
}

/** Attempts that reported after all. */
export function foundAttempts(event: RunEvent): readonly [number, number][] {
  if (event.event_type === 'attempt_refused') return event.data.lost ? [[event.data.ordinal, event.data.attempt]] : []
  if (event.event_type !== 'benchmark_progress' || event.data.recovered === 0) return []
  return event.data.results.map(({ ordinal, attempt }) => [ordinal, attempt])
}

type Change = { ordinal: number; to: TrialState }

/** The rows one event changes. A cancellation, which frees every lease, is left to the store. */
export function* changesOf(event: RunEvent, row: (ordinal: number) => TrialState): Generator<Change> {
  if (event.event_type === 'trials_leased') {
    for (const [ordinal, attempt] of event.data.leases) {
      yield {
        ordinal,
        to: { attempt, deaths: row(ordinal).deaths, state: 'leased', session: event.data.session, begun: event.data.begun === true },
      }
    }
  }
  if (event.event_type === 'trials_begun') {
    for (const [ordinal] of event.data.leases) {
      const trial = row(ordinal)
      if (trial.state === 'leased') yield { ordinal, to: { ...trial, begun: true } }
    }
  }
  if (event.event_type === 'trials_released') {
    for (const [ordinal, attempt] of event.data.leases) {
      yield { ordinal, to: { attempt, deaths: row(ordinal).deaths + (event.data.death ? 1 : 0), state: 'pending' } }
    }
  }
  if (event.event_type === 'benchmark_progress') {
    for (const { ordinal, attempt, outcome, failure, group } of event.data.results) {
      yield { ordinal, to: { attempt, deaths: row(ordinal).deaths, state: 'done', outcome, failure, group } }
    }
  }
  if (event.event_type === 'run_requeued') {
    for (const { ordinal } of event.data.retried) {
      yield { ordinal, to: { attempt: row(ordinal).attempt + 1, deaths: 0, state: 'pending' } }
    }
  }
}
