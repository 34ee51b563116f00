import type { BenchmarkResult, Run } from '#shared/contract/api.ts'
import { streamingTexts } from '#shared/metrics/streaming-texts.ts'
import { arrivingText } from '#shared/run/arriving-text.ts'
import { forecastText } from '#shared/run/forecast-text.ts'
import { pulseLines } from '#shared/run/pulse-text.ts'
import { failureLines } from './failure-lines.ts'
import type { Io } from './io.ts'
import { costParts, count, duration, score } from './numbers.ts'
import { parkedLines } from './parked-lines.ts'
import { preflightShown } from './preflight-shown.ts'
import { rolesText } from './roles-text.ts'
import { scoreDetails } from './score-details.ts'
import { scoredOn } from './scored-on.ts'
import { type Column, cleanLine, paint, table } from './terminal.ts'

const columns: Column[] = [
  { title: 'benchmark', whole: true },
  { title: 'score', right: true },
  { title: 'n', right: true },
  { title: 'right', right: true },
  { title: 'wrong', right: true },
  { title: 'failed', right: true },
  { title: 'state' },
  { title: 'data' },
]

/** A run as people read it: what it is, a line per benchmark, and what it took. */
export function runText(run: Run, { colour, columns: width, now }: Pick<Io, 'colour' | 'columns' | 'now'>): string[] {
  const rows = run.benchmarks.map(benchmarkRow)
  const labels = run.labels.length > 0 ? `  [${run.labels.join(', ')}]` : ''
  const lines = [
    `${paint(cleanLine(run.model_slug), 'bold', colour)}  ${statusText(run.status, colour, run.head.parked !== null)}${paint(labels, 'yellow', colour)}`,
    `run ${run.id}`,
    '',
    ...table(columns, rows, width),
    ...scoreDetails(
      run.benchmarks.map(({ benchmark_name: name, estimate, warning, estimates: metrics }) => ({ name, estimate, warning, metrics })),
      colour,
    ),
    ...streamLines(run),
    '',
    summary(run),
    ...rolesText(run.spec, run.head),
    ...preflightShown(run.head, run.spec, colour),
  ]
  for (const { text, grave } of run.pulse ? pulseLines(run.pulse, run.spec.model) : [])
    lines.push(grave ? paint(cleanLine(text, 200), 'yellow', colour) : cleanLine(text, 200))
  if (run.forecast) lines.push(`expected: ${forecastText(run.forecast, now())}`)
  const arriving = arrivingText(run)
  if (arriving) lines.push(paint(arriving, 'yellow', colour))
  lines.push(...parkedLines(run.head, { colour, columns: width }))
  if (run.error_message && !run.head.parked) lines.push(paint(cleanLine(run.error_message, 500), 'red', colour))
  lines.push(...failureLines(Object.entries(run.head.failures), width, run.head.causes))
  return lines
}

/** How the answers of several benchmarks came in together; of one alone it stands with its metrics. */
function streamLines({ streaming, benchmarks }: Run): string[] {
  if (!streaming || benchmarks.length < 2) return []
  const texts = streamingTexts(streaming)
  const widest = Math.max(...texts.map(({ title }) => title.length))
  return ['', 'how answers came in, all benchmarks', ...texts.map(({ title, text, n }) => `  ${title.padEnd(widest)}  ${text}  ${n}`)]
}

/** How a benchmark's data is named wherever its score is shown: a sample's score says nothing about the benchmark. */
const dataName = ({ data, chosen }: Pick<BenchmarkResult, 'data' | 'chosen'>) => scoredOn(data.source, chosen)

function benchmarkRow(result: BenchmarkResult): string[] {
  const { right, wrong, failed } = result
  const numbers = [result.estimate.n, right, wrong, failed].map(count)
  return [
    result.benchmark_name,
    score(result.estimate),
    ...numbers,
    `${result.status} ${result.completed_items}/${result.sampled_items * result.epochs}`,
    dataName(result),
  ]
}

function summary(run: Run): string {
  const { usage, started_at, completed_at } = run.head
  const parts = [`tokens ${count(usage.input_tokens)} in, ${count(usage.output_tokens)} out`, ...costParts(run.head)]
  if (started_at && completed_at) parts.push(`took ${duration(Date.parse(completed_at) - Date.parse(started_at))}`)
  return parts.join('  ·  ')
}

/** The status word of a run, in colour. A paused run with a reason in `head.parked` is `parked`. */
export function statusText(status: Run['status'], colour: boolean, isParked = false): string {
  if (isParked && status === 'paused') return paint('parked', 'yellow', colour)
  if (status === 'succeeded') return paint(status, 'green', colour)
  if (status === 'failed' || status === 'incomplete') return paint(status, 'red', colour)
  return status === 'canceled' ? paint(status, 'yellow', colour) : status
}
