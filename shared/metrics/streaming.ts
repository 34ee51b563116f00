import { type StreamFacts, streamEnds } from '../contract/stream.ts'
import { type LogHistogram, type RunStreaming, Streaming } from '../contract/streaming.ts'
import { type StreamFigure, type StreamRow, streamFigureNames, streamFigures } from '../stream/stream-row.ts'
import { histogramOf, mergeHistograms, percentileOf } from './log-histogram.ts'

/** What these rows have measured; null where none has. */
export function streamingOf(rows: readonly { stream?: StreamRow | null }[]): Streaming | null {
  const told = rows.flatMap(({ stream }) => (stream ? [stream] : []))
  if (told.length === 0) return null
  const ends: Streaming['ends'] = { done: 0, closed: 0, cut: 0, stalled: 0 }
  for (const [end] of told) ends[endAt(end)]++
  const histograms = streamFigureNames.map((name, place) => [name, histogramOf(valuesAt(told, place + 1))] as const)
  return { n: told.length, ends, figures: figuresOf(histograms) }
}

/** What all of these have measured together; null of nothing. */
export function mergeStreaming(parts: readonly Streaming[]): Streaming | null {
  if (parts.length === 0) return null
  const ends = { done: 0, closed: 0, cut: 0, stalled: 0 }
  for (const part of parts) for (const end of streamEnds) ends[end] += part.ends[end]
  const histograms = streamFigureNames.map((name) => [name, mergeHistograms(parts.flatMap(({ figures }) => figures[name] ?? []))] as const)
  return { n: parts.reduce((sum, { n }) => sum + n, 0), ends, figures: figuresOf(histograms) }
}

/** What a run's benchmarks have measured together, by what their ends recorded; null where none has. */
export function runStreaming(metrics: readonly Readonly<Record<string, unknown>>[]): RunStreaming | null {
  const parts = metrics.flatMap(({ streaming }) => (streaming === undefined ? [] : (Streaming.safeParse(streaming).data ?? [])))
  const merged = mergeStreaming(parts)
  return merged && { ...merged, figures: mapValues(merged.figures, ({ buckets: _buckets, ...figure }) => figure) }
}

const mapValues = <A, B>(of: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value)]))

const endAt = (place: number | null | undefined): StreamFacts['end'] => streamEnds[place ?? 0] ?? 'done'

function* valuesAt(rows: readonly StreamRow[], place: number): Generator<number> {
  for (const row of rows) {
    const value = row[place]
    if (value !== null && value !== undefined) yield value
  }
}

function figuresOf(histograms: readonly (readonly [StreamFigure, LogHistogram])[]): Streaming['figures'] {
  const at = (histogram: LogHistogram, share: number): number => percentileOf(histogram, share)! // none is empty here
  return Object.fromEntries(
    histograms.flatMap(([name, { n, least, most, buckets }]) => {
      const told = { n, least, most, buckets }
      const percentiles = () => ({ p50: at(told, 0.5), p90: at(told, 0.9), p99: at(told, 0.99) })
      return n === 0 ? [] : [[name, { unit: streamFigures[name].unit, ...percentiles(), ...told }]]
    }),
  )
}
