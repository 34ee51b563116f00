import type { SandboxNeeds, SandboxPool } from '../../contract/resources.ts'
import type { RunSpec } from '../../contract/run.ts'

/** Benchmarks of a run with equal needs; an empty list stands for all benchmarks of the run. */
export type MatchPart = {
  benchmarks: readonly string[]
  open: number
  /** Null: its trials take a call each and nothing else. */
  sandbox: SandboxNeeds | null
  /** One trial at once, whatever the run's concurrency. */
  alone: boolean
  /** So many trials at once, at most, whatever the run's concurrency; absent: as many as that. */
  at_once?: number
  typical_seconds: number
}

/** How many trials of a part may be at work at once for what they are, at most. */
export const boundOf = ({ alone, at_once }: Pick<MatchPart, 'alone' | 'at_once'>): number =>
  alone ? 1 : (at_once ?? Number.POSITIVE_INFINITY)

/** A run as the fleet sees it while it has work to hand out. `needs` are capabilities that an agent must have for any part of it. */
export type MatchRun = {
  run_id: string
  owner_id: string
  /** The visibility of the run, for readers of the fleet's lists. */
  visibility: RunSpec['visibility']
  priority: number
  created_at: string
  needs: readonly string[]
  concurrency: number
  parts: readonly MatchPart[]
}

/** An agent as the fleet matches it: calls at once, and the sandboxes it has proved. */
export type MatchAgent = {
  session: string
  capabilities: readonly string[]
  slots: number
  sandboxes: readonly SandboxPool[]
}

/** What an agent is to do of a run: so many trials at once of each of its parts. */
export type Share = { benchmarks: readonly string[]; slots: number }
export type Assignment = { run_id: string; shares: readonly Share[] }

/** Trials at once over all parts. */
export const slotsOf = (shares: readonly Share[]): number => shares.reduce((sum, { slots }) => sum + slots, 0)
