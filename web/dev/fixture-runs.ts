import type { BenchmarkResult, Run } from '#shared/contract/api.ts'
import type { CreateRun } from '#shared/contract/create-run.ts'
import type { RunEvent, StreamedEvent } from '#shared/contract/event.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import { isTerminal } from '#shared/contract/run.ts'
import { briefOf, type TrialRecord } from '#shared/contract/trial.ts'
import { cutNote } from '#shared/metrics/cut-note.ts'
import { metricsVersion } from '#shared/metrics/draw.ts'
import { groupEstimate, overallEstimate, tallyEstimate } from '#shared/metrics/estimate.ts'
import { measureBenchmark } from '#shared/metrics/measure.ts'
import { metricRowOf } from '#shared/metrics/metric-row.ts'
import { apply, initialHead } from '#shared/run/apply.ts'
import { subsetSize, trialCount } from '#shared/run/plan.ts'
import { toStreamed } from '#shared/run/stream.ts'
import { benchmarks, models } from './fixture-cards.ts'
import { trialOf } from './fixture-trials.ts'

export type Playing = {
  spec: RunSpec
  head: RunHead
  trials: { record: TrialRecord; at: string }[]
  listeners: Set<(e: StreamedEvent) => void>
}
export const runs = new Map<string, Playing>()

export function specOf(body: Partial<CreateRun> & { model_id: string }, run_id: string, created_at: string): RunSpec {
  const model = models.find((m) => m.id === body.model_id || m.slug === body.model_id) ?? models[0]!
  const subset = {
    pct: body.subset_pct ?? 100,
    count: body.subset_count ?? null,
    seed: body.subset_seed || 'default',
    sampling: 'sha256' as const,
  }
  const chosen = benchmarks.filter((b) => body.selected_benchmarks?.includes(b.name))
  return {
    run_id,
    owner_id: 'local',
    own_credential: false,
    visibility: 'public',
    model: { id: model.id, slug: model.slug, provider: model.provider },
    price: model.price,
    benchmarks: chosen.map(({ card, data_source }) => {
      const source = body.data === 'sample' ? ('sample' as const) : data_source
      const total_items = source === 'sample' ? card.sample_items : card.total_items
      return {
        name: card.name,
        version: card.version,
        profile: body.profile ?? card.default_profile,
        epochs: body.epochs ?? card.profiles[0]!.epochs,
        total_items,
        sampled_items: subsetSize(total_items, subset),
        gated: card.data.gated,
        data: { source, repo: card.data.repo, revision: card.data.revision, files: card.data.files },
        params: card.profiles[0]!.params,
        metrics_version: metricsVersion,
        group_items: card.group_items,
      }
    }),
    subset,
    concurrency: body.concurrency ?? 64,
    priority: 0,
    max_failure_share: 0.05,
    budget_usd: body.budget_usd ?? null,
    created_at,
  } as RunSpec
}

export function createRun(spec: RunSpec): Playing {
  const run: Playing = { spec, head: initialHead(spec), trials: [], listeners: new Set() }
  runs.set(spec.run_id, run)
  return run
}

export function emit(run: Playing, event: RunEvent): void {
  run.head = apply(run.head, event)
  const streamed = toStreamed(run.head.seq, event)
  for (const listen of run.listeners) listen(streamed)
}

/** Finishes the next `count` trials of a run, all within one benchmark. */
export function advance(run: Playing, count: number, at: string): void {
  if (run.head.status === 'queued') emit(run, { event_type: 'run_started', benchmark_name: null, at, data: {} })
  let before = 0
  for (const planned of run.spec.benchmarks) {
    const trials = trialCount(planned)
    const done = run.head.done - before
    if (done < trials) {
      if (done === 0)
        emit(run, { event_type: 'benchmark_started', benchmark_name: planned.name, at, data: { completed: 0, total: trials } } as RunEvent)
      const records = Array.from({ length: Math.min(count, trials - done) }, (_, i) => {
        const at_ = done + i
        const epoch = Math.floor(at_ / planned.sampled_items)
        return trialOf(run.spec, planned, before + at_, ((at_ % planned.sampled_items) * 7919) % planned.total_items, epoch)
      })
      run.trials.push(...records.map((record) => ({ record, at })))
      const total = trials
      emit(run, {
        event_type: 'benchmark_progress',
        benchmark_name: planned.name,
        at,
        data: {
          completed: done + records.length,
          total,
          current_accuracy: null,
          unleased: records.length,
          recovered: 0,
          results: records.map(briefOf),
        },
      } as RunEvent)
      if (done + records.length === trials)
        emit(run, {
          event_type: 'benchmark_completed',
          benchmark_name: planned.name,
          at,
          data: { status: 'succeeded', completed: trials, total, metrics: { accuracy: null } },
        } as RunEvent)
      if (run.head.done === run.head.total)
        emit(run, {
          event_type: 'run_completed',
          benchmark_name: null,
          at,
          data: { status: 'succeeded', overall_score: null, completed_benchmarks: 1 },
        } as RunEvent)
      return
    }
    before += trials
  }
}

