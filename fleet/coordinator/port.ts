import type { AheadItem } from '#shared/contract/ahead.ts'
import type { Failure } from '#shared/contract/failure.ts'
import type { LiveTold, Watched } from '#shared/contract/live.ts'
import type { PreflightFound } from '#shared/contract/preflight.ts'
import type { AgentPulse } from '#shared/contract/pulse.ts'
import type { RunSpec, RunStatus } from '#shared/contract/run.ts'
import type { Lease, TrialRecord } from '#shared/contract/trial.ts'

/** How many trials an executor wants to have at work at once, and how many it has; and for how many of the next it has room to make images ready. */
export type Wish = { width: number; working: number; ahead?: number }

/** What an executor is told while it works on a run. */
export type CoordinatorEvents = {
  onState(state: { status: RunStatus; concurrency: number; open: number }): void
  /**
   * How many trials the run allows to be at work here at once: as many as were wished for, or as its concurrency has left. `claimed`: it came
   * with the answer to a claim, so all that was told before that claim is known there.
   */
  onGrant?(width: number, claimed: boolean): void
  /** These are the items for which it may make ready, in place of those told before; none of them is its own yet. */
  onAhead?(items: readonly AheadItem[]): void
  /** What was claimed is begun once the pre-flight of this round has been made and told; comes before the claim is answered. */
  onPreflight?(round: number): void
  /** These leases are no longer ours: abort the work, report nothing. */
  onDrop(leases: readonly (readonly [number, number])[]): void
  /** These trials are watched from now on, and no others. */
  onWatch?(trials: readonly Watched[]): void
  onClosed(reason: 'finished' | 'replaced' | 'refused' | 'let-go', detail: string): void
}

/** One run as an executor sees it. Two implementations: the Durable Object over WebSocket, and a local one for `bench run --local`. */
export type Coordinator = {
  readonly spec: RunSpec
  /** The key that the run's owner pays with; null before the first leases, and for runs that bring none. */
  credential(): string | null
  /** Waits up to ten seconds for a key that replaces a refused key. Absent if keys are never replaced. */
  renewCredential?(refused: string): Promise<void>
  /**
   * Asks for so many trials, of these benchmarks where some are named; the answer to the wish comes as `onGrant`. `begins`: work on them starts at
   * once, so that `begin` need not tell it.
   */
  claim(count: number, benchmarks?: readonly string[], wish?: Wish, begins?: boolean): Promise<Lease[]>
  /** Tells which leases work is about to start on, before it does. Left out where nobody asks. */
  begin?(leases: readonly Lease[]): void
  /** Tells a wish that has changed; an executor that shrinks tells it once it is at work on no more. */
  wish?(wish: Wish): void
  /** Takes a finished trial over; it is kept and resent until the coordinator has acknowledged it. */
  report(record: TrialRecord): void
  /**
   * Gives a trial back that was begun: others may have it, and what it took so far is counted. Kept and resent as a report is, unless nothing
   * was asked for it.
   */
  giveUp(record: TrialRecord): void
  /** Finished trials not yet acknowledged. */
  backlog(): number
  release(leases: Lease[]): void
  halt(failure: Failure, until: string | null): void
  /** Tells what was found before the first trial; with a halt, that the run cannot go on until somebody acts. */
  preflight(round: number, found: PreflightFound, halt: { failure: Failure; until: string | null } | null): void
  /** How often what the executor does may be told, in milliseconds; null: nobody wants to hear it. */
  readonly pulse_ms: number | null
  tell(pulse: AgentPulse): void
  /** Tells of a trial that is watched; lost where nobody is there to hear it. */
  tellLive?(told: LiveTold): void
  /** Resolves when everything reported is acknowledged. */
  drained(): Promise<void>
  close(): Promise<void>
}
