import { count, duration } from '../numbers.ts'
import { table } from '../terminal.ts'
import { type LoadReport, type LoadStep, loadSteps, type Sent } from './load-service.ts'

/** Requests of one step: `waited` got 429 or 503 and were sent again; `failed` got no answer or any other error. Times in milliseconds. */
export type StepFigures = {
  step: LoadStep
  sent: number
  waited: number
  failed: number
  statuses: Record<string, number>
  p50_ms: number
  p90_ms: number
  p99_ms: number
  max_ms: number
}

export function stepFigures(sent: readonly Sent[]): StepFigures[] {
  return loadSteps.flatMap((step) => {
    const own = sent.filter((one) => one.step === step)
    if (own.length === 0) return []
    const times = own.map(({ took_ms }) => took_ms).toSorted((a, b) => a - b)
    const at = (share: number) => times[Math.max(0, Math.ceil(share * times.length) - 1)]!
    const statuses: Record<string, number> = {}
    for (const { status } of own) statuses[status ?? 'no answer'] = (statuses[status ?? 'no answer'] ?? 0) + 1
    const waited = own.filter(({ status }) => status === 429 || status === 503).length
    const fine = own.filter(({ status }) => status !== null && status < 300).length
    return [
      {
        ...{ step, sent: own.length, waited, failed: own.length - fine - waited, statuses },
        ...{ p50_ms: at(0.5), p90_ms: at(0.9), p99_ms: at(0.99), max_ms: times.at(-1)! },
      },
    ]
  })
}

/** Whether every request was answered in the end and every episode ended. */
export function isClean({ sent, episodes }: LoadReport): boolean {
  return episodes.asked > 0 && episodes.open === 0 && stepFigures(sent).every(({ failed }) => failed === 0)
}

const columns = [
  { title: 'request' },
  { title: 'sent', right: true },
  { title: 'waited', right: true },
  { title: 'failed', right: true },
  { title: 'p50', right: true },
  { title: 'p90', right: true },
  { title: 'p99', right: true },
  { title: 'max', right: true },
  { title: 'statuses' },
]

/** The report as a table of requests and lines on episodes. */
export function loadText({ sent, episodes, left, took_ms }: LoadReport, width: number | null): string[] {
  const rows = stepFigures(sent).map((one) => [
    ...[one.step, count(one.sent), count(one.waited), count(one.failed)],
    ...[one.p50_ms, one.p90_ms, one.p99_ms, one.max_ms].map(milliseconds),
    Object.entries(one.statuses)
      .map(([status, times]) => `${status} × ${times}`)
      .join(', '),
  ])
  const { asked, passed, failed, open } = episodes
  const rate = took_ms > 0 ? `, ${(((passed + failed) / took_ms) * 1000).toFixed(2)} a second` : ''
  return [
    ...table(columns, rows, width),
    '',
    `${count(asked)} episodes: ${count(passed)} passed, ${count(failed)} failed, ${count(open)} open after ${duration(took_ms)}${rate}`,
    ...(left.length > 0 ? [`Tasks left in the service: ${left.slice(0, 10).join(', ')}${left.length > 10 ? ', …' : ''}`] : []),
  ]
}

const milliseconds = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)
