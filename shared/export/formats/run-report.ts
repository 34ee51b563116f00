import type { BenchmarkResult, Run } from '../../contract/api.ts'
import type { ModelParams } from '../../contract/message.ts'
import { helpedBy, roleEntries, rolesOf, roleTitles } from '../../contract/role.ts'
import type { RunHead } from '../../contract/run.ts'
import type { Spent } from '../../contract/usage.ts'
import { overallEstimate } from '../../metrics/estimate.ts'
import { count, duration, moment, priceText, usd } from '../../metrics/number-text.ts'
import { countText, limitsText, meaningOf } from '../../metrics/score-text.ts'
import { streamingTexts } from '../../metrics/streaming-texts.ts'
import { agentText } from '../../run/agent-text.ts'
import { chosenText, subsetText } from '../../run/chosen-text.ts'
import { paramTexts } from '../../run/param-texts.ts'
import { unaskedNote } from '../../run/partial-note.ts'
import { runLabels } from '../../run/run-labels.ts'
import { costText, untoldText } from '../../run/spent-text.ts'
import { atMost } from './printable.ts'

/** What ties a report to the signed result and to the records behind it. */
export type Proof = {
  plan_sha256: string
  /** Of the JSONL export as this reader gets it; `withheld` where that leaves out texts of gated data. */
  records_sha256: string
  withheld: boolean
  public_key_fingerprint: string | null
  /** Version and commit of the service. */
  code: string
  /** Where the service is, without a slash at the end; empty when it does not know. */
  service_url: string
}

export type Fact = readonly [name: string, value: string]
export type ReportRow = { name: string; cells: readonly string[]; details: string; warning: string | null }
export type Report = {
  title: string
  subtitle: string
  notes: readonly string[]
  headline: { title: string; score: string; limits: string; meaning: string }
  facts: readonly Fact[]
  columns: readonly string[]
  rows: readonly ReportRow[]
  legend: readonly string[]
  spent: readonly Fact[]
  proof: readonly Fact[]
  verify: readonly string[]
  /** Times of the run itself, so that its report is the same whenever it is made. */
  created_at: string
  ended_at: string
}

const none = '–'
const longestWords = 600
const points = (share: number): string => (share * 100).toFixed(1)

/** The report of an ended run, from what this reader may see of it: every number is one of the JSON export. */
export function reportOf(run: Run, proof: Proof): Report {
  const scored = run.benchmarks.filter((one) => one.estimate.value !== null)
  return {
    title: run.model_slug,
    subtitle: run.name === null ? `Run ${run.id}` : `${run.name} (run ${run.id})`,
    notes: notesOf(run, scored.length),
    headline: headlineOf(run, scored),
    facts: factsOf(run),
    columns: ['Benchmark', 'Score, %', '95 % interval, %', 'Interval of', 'Items scored', 'Failed trials'],
    rows: run.benchmarks.map((one) => rowOf(one, run)),
    legend: legendOf(run),
    spent: spentOf(run),
    proof: proofOf(proof),
    verify: verifySteps(run, proof),
    created_at: run.created_at,
    ended_at: run.completed_at ?? run.created_at,
  }
}

/** What a reader must know before the score: what it is not, and how much of the run is missing. */
function notesOf(run: Run, scored: number): string[] {
  const unasked = run.status === 'canceled' ? unaskedNote(run.head) : undefined
  const all = run.benchmarks.length
  return [
    ...run.labels.map((name) => `${capital(runLabels[name].word)}: ${runLabels[name].title}`),
    ...(unasked ? [`${unasked.title} ${unasked.text}`] : []),
    ...(run.status === 'failed' || run.status === 'incomplete'
      ? [`The run is ${run.status}. ${atMost(run.error_message ?? '', longestWords)}`]
      : []),
    ...(scored > 0 && scored < all ? [`${all - scored} of ${all} benchmarks without a scored answer: left out of the score below.`] : []),
  ]
}

