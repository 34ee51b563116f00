import type { ArtifactKind } from '#shared/contract/artifact.ts'
import type { Outcome } from '#shared/contract/failure.ts'
import type { SandboxKind } from '#shared/contract/resources.ts'
import type { MeasuredBy } from '#shared/contract/stream.ts'
import type { Clock } from '#shared/run/clock.ts'
import type { ReplayedTrial } from '#shared/run/replay.ts'
import type { ArtifactBody, HandedOverHere } from '#shared/solvers/kit.ts'
import type { Machine, MachineImage, MachineSpec } from '#shared/solvers/machine.ts'
import type { Sandbox, SandboxSpec } from '#shared/solvers/sandbox.ts'
import type { Lanes, SandboxLane } from '../lanes/lanes.ts'
import type { LiveTrial } from '../live/live-trial.ts'
import { processClock } from '../process-clock.ts'
import type { SandboxTrial } from '../sandbox/trial-name.ts'

/**
 * Opens sandboxes. Only the fleet closes one, whatever the solver did with it. `trial`: whose it is, for who looks at the machine; nobody's where it
 * is left out. Nothing of it can be seen inside.
 */
export type SandboxProvider = {
  open(spec: SandboxSpec, signal: AbortSignal, trial?: SandboxTrial): Promise<Outcome<Sandbox & AsyncDisposable>>
}

/** Opens machines of tasks. Only the fleet closes one; one that was stopped takes nothing any more. */
export type MachineProvider = {
  open(spec: MachineSpec, signal: AbortSignal, trial?: SandboxTrial): Promise<Outcome<Machine & AsyncDisposable>>
  /** May fetch an image ahead for a trial that waits for its turn, until the signal aborts. Nothing is told of it. */
  warm?(image: MachineImage, signal: AbortSignal): void
  /**
   * Makes images ready for a trial that may come to this agent, when it can; not any more once the signal aborts before that was begun. Nothing is told of it. Left out
   * where nothing is made ready.
   */
  expect?: ((one: { images(): Promise<readonly MachineImage[]>; signal: AbortSignal }) => void) | undefined
}

/** Sandboxes of a kind that this agent has proved, and the lane in which they take their room. */
export type SandboxesOfKind = { kind: SandboxKind; lane: SandboxLane; provider: SandboxProvider }

/** Something that an attempt at a trial leaves behind. `body` is read once. */
export type ToKeep = { ordinal: number; attempt: number; kind: ArtifactKind; media_type: string; body: ArtifactBody }
/** Under which hash (SHA-256, lower-case hex) it is kept, and how many bytes it has. */
export type Kept = { sha256: string; bytes: number }

/**
 * Keeps bytes of one run under their hash. A store that is away is waited for until the signal aborts; what it refuses for good is a failure. What
 * the body throws passes through.
 */
export type ArtifactStore = { keep(what: ToKeep, signal: AbortSignal): Promise<Outcome<Kept>> }

/** What an agent has for trials beside models and data. */
export type TrialResources = {
  /** Tokens that the window of the tested model holds, as the pre-flight found it; null where it is not known. */
  contextLength(): number | null
  /** The run that the trials are of; null where there is none. */
  run_id: string | null
  /** The tested model, as programs in machines have to name it. */
  tested: string
  /** The kind to be taken first at the head. */
  sandboxes: readonly SandboxesOfKind[]
  /** Null where this agent has no engine for machines, or has not proved it. */
  machines: MachineProvider | null
  artifacts: ArtifactStore | null
  /** The turns of this run at what all runs of the agent share; null where nothing is shared. */
  lanes: Lanes | null
  clock: Clock
  /** What an earlier trial handed over, in a run that only grades again; null for a trial that has nothing to grade. Left out in every other run. */
  handedOver?(trial: ReplayedTrial, signal: AbortSignal): HandedOverHere | null
  /** By whom times are taken; null where nobody is named. */
  measuredBy: MeasuredBy | null
  /** Gets each trial that begins, for whoever wants to watch it; what it gives is called when the trial has ended. */
  live?(trial: LiveTrial): () => void
}

/** An agent that has neither sandboxes nor a store, and its calls to itself. */
export const noResources: TrialResources = {
  run_id: null,
  tested: 'tested-model',
  sandboxes: [],
  machines: null,
  artifacts: null,
  lanes: null,
  clock: processClock,
  measuredBy: null,
  contextLength: () => null,
}
