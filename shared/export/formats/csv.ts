import type { Run } from '../../contract/api.ts'
import type { ExportTrial, TrialPages } from '../bundle.ts'
import type { Bytes } from '../byte-source.ts'
import { toRunItem } from '../run-item.ts'
import { type CsvValue, csvLine } from './csv-line.ts'
import { type ExportRun, encode, shownPages } from './format.ts'

/** One row a trial; a run without any is one row that names none. */
export async function* writeCsv(run: ExportRun, pages: TrialPages): AsyncGenerator<Bytes> {
  yield encode(csvLine(columns))
  let none = true
  for await (const page of shownPages(run, pages)) {
    none &&= page.length === 0
    yield encode(page.map((trial) => csvLine([...runColumns(run.view, trial.record.benchmark), ...trialColumns(trial)])).join(''))
  }
  if (none) yield encode(csvLine([...runColumns(run.view, run.view.selected_benchmarks[0]!), ...noTrial]))
}

/** The predecessor's columns in its order, then ours. */
const predecessorRun =
  'run_id model_slug subset_pct subset_count subset_seed run_status run_started_at run_completed_at overall_score benchmark_name benchmark_status benchmark_score sampled_items completed_items'
const predecessorTrial = 'item_id prompt response expected is_correct score latency_ms error'
const ours =
  'epoch ordinal group outcome answer failure flags input_tokens output_tokens cached_tokens reasoning_tokens cost_usd calls ttft_ms finished_at judge_cost_usd max_token_gap_ms token_rate continuity stream_end untold_calls'
const columns = `${predecessorRun} ${predecessorTrial} ${ours}`.split(' ')
const noTrial: null[] = `${predecessorTrial} ${ours}`.split(' ').map(() => null)

function runColumns(run: Run, benchmark: string): CsvValue[] {
  const result = run.benchmarks.find((one) => one.benchmark_name === benchmark)
  return [
    run.id,
    run.model_slug,
    run.subset_pct,
    run.subset_count,
    run.subset_seed,
    run.status,
    run.started_at,
    run.completed_at,
    run.overall_score,
    benchmark,
    result?.status ?? null,
    result?.score ?? null,
    result?.sampled_items ?? null,
    result?.completed_items ?? null,
  ]
}

function trialColumns(trial: ExportTrial): CsvValue[] {
  const { record, finished_at } = trial
  const item = toRunItem(trial)
  const cut = (text: string | null) => text?.slice(0, 500) ?? null
  return [
    item.item_id,
    cut(item.prompt),
    cut(item.response),
    cut(item.expected),
    item.is_correct,
    item.score,
    item.latency_ms,
    item.error,
    item.epoch,
    item.ordinal,
    item.group,
    item.outcome,
    item.answer,
    item.failure,
    item.flags.join(' '),
    record.usage.input_tokens,
    record.usage.output_tokens,
    record.usage.cached_tokens,
    record.usage.reasoning_tokens,
    record.cost_usd,
    record.calls,
    record.ttft_ms,
    finished_at,
    item.judge_cost_usd,
    item.max_token_gap_ms,
    item.token_rate,
    item.continuity,
    item.stream_end,
    record.usage.untold_calls ?? 0,
  ]
}
