import * as z from 'zod'

/**
 * Counts of values in buckets whose bounds grow by 4 %, so that any value is known within 2 % and histograms add up: two of them merged are the
 * histogram of all their values (`shared/metrics/log-histogram.ts`).
 */
export const LogHistogram = z.object({
  n: z.int().min(0),
  /** The exact extremes; null without values. */
  least: z.number().nullable(),
  most: z.number().nullable(),
  /** Bucket and count, ascending, without empty ones. Bucket 0 is everything below a thousandth. */
  buckets: z.array(z.tuple([z.int().min(0), z.int().min(1)])),
})
export type LogHistogram = z.infer<typeof LogHistogram>

const told = { unit: z.string(), p50: z.number(), p90: z.number(), p99: z.number() }
const { buckets: _buckets, ...withoutBuckets } = LogHistogram.shape
const counted = { n: z.int().min(1), ends: z.object({ done: z.int(), closed: z.int(), cut: z.int(), stalled: z.int() }) }

/**
 * How answers came in: over all that was measured, also of answers that were cut or stalled, each figure with its unit, how many answers have it, and
 * nearest-rank percentiles within 2 %. Figures that no answer has are absent. It can be added up.
 */
export const Streaming = z.object({ ...counted, figures: z.record(z.string(), LogHistogram.extend(told)) })
export type Streaming = z.infer<typeof Streaming>

/** The same without its buckets, of a whole run. */
export const RunStreaming = z.object({ ...counted, figures: z.record(z.string(), z.object({ ...withoutBuckets, ...told })) })
export type RunStreaming = z.infer<typeof RunStreaming>
