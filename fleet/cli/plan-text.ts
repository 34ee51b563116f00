import type { PlanPreview } from '#shared/contract/api.ts'
import { helpedBy, roleEntries, roleTitles } from '#shared/contract/role.ts'
import { limitsText } from '#shared/metrics/score-text.ts'
import { cost, count, duration } from './numbers.ts'
import { scoredOn } from './scored-on.ts'
import { cleanLine, table } from './terminal.ts'

const columns = [
  { title: 'benchmark', whole: true },
  { title: 'items', right: true },
  { title: 'epochs', right: true },
  { title: 'trials', right: true },
  { title: 'limits', right: true, whole: true },
  { title: 'detects', right: true },
  { title: 'profile' },
  { title: 'data' },
]

const detail = ' on the same items, 4 times in 5 (paired, 5 % two-sided, if they differ on a third of the items)'
const pointsText = (points: number | null): string => (points === null ? 'nothing' : `${points.toFixed(1)} points`)

/** The limits to expect around 50 % and 90 %, of the target that the score will have. */
function plannedText({ limits, target }: PlanPreview['benchmarks'][number]): string {
  const shown = limits.filter(({ score }) => score === 0.5 || score === 0.9)
  if (!target || shown.length === 0) return '–'
  const texts = shown.map((one) => limitsText(one[target]))
  return [...new Set(texts)].join(' or ')
}

/** A preview as people read it. `limits` are those (95 %) to expect around 50 %, where they are widest, and around 90 %. */
export function planText(preview: PlanPreview, width: number | null): string[] {
  const rows = preview.benchmarks.map((one) => [
    one.name,
    count(one.items),
    String(one.epochs),
    count(one.trials),
    plannedText(one),
    pointsText(one.detectable_pct),
    [one.profile, ...roleEntries(one.roles).map(([role, slug]) => `${helpedBy[role]} ${cleanLine(slug)}`)].join(', '),
    scoredOn(one.data_source, one.chosen),
  ])
  const time = preview.minutes === null ? 'time unknown' : `about ${duration(preview.minutes * 60_000)}`
  const tokens = `about ${count(preview.input_tokens)} tokens in, ${count(preview.output_tokens)} out`
  const sums = [`${count(preview.trials)} trials`, tokens, `cost ${cost(preview.cost_usd)}`, time]
  const helping = roleEntries(preview.roles).map(([role, one]) => [
    `${roleTitles[role].toLowerCase()} besides: about ${count(one.input_tokens)} tokens in, ${count(one.output_tokens)} out`,
    `cost ${cost(one.cost_usd)}`,
  ])
  const lines = [sums, ...helping].map((parts) => parts.join('  ·  '))
  const detects =
    preview.detectable_pct === null ? [] : [`detects a difference of ${pointsText(preview.detectable_pct)} between two models${detail}`]
  return [...table(columns, rows, width), '', ...lines, ...detects, ...preview.notes.map((note) => `note: ${cleanLine(note, 300)}`)]
}
