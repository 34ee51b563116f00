import { agentMetrics } from './agent-metrics.ts'
import type { MetricDef } from './metric-def.ts'
import { serviceMetrics } from './service-metrics.ts'

/** Everything that is measured, by name. What is not in here cannot be counted. */
export const metrics = { ...agentMetrics, ...serviceMetrics }
export type MetricName = keyof typeof metrics

/** The same, without the exact labels of each. */
export const metricDefs: Readonly<Record<MetricName, MetricDef>> = metrics

type Table = typeof metrics
type NamesOf<Kind> = { [N in MetricName]: Table[N]['kind'] extends Kind ? N : never }[MetricName]
export type CounterName = NamesOf<'counter'>
export type GaugeName = NamesOf<'gauge'>
export type HistogramName = NamesOf<'histogram'>

type ValueOf<Def> = Def extends { values: readonly (infer V extends string)[] } ? V : string
/** The labels of a metric, each with a value it may have. */
export type LabelsOf<N extends MetricName> = { [L in keyof Table[N]['labels']]: ValueOf<Table[N]['labels'][L]> }

/** Metrics of one table, for whoever measures only those. */
export const namesOf = (table: Partial<Record<MetricName, unknown>>): MetricName[] => Object.keys(table) as MetricName[] // only names of metrics are keys
