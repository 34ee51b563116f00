import type { AheadItem } from '#shared/contract/ahead.ts'
import type { Outcome } from '#shared/contract/failure.ts'
import type { ModelPulse } from '#shared/contract/pulse.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import type { PreflightMade } from './preflight.ts'
import type { OpenedBenchmark } from './trial/execute-trial.ts'
import type { TrialResources } from './trial/resources.ts'
import type { ModelOfTrial, TrialModel } from './trial/trial-model.ts'

/** Everything a run needs before its first trial. Opening it may fail for the whole run: no data, no official text, no such provider. */
export type RunEquipment = {
  benchmarks: Map<string, OpenedBenchmark>
  model: TrialModel | ModelOfTrial
  /** Sandboxes, the store of artifacts and the clock of its trials; none where it is left out. */
  resources?: TrialResources
  /** What the calls to the run's models do now. */
  pulse?(): ModelPulse[]
  /** Takes the secrets of this agent out of a text. */
  clean?(text: string): string
  /** Looks at the endpoints with the run's own key. Left out where no run is ever looked at. */
  preflight?(signal: AbortSignal): Promise<PreflightMade>
  /** Makes images of machines ready for these items, in place of those named before. Left out where nothing can be made ready. */
  ahead?(items: readonly AheadItem[]): void
  close(): Promise<void>
}
/** `credential` returns the owner's key after the first leases; `renew` waits for its replacement. */
export type Equip = (
  spec: RunSpec,
  credential: () => string | null,
  width: number,
  renew?: (refused: string) => Promise<void>,
) => Promise<Outcome<RunEquipment>>
