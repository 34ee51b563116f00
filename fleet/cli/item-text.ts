import * as z from 'zod'
import type { BenchmarkPage, RunItemDetail } from '#shared/contract/api.ts'
import { answerCutFlag, evidenceName, sectionsOf } from '#shared/contract/evidence/evidence.ts'
import type { StreamFacts } from '#shared/contract/stream.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { bytesText, lengthText, milliseconds } from '#shared/metrics/number-text.ts'
import { countText } from '#shared/metrics/score-text.ts'
import { stepText } from '#shared/run/step-text.ts'
import { measuredText, streamTexts, stretches, timelineOf } from '#shared/stream/stream-timeline.ts'
import { failureLines } from './failure-lines.ts'
import { cost, count, duration, score } from './numbers.ts'
import { clean, cleanLine, paint, table } from './terminal.ts'

const columns = [
  { title: 'item', whole: true },
  { title: 'epoch', right: true },
  { title: 'outcome' },
  { title: 'answer' },
  { title: 'expected' },
  { title: 'group' },
  { title: 'ms', right: true },
  { title: 'flags' },
]

/** A benchmark of a run: its numbers and a page of its items. */
export function pageText({ benchmark, items, summary }: BenchmarkPage, width: number | null): string[] {
  const rows = items.items.map((item) => [
    item.item_id,
    String(item.epoch),
    item.failure ? `${item.outcome} (${item.failure})` : item.outcome,
    cleanLine(item.answer ?? '–', 30),
    cleanLine(item.expected ?? '–', 30),
    item.group ?? '',
    item.latency_ms === null ? '–' : count(Math.round(item.latency_ms)),
    item.flags.join(', '),
  ])
  const marks = [...(benchmark.data.source === 'sample' ? ['SAMPLE'] : []), ...(benchmark.chosen ? ['CHOSEN ITEMS'] : [])]
  const marked = marks.map((mark) => `  [${mark}]`).join('')
  return [
    `${benchmark.benchmark_name}  ${score(benchmark.estimate)}  ${countText(benchmark.estimate)}${marked}`,
    `${count(summary.correct)} right, ${count(summary.incorrect)} wrong, ${count(summary.errors)} failed  ·  cost ${cost(summary.total_cost_usd)}`,
    ...failureLines(
      summary.error_breakdown.map(({ message, count }) => [message, count]),
      width,
    ),
    '',
    ...table(columns, rows, width),
    `${items.items.length} of ${lengthText(items)} items${items.next_offset === null ? '' : `; more: --offset ${items.next_offset}`}`,
  ]
}

type ShownItem = Pick<RunItemDetail, 'record'> & {
  item: Pick<
    RunItemDetail['item'],
    'answer' | 'expected' | 'latency_ms' | 'outcome' | 'benchmark' | 'item_id' | 'epoch' | 'input_tokens' | 'output_tokens'
  >
}

/** One item with all its texts. Whatever a model or a data set wrote is cleaned of terminal sequences. */
export function itemText({ item, record }: ShownItem, colour: boolean): string[] {
  const head = (title: string) => paint(`── ${title}`, 'dim', colour)
  const given = `${cleanLine(item.answer ?? 'no answer', 100)} → expected ${cleanLine(item.expected ?? '–', 100)}`
  const timing = item.latency_ms === null ? '' : `  ·  ${duration(item.latency_ms)}`
  const lines = [
    `${paint(item.outcome, item.outcome === 'right' ? 'green' : 'red', colour)}  ${given}`,
    `${item.benchmark} item ${item.item_id} epoch ${item.epoch}${timing}  ·  ${item.input_tokens} tokens in, ${item.output_tokens} out`,
  ]
  if (record.explanation) lines.push(cleanLine(record.explanation, 500))
  if (record.failure) lines.push(`${record.failure.at}/${record.failure.reason}: ${cleanLine(record.failure.detail, 500)}`)
  for (const message of record.messages) lines.push('', head(message.role), clean(message.content))
  for (const { title, text } of sectionsOf(record.evidence)) lines.push('', head(cleanLine(title)), clean(text))
  if (record.evidence && record.flags.includes(answerCutFlag))
    lines.push('', head(`these are beginnings; all that was scored is in ${evidenceName}`))
  if (record.stream) lines.push('', head('how it came in'), ...streamLines(record.stream, record.measured_by))
  const steps = (record.transcript ?? []).map((step) => `+${duration(step.at_ms)}  ${cleanLine(stepText(step).line, 200)}`)
  if (steps.length > 0) lines.push('', head('steps'), ...steps)
  const left = (record.artifacts ?? []).map((one) => `${cleanLine(one.name, 200)}  ${one.kind}  ${bytesText(one.bytes)}`)
  if (left.length > 0) lines.push('', head('left behind'), ...left)
  const checks = checkLines(record)
  if (checks.length > 0) lines.push('', head('checks'), ...checks)
  return lines
}

/** The stretches of its timeline in milliseconds, what else was measured, and by whom. */
function streamLines(stream: StreamFacts, by: TrialRecord['measured_by']): string[] {
  const measured = measuredText(by)
  const facts = [...timelineOf(stream).stretches.map(({ name, ms }) => [stretches[name], milliseconds(ms)]), ...streamTexts(stream)]
  return [...facts.map(([name, text]) => `${name}  ${text}`), ...(measured ? [cleanLine(measured, 200)] : [])]
}

const Checks = z.array(z.object({ name: z.string(), verdicts: z.record(z.string(), z.boolean()) }))

/** Every check of a score with its verdicts; none where the scorer checks nothing one by one. */
function checkLines({ detail }: TrialRecord): string[] {
  const checks = Checks.safeParse(detail.checks)
  if (!checks.success) return []
  const verdicts = (met: Record<string, boolean>) => Object.entries(met).map(([way, yes]) => `${way} ${yes ? 'met' : 'not met'}`)
  return checks.data.map(({ name, verdicts: met }) => `${cleanLine(name, 100)}  ${cleanLine(verdicts(met).join(', '), 100)}`)
}