function headlineOf(run: Run, scored: readonly BenchmarkResult[]): Report['headline'] {
  const all = run.benchmarks.length
  const estimate = scored.length < all && scored.length > 0 ? overallEstimate(scored.map((one) => one.estimate)) : run.estimate
  const title = all === 1 ? run.benchmarks[0]!.display_name : titleOf(scored.length, all)
  if (estimate.value === null) return { title, score: none, limits: 'No score: nothing could be scored.', meaning: '' }
  const limits = limitsText(estimate)
  return {
    title,
    score: `${points(estimate.value)} %`,
    limits: [limits === undefined || limits === 'exact' ? limits : `95 % interval ${limits} %`, countText(estimate)]
      .filter(Boolean)
      .join(' · '),
    meaning: meaningOf(estimate) ?? '',
  }
}

function titleOf(scored: number, all: number): string {
  if (scored === 0 || scored === all) return `Mean of ${all} benchmarks`
  return scored === 1 ? `1 of ${all} benchmarks` : `Mean of ${scored} of ${all} benchmarks`
}

function factsOf({ spec, head, ...run }: Run): Fact[] {
  const { subset } = spec
  const took = head.started_at && head.completed_at ? Date.parse(head.completed_at) - Date.parse(head.started_at) : null
  return [
    ['Run', run.id],
    ...(run.name === null ? [] : [['Name', run.name] as const]),
    ...(run.tags.length > 0 ? [['Tags', run.tags.join(', ')] as const] : []),
    ['Model', `${spec.model.slug} at ${spec.model.provider}${spec.model.id === spec.model.slug ? '' : ` (${spec.model.id})`}`],
    ['Status', `${run.status}, ${count(head.done)} of ${count(head.total)} trials done`],
    ['Subset', subsetText(spec)],
    ['Seed', `${subset.seed} (${subset.sampling})`],
    ['Created', moment(spec.created_at)],
    ['Ran', head.started_at && head.completed_at ? `${moment(head.started_at)} to ${moment(head.completed_at)}, ${duration(took)}` : none],
  ]
}

function rowOf(result: BenchmarkResult, run: Run): ReportRow {
  const { estimate } = result
  const tally = run.head.benchmarks[result.benchmark_name]
  const planned = run.spec.benchmarks.find((one) => one.name === result.benchmark_name)
  const target = estimate.value === null ? none : estimate.target === 'expected' ? 'expected score' : 'score as answered'
  const trials = estimate.trials != null && estimate.trials !== estimate.n ? ` (${count(estimate.trials)} trials)` : ''
  return {
    name: result.display_name,
    cells: [
      estimate.value === null ? none : points(estimate.value),
      limitsText(estimate) ?? none,
      estimate.value !== null && estimate.target == null ? 'not recorded' : target,
      `${count(estimate.n)}${trials}`,
      `${count(result.failed)} of ${count(tally?.total ?? 0)}`,
    ],
    details: [
      `${result.benchmark_name} version ${planned?.version ?? none}, profile ${result.profile}`,
      `${count(result.sampled_items)} of ${count(result.total_items)} items${result.epochs > 1 ? ` × ${result.epochs}` : ''}`,
      `data ${result.data.source}: ${result.data.repo} @ ${result.data.revision.slice(0, 12)}`,
      ...(planned?.chosen ? [`chosen items ${chosenText(planned)}`] : []),
      ...paramsOf(planned?.params ?? {}),
      ...(planned ? roleEntries(rolesOf(planned)) : []).map(([role, { model }]) => `${helpedBy[role]} ${model.slug} at ${model.provider}`),
      ...(planned?.agent ? [agentText(planned.agent)] : []),
      `${count(result.right)} right, ${count(result.wrong)} wrong`,
      ...(result.failed > 0 && result.worst_case !== null && result.best_case !== null
        ? [`failures as wrong ${points(result.worst_case)} %, as right ${points(result.best_case)} %`]
        : []),
      ...flagsOf(tally?.flags ?? {}),
      ...(result.status === 'succeeded' ? [] : [`${result.status}, ${count(result.completed_items)} trials done`]),
    ].join(' · '),
    warning: result.warning,
  }
}

