/** Values a label may have: these alone, or whatever comes, of which `most` are kept; all further ones are told as `other`. Ids are no labels. */
export type LabelDef = { values: readonly string[] } | { most: number }

/** Units by the name that a metric's own name ends with, and as UCUM writes them, which OpenTelemetry uses. */
export const units = {
  seconds: 's',
  bytes: 'By',
  usd: '{USD}',
  tokens: '{token}',
  calls: '{call}',
  trials: '{trial}',
  runs: '{run}',
  agents: '{agent}',
  events: '{event}',
  cpus: '{cpu}',
  images: '{image}',
  none: '1',
} as const satisfies Record<string, string>
export type Unit = keyof typeof units

type Told = { help: string; unit: Unit; labels: Readonly<Record<string, LabelDef>> }

/**
 * What is measured under one name. A counter only grows and its name ends with `_total`; a gauge is what is so now; a histogram counts values
 * by the upper bounds of its buckets, which ascend.
 */
export type MetricDef = Told & ({ kind: 'counter' } | { kind: 'gauge' } | { kind: 'histogram'; buckets: readonly number[] })
