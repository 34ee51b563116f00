import type { RescoreCounts, RescoreDifference, RescoreSummary, Scored } from '#shared/contract/rescore.ts'
import { count, score } from './numbers.ts'
import type { Outcome } from './rescore-run.ts'
import { type Column, cleanLine, table } from './terminal.ts'

const columns: Column[] = [
  { title: 'benchmark', whole: true },
  { title: 'scorer' },
  { title: 'trials', right: true },
  { title: 'changed', right: true },
  { title: 'not computed', right: true },
  { title: 'old score', right: true },
  { title: 'n', right: true },
  { title: 'new score', right: true },
  { title: 'n', right: true },
]

/** A line a benchmark, then at most `limit` changed trials of each as old → new. */
export function rescoreText(outcomes: readonly Outcome[], limit: number, width: number | null): string[] {
  const rescored = outcomes.flatMap((one) => ('rescored' in one ? [one.rescored] : []))
  const lines =
    rescored.length > 0
      ? table(
          columns,
          rescored.map(({ summary }) => summaryRow(summary)),
          width,
        )
      : []
  for (const { summary, differences } of rescored) {
    if (differences.length > 0) lines.push('')
    for (const one of differences.slice(0, limit)) lines.push(differenceLine(summary, one))
    if (differences.length > limit) lines.push(`… and ${count(differences.length - limit)} more of ${summary.benchmark} (--limit, --json)`)
    const reasons = Object.entries(summary.counts.not_recomputed).map(([reason, times]) => `${count(times)} ${reason}`)
    const tables = summary.missing_tables.length > 0 ? `; missing: ${summary.missing_tables.join(', ')}` : ''
    if (reasons.length > 0) lines.push('', `${summary.benchmark}: not computed again: ${reasons.join(', ')}${tables}`)
  }
  for (const one of outcomes) if ('skipped' in one) lines.push(one.skipped)
  return lines
}

/** How many trials of these counts could not be computed again. */
export function notRecomputed({ not_recomputed }: RescoreCounts): number {
  return Object.values(not_recomputed).reduce((sum, times) => sum + times, 0)
}

function summaryRow({ benchmark, from, to, counts, before, after, headline }: RescoreSummary): string[] {
  const scorer = from.version === to.version ? `${to.version}` : `${from.version} → ${to.version}`
  const side = (estimates: RescoreSummary['before']) => {
    const estimate = estimates[headline]
    return estimate ? [score(estimate), count(estimate.n)] : ['–', '0']
  }
  const numbers = [counts.trials, counts.changed, notRecomputed(counts)].map(count)
  return [benchmark, scorer, ...numbers, ...side(before), ...side(after)]
}

function differenceLine({ benchmark }: RescoreSummary, { item_id, epoch, before, after }: RescoreDifference): string {
  const where = `${benchmark} ${item_id}${epoch > 0 ? ` (epoch ${epoch})` : ''}`
  return cleanLine(
    `${where}  ${sideText(before)} → ${sideText(after)}${sameVerdict(before, after) ? `  (${fieldsThatDiffer(before, after)})` : ''}`,
  )
}

const sideText = ({ outcome, score: value, answer }: Scored): string =>
  `${outcome}${value === null || value === 0 || value === 1 ? '' : ` ${value}`} ${answer === null ? '(no answer)' : `“${cleanLine(answer, 40)}”`}`

const sameVerdict = (a: Scored, b: Scored): boolean => a.outcome === b.outcome && a.score === b.score && a.answer === b.answer

/** What else differs, where the verdict is the same. */
function fieldsThatDiffer(a: Scored, b: Scored): string {
  const fields = ['explanation', 'flags', 'detail'] as const
  return fields.filter((field) => JSON.stringify(a[field]) !== JSON.stringify(b[field])).join(', ')
}
