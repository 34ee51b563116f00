import type { LabelDef, MetricDef } from './metric-def.ts'
import { type MetricName, metricDefs } from './metrics.ts'
import type { Telemetry } from './telemetry.ts'

/** What was told under one set of labels, which stand in the order of the table. */
export type Series = { labels: readonly (readonly [name: string, value: string])[]; value: Value }
/** A number, or a histogram: how many values fell into each bucket alone (the last has no upper bound), and their sum. */
export type Value = { kind: 'number'; number: number } | { kind: 'histogram'; counts: readonly number[]; sum: number }
export type Family = { name: MetricName; def: MetricDef; series: readonly Series[] }

/** Stands for every value of a label beyond those that are kept. */
export const otherValue = 'other'
/** Counters whose labels have so few values in all are there from the start with 0: a rate needs the value before the first event. */
const mostZeros = 12

/** A series while it grows. */
type Growing = {
  labels: Series['labels']
  value: { kind: 'number'; number: number } | { kind: 'histogram'; counts: number[]; sum: number }
}

type Labels = Readonly<Record<string, string>>
type Told = { labels: Labels; value: number }
type Kept = {
  def: MetricDef
  defs: readonly (readonly [string, LabelDef])[]
  kept: Map<string, Set<string>>
  series: Map<string, Growing>
  /** The series that was told of last, by its very labels: most of what is told comes again and again from one place. */
  last: { labels: Labels; series: Growing } | null
  sources: Set<() => readonly Told[]>
}

export type Registry = Omit<Telemetry, 'log'> & {
  /** What has been told so far, in the order of the table; a metric of which nothing was told is left out. */
  read(): Family[]
}

/** Keeps what is told under the given names; all else is passed over. The number of series is bounded by the table. */
export function createRegistry(names: readonly MetricName[]): Registry {
  const all = new Map<string, Kept>()
  for (const name of names) {
    const kept: Kept = {
      def: metricDefs[name],
      defs: Object.entries(metricDefs[name].labels),
      kept: new Map(),
      series: new Map(),
      last: null,
      sources: new Set(),
    }
    all.set(name, kept)
    for (const labels of zerosOf(kept.def)) add(kept, labels, 0)
  }
  return {
    count(name, labels, by = 1) {
      const metric = all.get(name)
      if (metric && by >= 0 && Number.isFinite(by)) add(metric, labels, by)
    },
    observe(name, labels, value) {
      const metric = all.get(name)
      if (metric && Number.isFinite(value)) place(metric, labels, value)
    },
    watch(name, read) {
      const source = (): readonly Told[] => read()
      all.get(name)?.sources.add(source)
      return () => void all.get(name)?.sources.delete(source)
    },
    read: () =>
      names.flatMap((name) => {
        const series = seriesOf(all.get(name)!)
        return series.length > 0 ? [{ name, def: metricDefs[name], series }] : []
      }),
  }
}

/** What was told, and on top of it what the sources say now. */
function seriesOf(metric: Kept): Series[] {
  const now: Kept = { ...metric, last: null, series: new Map([...metric.series].map(([key, one]) => [key, copyOf(one)])) }
  for (const read of metric.sources) for (const { labels, value } of read()) if (Number.isFinite(value)) add(now, labels, value)
  return [...now.series.values()]
}

function copyOf({ labels, value }: Growing): Growing {
  return { labels, value: value.kind === 'number' ? { ...value } : { ...value, counts: [...value.counts] } }
}

function add(metric: Kept, labels: Labels, by: number): void {
  const { value } = growing(metric, labels, () => ({ kind: 'number', number: 0 }))
  if (value.kind === 'number') value.number += by
}

function place(metric: Kept, labels: Labels, given: number): void {
  if (metric.def.kind !== 'histogram') return
  const { buckets } = metric.def
  const { value } = growing(metric, labels, () => ({ kind: 'histogram', counts: Array<number>(buckets.length + 1).fill(0), sum: 0 }))
  if (value.kind !== 'histogram') return
  const found = buckets.findIndex((bound) => given <= bound)
  const at = found === -1 ? buckets.length : found
  value.counts[at] = value.counts[at]! + 1
  value.sum += given
}

/** The series under these labels, made where there is none. It is asked for with every value that is told. */
function growing(metric: Kept, labels: Labels, empty: () => Growing['value']): Growing {
  if (metric.last?.labels === labels) return metric.last.series
  let key = ''
  for (const [label, def] of metric.defs) key += `${bounded(metric, label, def, labels[label] ?? '')}\0`
  const known = metric.series.get(key)
  if (known) {
    metric.last = { labels, series: known }
    return known
  }
  const pairs = metric.defs.map(([label, def]) => [label, bounded(metric, label, def, labels[label] ?? '')] as const)
  const made = { labels: pairs, value: empty() }
  metric.series.set(key, made)
  return made
}

function bounded({ kept }: Kept, label: string, def: LabelDef, value: string): string {
  if ('values' in def) return def.values.includes(value) ? value : otherValue
  const known = kept.get(label) ?? new Set()
  kept.set(label, known)
  if (known.has(value)) return value
  if (known.size >= def.most) return otherValue
  known.add(value)
  return value
}

/** Every combination of a counter's labels, where there are few; none for other metrics. */
function zerosOf({ kind, labels }: MetricDef): Labels[] {
  if (kind !== 'counter') return []
  let combined: Labels[] = [{}]
  for (const [label, def] of Object.entries(labels)) {
    if (!('values' in def) || combined.length * def.values.length > mostZeros) return []
    combined = combined.flatMap((one) => def.values.map((value) => ({ ...one, [label]: value })))
  }
  return combined
}
