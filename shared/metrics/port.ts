import type { TrialOutcome } from '../contract/trial.ts'

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
}

/** A named number with its interval (95 %) where one is defined. */
export type MetricValue = { value: number | null; low: number | null; high: number | null; n: number; method: string }