/** Lists of texts as JSON: a stop text may be a comma. */
function paramsOf(params: Partial<ModelParams>): string[] {
  const given = paramTexts(params).map(([name, text]) => `${name} ${name === 'stop' ? JSON.stringify(params.stop) : text}`)
  return given.length > 0 ? [given.join(', ')] : []
}

function flagsOf(flags: Readonly<Record<string, number>>): string[] {
  const told = Object.entries(flags)
    .filter(([, times]) => times > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1)) // the database has its own order of keys
  return told.length > 0 ? [`flags ${told.map(([name, times]) => `${name} ${count(times)}`).join(', ')}`] : []
}

function legendOf(run: Run): string[] {
  const meanings = new Set(run.benchmarks.map(({ estimate }) => meaningOf(estimate)))
  const order = [...meanings].filter((one) => one !== undefined).toSorted()
  return [
    ...order,
    ...(run.head.total > run.head.done || run.benchmarks.some((one) => one.failed > 0) ? ['Failures are no part of a score.'] : []),
  ]
}

function spentOf({ head, spec, streaming }: Run): Fact[] {
  return [
    ['Model', spentText(head)],
    ['Price', priceText(spec.price)],
    ...roleEntries(rolesOf(head)).map(([role, spent]) => [`${roleTitles[role]}, besides`, spentText(spent)] as const),
    ...(head.preflight?.found ? [['Pre-flight, besides', spentText(head.preflight.spent)] as const] : []),
    ['Attempts repeated', count(head.retried)],
    ...failuresOf(head),
    ...streamingTexts(streaming).map(({ title, text, n }): Fact => [title, `${text}, ${n}`]),
  ]
}

function spentText(spent: Spent): string {
  const { usage } = spent
  const { input_tokens, cached_tokens, output_tokens, reasoning_tokens } = usage
  const input = `${count(input_tokens)} input tokens${cached_tokens > 0 ? ` (${count(cached_tokens)} cached)` : ''}`
  const output = `${count(output_tokens)} output tokens${reasoning_tokens > 0 ? ` (${count(reasoning_tokens)} reasoning)` : ''}`
  const untold = untoldText(usage)
  return [input, output, costText(spent, usd, 'cost unknown'), ...(untold ? [untold] : [])].join(', ')
}

function failuresOf({ failures }: Pick<RunHead, 'failures'>): Fact[] {
  const classes = Object.entries(failures)
    .filter(([, times]) => times > 0)
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return classes.length > 0 ? [['Failures', classes.map(([name, times]) => `${name} ${count(times)}`).join(', ')]] : []
}

function proofOf(proof: Proof): Fact[] {
  return [
    ['Plan, SHA-256', proof.plan_sha256],
    [proof.withheld ? 'Records without gated texts, SHA-256' : 'Records, SHA-256', proof.records_sha256],
    ['Signing key, SHA-256', proof.public_key_fingerprint ?? 'none: this service signs nothing'],
    ['Service', `Chutes Bench Runner ${proof.code}`],
  ]
}

/** This page proves nothing by itself; what it was made from does. */
function verifySteps(run: Run, { service_url, public_key_fingerprint }: Proof): string[] {
  const file = (format: string) => `${service_url}/api/runs/${run.id}/export?format=${format}`
  const records = `The records: the SHA-256 of ${file('jsonl')} is the one above, for a reader with the same rights.`
  if (public_key_fingerprint === null) return [records]
  return [
    'This page is not signed. The signed ZIP of the same run is, and whoever has it can compute every score anew.',
    `Download ${file('zip')} and run "bench verify FILE", or drop it on ${service_url}/verify.`,
    'Its manifest must name the plan (spec_sha256) and the signing key (public_key_fingerprint) that stand above, and the same scores.',
    records,
  ]
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
