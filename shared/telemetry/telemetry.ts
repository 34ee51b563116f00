import type { Log } from './log.ts'
import type { CounterName, GaugeName, HistogramName, LabelsOf } from './metrics.ts'

/** One value of a gauge or counter that is read when somebody asks. */
export type Reading<N extends CounterName | GaugeName> = { labels: LabelsOf<N>; value: number }

/**
 * Where work tells what it does. None of it throws or waits, so it may stand anywhere; what is no number, or would let a counter shrink, is
 * passed over.
 */
export type Telemetry = {
  log: Log
  count<N extends CounterName>(name: N, labels: LabelsOf<N>, by?: number): void
  observe<N extends HistogramName>(name: N, labels: LabelsOf<N>, value: number): void
  /** Is read whenever the metric is asked for, until taken back; what several tell under the same labels is added up. */
  watch<N extends CounterName | GaugeName>(name: N, read: () => readonly Reading<N>[]): () => void
}

/** Tells nobody. */
export const silent: Telemetry = { log: () => undefined, count: () => undefined, observe: () => undefined, watch: () => () => undefined }
