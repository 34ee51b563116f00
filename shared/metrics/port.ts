import type { Estimate } from '../contract/estimate.ts'
import type { TrialOutcome } from '../contract/trial.ts'
import type { StreamRow } from '../stream/stream-row.ts'

/** What a metric reads of one trial. Failures are given too; a metric never counts one as wrong. */
export type MetricRow = {
  item_id: string
  epoch: number
  group: string | null
  outcome: TrialOutcome
  score: number | null
  answer: string | null
  flags: string[]
  /** What the scorer saw besides its verdict. */
  detail: Readonly<Record<string, unknown>>
  /** Choices the item offered, where its kind has choices. */
  options: number | null
  /** Milliseconds to the whole answer and to its first token; absent or null where none was measured. */
  latency_ms?: number | null
  ttft_ms?: number | null
  /** How the answer came in; absent or null where none was measured. */
  stream?: StreamRow | null
}

/** A named number with its interval (95 %) where one is defined. */
export type MetricValue = Estimate
