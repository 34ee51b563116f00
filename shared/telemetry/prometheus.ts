import type { Family, Series } from './registry.ts'

/** Media type of what `renderPrometheus` writes. */
export const prometheusType = 'text/plain; version=0.0.4; charset=utf-8'

/** Metrics in Prometheus' text format 0.0.4, as scrapers read it. */
export function renderPrometheus(families: readonly Family[]): string {
  return families
    .map(({ name, def, series }) => {
      const bounds = def.kind === 'histogram' ? def.buckets : []
      const head = `# HELP ${name} ${escapeHelp(def.help)}\n# TYPE ${name} ${def.kind}\n`
      return head + series.map((one) => linesOf(name, one, bounds)).join('')
    })
    .join('')
}

function linesOf(name: string, { labels, value }: Series, bounds: readonly number[]): string {
  const line = (suffix: string, more: Series['labels'], number: number): string =>
    `${name}${suffix}${labelsText([...labels, ...more])} ${numberText(number)}\n`
  if (value.kind === 'number') return line('', [], value.number)
  let below = 0
  const buckets = value.counts.map((count, at) => {
    below += count
    return line('_bucket', [['le', numberText(bounds[at] ?? Number.POSITIVE_INFINITY)]], below)
  })
  return `${buckets.join('')}${line('_sum', [], value.sum)}${line('_count', [], below)}`
}

const labelsText = (labels: Series['labels']): string =>
  labels.length === 0 ? '' : `{${labels.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(',')}}`

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"')

/** A number as Go's ParseFloat reads it. */
function numberText(number: number): string {
  if (number === Number.POSITIVE_INFINITY) return '+Inf'
  if (number === Number.NEGATIVE_INFINITY) return '-Inf'
  return String(number) // NaN is NaN in both, and -0 is 0
}
