import * as z from 'zod'
import { type BenchmarkResult, Estimate, type Run } from '../contract/api.ts'
import type { Card } from '../contract/card.ts'
import type { PlannedBenchmark, RunHead, RunSpec, Tally } from '../contract/run.ts'
import type { TeamPlace } from '../contract/team-place.ts'
import { groupEstimate, overallEstimate, tallyEstimate } from '../metrics/estimate.ts'
import { plainMetrics, withOtherMetrics } from '../metrics/plain-metrics.ts'
import { runStreaming } from '../metrics/streaming.ts'
import type { RunView } from './audience.ts'
import { defaultSeed } from './build-spec.ts'
import { labelsOf } from './run-labels.ts'
import { scoreWarning } from './score-warning.ts'

/** A run with its state and the metrics that its end recorded. */
export type MeasuredRun = { spec: RunSpec; head: RunHead; metrics: Record<string, Record<string, unknown>> }
export type ViewOptions = {
  cards: readonly Card[]
  /** What its audience may see of it. */
  seen: Pick<RunView, 'spec' | 'head'>
  mine: boolean
  /** Told to members alone. */
  team?: TeamPlace | null
  /** Whether its answers are invented. */
  demo: boolean
  label?: { name: string | null; tags: string[] } | undefined
}

/** A run as pages, clients and exports see it. */
export function viewRun(run: MeasuredRun, { cards, seen, mine, team = null, demo, label }: ViewOptions): Run {
  const { spec } = run
  const head = seen.head(run.head)
  const benchmarks = spec.benchmarks.map((planned) =>
    toBenchmarkResult(
      planned,
      run,
      cards.find((one) => one.name === planned.name),
    ),
  )
  const estimate = overallEstimate(benchmarks.map((benchmark) => benchmark.estimate))
  return {
    id: spec.run_id,
    model_id: spec.model.id,
    model_slug: spec.model.slug,
    provider: spec.model.provider,
    subset_pct: spec.subset.pct,
    subset_count: spec.subset.count,
    subset_seed: spec.subset.seed === defaultSeed ? null : spec.subset.seed,
    status: head.status,
    selected_benchmarks: spec.benchmarks.map((benchmark) => benchmark.name),
    overall_score: estimate.value,
    error_message: errorMessage(head),
    provider_metadata: null,
    started_at: head.started_at,
    completed_at: head.completed_at,
    created_at: spec.created_at,
    benchmarks,
    labels: labelsOf(spec, demo),
    estimate,
    composites: [...new Set(spec.benchmarks.flatMap(({ name }) => cards.find((one) => one.name === name)?.composite ?? []))],
    visibility: spec.visibility,
    mine,
    team,
    name: label?.name ?? null,
    tags: label?.tags ?? [],
    spec: seen.spec(),
    head,
    pulse: null,
    arriving: null,
    forecast: null,
    streaming: runStreaming(Object.values(run.metrics)),
  }
}

/** One benchmark of a run: its counts, its score with interval, and what the failures could at worst and at best make of it. */
export function toBenchmarkResult(planned: PlannedBenchmark, stored: MeasuredRun, card: Card | undefined): BenchmarkResult {
  const { spec, head } = stored
  const tally = head.benchmarks[planned.name]!
  const { by_group, ...recordedMetrics } = z
    .record(z.string(), z.json())
    .catch({})
    .parse(stored.metrics[planned.name] ?? {})
  const estimates = inOrder(recordedMetrics, card)
  const ended = Object.keys(estimates).length > 0
  const estimate = recordedEstimate(estimates, card) ?? tallyEstimate(tally, planned)
  const recorded = z.record(z.string(), RecordedMetric).safeParse(by_group)
  const decided = tally.right + tally.wrong + tally.failed
  return {
    id: `${spec.run_id}:${planned.name}`,
    benchmark_name: planned.name,
    display_name: card?.display_name ?? planned.name,
    status: tally.status,
    total_items: planned.total_items,
    completed_items: decided,
    sampled_items: planned.sampled_items,
    epochs: planned.epochs,
    profile: planned.profile,
    data: planned.data,
    chosen: planned.chosen ?? false,
    score: estimate.value,
    estimate,
    worst_case: decided > 0 ? tally.score_sum / decided : null,
    best_case: decided > 0 ? (tally.score_sum + tally.failed) / decided : null,
    right: tally.right,
    wrong: tally.wrong,
    failed: tally.failed,
    metrics: ended ? withOtherMetrics(plainMetrics(planned, spec.subset, tally, estimate.value), estimates) : {},
    estimates,
    warning: scoreWarning(tally, planned, head),
    groups: Object.entries(head.groups[planned.name] ?? {})
      .map(([name, group]) => toGroup(name, group, own(recorded.data, name) ?? groupEstimate(group, name, planned, tally)))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    error_message: tally.failed > 0 ? `${tally.failed} of ${tally.total} trials could not be scored.` : null,
    started_at: tally.started_at,
    completed_at: tally.completed_at,
  }
}

/** Metrics in the order of the card, the headline first: the database has its own order of keys. */
function inOrder<T>(metrics: Record<string, T>, card: Card | undefined): Record<string, T> {
  const place = (name: string) => (card?.metrics.indexOf(name) ?? -1) >>> 0 // what is no metric comes last
  return Object.fromEntries(Object.entries(metrics).toSorted(([a], [b]) => place(a) - place(b)))
}

/** What data named, and not what every object has. */
const own = <T>(of: Record<string, T> | undefined, name: string): T | undefined => (of && Object.hasOwn(of, name) ? of[name] : undefined)

function toGroup(name: string, { right, wrong, failed, total }: Tally, estimate: Estimate): BenchmarkResult['groups'][number] {
  return { name, right, wrong, failed, total, estimate }
}

const RecordedMetric = Estimate.extend({ value: z.number() })

/** The benchmark's first metric, once the run's end has recorded it. */
function recordedEstimate(metrics: Record<string, unknown>, card: Card | undefined): Estimate | undefined {
  const recorded = RecordedMetric.safeParse(card && metrics[card.metrics[0]!])
  return recorded.success ? recorded.data : undefined
}

function errorMessage(head: RunHead): string | null {
  if (head.parked) return head.parked.detail
  if (head.status !== 'failed' && head.status !== 'incomplete') return null
  const failed = Object.values(head.benchmarks).reduce((sum, tally) => sum + tally.failed, 0)
  const causes = Object.entries(head.failures)
    .filter(([, count]) => count > 0)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 3)
  return `${failed} of ${head.total} trials could not be scored: ${causes.map(([name, count]) => `${name} (${count})`).join(', ') || 'no reason recorded'}.`
}
