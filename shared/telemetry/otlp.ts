import { units } from './metric-def.ts'
import type { Family, Series } from './registry.ts'

/** Who tells: `service.name`, `service.version`, `service.instance.id`. */
export type OtlpResource = Readonly<Record<string, string>>
/** When the counters began, where that is known, and now; ms since 1970. */
export type OtlpTimes = { startMs: number | null; nowMs: number }

/** Sums since the beginning, in OTLP's words. */
const cumulative = 2

type Attribute = { key: string; value: { stringValue: string } }
type Point = { attributes: Attribute[]; startTimeUnixNano?: string; timeUnixNano: string }
type NumberPoint = Point & { asDouble: number }
type HistogramPoint = Point & { count: string; sum: number; bucketCounts: string[]; explicitBounds: readonly number[] }
type Metric = { name: string; description: string; unit: string } & (
  | { gauge: { dataPoints: NumberPoint[] } }
  | { sum: { aggregationTemporality: number; isMonotonic: true; dataPoints: NumberPoint[] } }
  | { histogram: { aggregationTemporality: number; dataPoints: HistogramPoint[] } }
)
type Times = Omit<Point, 'attributes'>

/**
 * Metrics as the JSON body of an OTLP/HTTP request to `/v1/metrics`: 64-bit integers are texts, enums numbers. A gauge that is no number is
 * left out, as JSON has none.
 */
export function encodeOtlp(families: readonly Family[], resource: OtlpResource, times: OtlpTimes) {
  const metrics = families.flatMap((family) => encodeFamily(family, times))
  const scope = { name: 'chutes-bench-runner', version: resource['service.version'] ?? '' }
  return { resourceMetrics: [{ resource: { attributes: attributesOf(Object.entries(resource)) }, scopeMetrics: [{ scope, metrics }] }] }
}

/** The one metric of a family; none where nothing of it can be told. */
function encodeFamily({ name, def, series }: Family, { startMs, nowMs }: OtlpTimes): Metric[] {
  const told = { name, description: def.help, unit: units[def.unit] }
  const at: Times = { timeUnixNano: nanoseconds(nowMs) }
  const since: Times = startMs === null ? at : { startTimeUnixNano: nanoseconds(startMs), ...at }
  if (def.kind === 'histogram') {
    const dataPoints = histogramsOf(series, def.buckets, since)
    return dataPoints.length > 0 ? [{ ...told, histogram: { aggregationTemporality: cumulative, dataPoints } }] : []
  }
  const dataPoints = numbersOf(series, def.kind === 'gauge' ? at : since)
  if (dataPoints.length === 0) return []
  if (def.kind === 'gauge') return [{ ...told, gauge: { dataPoints } }]
  return [{ ...told, sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints } }]
}

function numbersOf(series: readonly Series[], times: Times): NumberPoint[] {
  return series.flatMap(({ labels, value }) =>
    value.kind === 'number' && Number.isFinite(value.number)
      ? [{ attributes: attributesOf(labels), ...times, asDouble: value.number }]
      : [],
  )
}

function histogramsOf(series: readonly Series[], explicitBounds: readonly number[], times: Times): HistogramPoint[] {
  return series.flatMap(({ labels, value }) => {
    if (value.kind !== 'histogram') return []
    const count = value.counts.reduce((all, one) => all + one, 0)
    const buckets = { count: String(count), sum: value.sum, bucketCounts: value.counts.map(String), explicitBounds }
    return [{ attributes: attributesOf(labels), ...times, ...buckets }]
  })
}

const attributesOf = (pairs: readonly (readonly [string, string])[]): Attribute[] =>
  pairs.map(([key, value]) => ({ key, value: { stringValue: value } }))

/** Beyond what a number holds exactly, so made as text. */
const nanoseconds = (ms: number): string => `${Math.round(ms)}000000`