function resultOf(run: Playing, name: string): BenchmarkResult {
  const planned = run.spec.benchmarks.find((b) => b.name === name)!
  const tally = run.head.benchmarks[name as never]!
  const { card } = benchmarks.find((b) => b.name === name)!
  const rows = run.trials.filter(({ record }) => record.benchmark === name).map(({ record }) => metricRowOf(record))
  const { by_group: _, ...metrics } = isTerminal(run.head.status) ? measureBenchmark(card.metrics, rows, planned) : {}
  const estimate = tallyEstimate(tally, planned)
  return {
    id: `${run.spec.run_id}:${name}`,
    benchmark_name: name,
    display_name: benchmarks.find((b) => b.name === name)!.display_name,
    status: tally.status,
    total_items: planned.total_items,
    completed_items: tally.right + tally.wrong + tally.failed,
    sampled_items: planned.sampled_items,
    epochs: planned.epochs,
    profile: planned.profile,
    data: planned.data,
    score: estimate.value,
    estimate,
    worst_case: tally.total ? tally.score_sum / tally.total : null,
    best_case: tally.total ? (tally.score_sum + tally.failed) / tally.total : null,
    right: tally.right,
    wrong: tally.wrong,
    failed: tally.failed,
    metrics: JSON.parse(JSON.stringify(metrics)),
    warning: cutNote(tally, planned),
    groups: Object.entries(run.head.groups[name] ?? {}).map(([group, t]) => ({
      name: group,
      right: t.right,
      wrong: t.wrong,
      failed: t.failed,
      total: t.total,
      estimate: groupEstimate(t, group, planned, tally),
    })),
    error_message: null,
    started_at: tally.started_at,
    completed_at: tally.completed_at,
  }
}

export function runOf(run: Playing): Run {
  const results = run.spec.benchmarks.map((planned) => resultOf(run, planned.name))
  const estimate = overallEstimate(results.map((r) => r.estimate))
  const labels: Run['labels'] = [
    ...(run.spec.model.provider === 'demo' ? (['demo'] as const) : []),
    ...(run.spec.benchmarks.some((b) => b.data.source === 'sample') ? (['sample'] as const) : []),
  ]
  return {
    id: run.spec.run_id,
    model_id: run.spec.model.id,
    model_slug: run.spec.model.slug,
    provider: run.spec.model.provider,
    subset_pct: run.spec.subset.pct,
    subset_count: run.spec.subset.count,
    subset_seed: run.spec.subset.seed,
    status: run.head.status,
    selected_benchmarks: run.head.order,
    overall_score: estimate.value,
    error_message: run.head.status === 'incomplete' ? '9 of 835 trials failed, above the allowed 1 %.' : null,
    provider_metadata: null,
    started_at: run.head.started_at,
    completed_at: run.head.completed_at,
    created_at: run.spec.created_at,
    benchmarks: results,
    labels,
    estimate,
    visibility: 'public',
    mine: true,
    name: null,
    tags: [],
    spec: run.spec,
    head: run.head,
    pulse: null,
  }
}

const id = (n: number) => `0193a7c2-5e11-7b3a-9c44-${String(n).padStart(12, '0')}`
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** Invented runs: ended ones, one that lives, one that waits. */
export function seedRuns(): void {
  const seeds: [number, Partial<CreateRun>, number][] = [
    [0, { selected_benchmarks: ['mmlu_pro', 'ifeval', 'ifbench', 'gpqa_diamond'], subset_pct: 5 }, 1],
    [1, { selected_benchmarks: ['mmlu_pro', 'ifeval', 'ifbench', 'gpqa_diamond', 'aime_2025'], subset_pct: 50 }, 0.22],
    [2, { selected_benchmarks: ['ifeval'] }, 1],
    [3, { selected_benchmarks: ['aime_2025', 'ifbench'] }, 0],
    [4, { selected_benchmarks: ['mmlu_pro'], data: 'sample' }, 1],
    [5, { selected_benchmarks: ['mmlu_pro'], subset_pct: 5 }, 0.4],
  ]
  for (const [n, body, share] of seeds) {
    const run = createRun(specOf({ ...body, model_id: models[n]!.id }, id(n + 1), ago(40 + n * 700)))
    const goal = Math.floor(run.head.total * share)
    while (run.head.done < goal)
      advance(run, Math.min(64, goal - run.head.done), ago(Math.max(1, 39 + n * 700 - (run.head.done / run.head.total) * 30)))
    if (n === 5) emit(run, { event_type: 'run_canceled', benchmark_name: null, at: ago(3000), data: {} })
    if (n === 2) run.head = { ...run.head, status: 'incomplete' }
  }
}

export function tick(): void {
  for (const run of runs.values()) {
    if (isTerminal(run.head.status) || run.head.status === 'paused' || run.spec.run_id === id(4)) continue
    advance(run, 1 + Math.floor(Math.random() * 4), new Date().toISOString())
  }
}
