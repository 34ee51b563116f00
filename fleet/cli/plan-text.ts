import type { PlanPreview } from '#shared/contract/api.ts'
import { cost, count, duration } from './numbers.ts'
import { cleanLine, table } from './terminal.ts'

const columns = [
  { title: 'benchmark', whole: true },
  { title: 'items', right: true },
  { title: 'epochs', right: true },
  { title: 'trials', right: true },
  { title: '±', right: true },
  { title: 'profile' },
  { title: 'data' },
]

/** A preview as people read it. The `±` column is the widest half width (95 %) the score can have. */
export function planText(preview: PlanPreview, width: number | null): string[] {
  const rows = preview.benchmarks.map((one) => [
    one.name,
    count(one.items),
    String(one.epochs),
    count(one.trials),
    `${one.half_width_pct.toFixed(1)} %`,
    one.judge ? `${one.profile}, judged by ${cleanLine(one.judge)}` : one.profile,
    one.data_source === 'sample' ? 'SAMPLE' : one.data_source,
  ])
  const time = preview.minutes === null ? 'time unknown' : `about ${duration(preview.minutes * 60_000)}`
  const tokens = `about ${count(preview.input_tokens)} tokens in, ${count(preview.output_tokens)} out`
  const sums = [`${count(preview.trials)} trials`, tokens, `cost ${cost(preview.cost_usd)}`, time]
  const judging = preview.judge
    ? [
        `judging besides: about ${count(preview.judge.input_tokens)} tokens in, ${count(preview.judge.output_tokens)} out`,
        `cost ${cost(preview.judge.cost_usd)}`,
      ]
    : []
  const lines = [sums, judging].filter((parts) => parts.length > 0).map((parts) => parts.join('  ·  '))
  return [...table(columns, rows, width), '', ...lines, ...preview.notes.map((note) => `note: ${cleanLine(note, 300)}`)]
}
