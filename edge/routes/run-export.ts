import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { StoredRun, StoredTrial } from '#db/store.ts'
import type { Run } from '#shared/contract/api.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps } from '../deps.ts'
import { refusals } from './answers.ts'
import { type CsvValue, csvLine } from './csv.ts'
import { declareRoute } from './declare-route.ts'
import { answerDownload } from './download.ts'
import { createShelf, type ExportFile, identityOf } from './export-file.ts'
import { openPdf } from './export-pdf.ts'
import { openZip } from './export-zip.ts'
import { toRunItem, withhold } from './item-view.ts'
import { RunParams } from './parameters.ts'
import { getRecordedRun, withheldBenchmarks } from './run-access.ts'
import { toRun } from './run-view.ts'
import { trialPages } from './trial-pages.ts'

const pageSize = 500

const content = {
  'text/csv': { schema: z.string() },
  'application/json': { schema: z.object({ run: z.json(), trials: z.array(z.json()) }) },
  'application/x-ndjson': { schema: z.string() },
  'application/zip': { schema: z.string() },
  'application/pdf': { schema: z.string() },
}
const exportRun = declareRoute({
  method: 'get',
  path: '/api/runs/{id}/export',
  access: { who: 'reader of the run', state: 'stored' },
  cost: 'heavy',
  summary: 'An ended run as a file',
  description:
    'CSV, JSON and JSONL hold all of its trials, the ZIP does so signed. The PDF is a short report for people: scores with intervals, failures, usage, and the hashes that lead to the rest. The file is made once before its first byte leaves, so that its length and SHA-256 (`Repr-Digest`) come with it: a download that breaks is noticed. `Range`, with the `ETag` in `If-Range`, goes on with one. HEAD makes the file ready.',
  request: { params: RunParams, query: z.object({ format: z.enum(['csv', 'json', 'jsonl', 'zip', 'pdf']).default('csv') }) },
  responses: {
    200: { description: 'The file', content },
    206: { description: 'The part of the file that `Range` names', content },
    ...refusals(
      'validation',
      'unauthorized',
      'run-not-found',
      'export-not-ready',
      'export-too-large',
      'range-not-satisfiable',
      'signing-not-configured',
      'unavailable',
    ),
  },
})

export function runExportRoutes(deps: Deps) {
  const shelf = createShelf(deps)
  return new OpenAPIHono<AppEnv>().openapi(exportRun, async (c) => {
    const principal = c.get('principal')
    const run = await getRecordedRun(c.get('run'), principal, deps)
    const { format } = c.req.valid('query')
    const withheld = withheldBenchmarks(run.spec, principal)
    const view = toRun(run, principal, deps)
    const signed = (format === 'zip' || format === 'pdf') && deps.signer?.fingerprint
    const identity = identityOf(format, view, [...withheld], deps.config.version, signed)
    const rows = (form: RowForm) => openRows(run, withheld, form, writers[form](view), deps)
    const file = () => {
      if (format === 'zip') return openZip(deps, run, withheld)
      return format === 'pdf' ? openPdf(deps, run, view, rows('jsonl'), withheld) : rows(format)
    }
    return answerDownload(c.req.raw, await shelf.get(identity, file))
  })
}

type RowForm = 'csv' | 'json' | 'jsonl'
type Writer = { type: string; open: string; line(trial: StoredTrial, index: number): string; close(count: number): string }

/** The trials of a run in one of the forms that are written row by row. */
function openRows(run: StoredRun, withheld: ReadonlySet<string>, format: RowForm, writer: Writer, deps: Pick<Deps, 'store'>): ExportFile {
  const { run_id } = run.spec
  const encoder = new TextEncoder()
  return {
    name: `benchmark_results_${run_id}.${format}`,
    type: writer.type,
    trials: run.head.done,
    async *pieces() {
      let count = 0
      if (writer.open) yield encoder.encode(writer.open)
      for await (const trials of trialPages(deps.store, run_id, -1, pageSize)) {
        const text = trials.map((trial) => writer.line(withhold(trial, withheld), count++)).join('')
        if (text) yield encoder.encode(text)
      }
      const end = writer.close(count)
      if (end) yield encoder.encode(end)
    },
  }
}

const writers: Record<RowForm, (run: Run) => Writer> = {
  csv: (run) => ({
    type: 'text/csv; charset=utf-8',
    open: csvLine(columns),
    line: (trial) => csvLine([...runColumns(run, trial.record.benchmark), ...trialColumns(trial)]),
    close: (count) => (count === 0 ? csvLine([...runColumns(run, run.selected_benchmarks[0]!), ...noTrial]) : ''),
  }),
  json: (run) => ({
    type: 'application/json',
    open: `{"run":${JSON.stringify(run)},"trials":[`,
    line: (trial, index) => `${index > 0 ? ',' : ''}\n${JSON.stringify(toRunItem(trial))}`,
    close: () => '\n]}\n',
  }),
  jsonl: (run) => ({
    type: 'application/x-ndjson',
    open: '',
    line: ({ record, finished_at }) => `${JSON.stringify({ run_id: run.id, finished_at, ...record })}\n`,
    close: () => '',
  }),
}

/** The predecessor's columns in its order, then ours. */
const predecessorRun =
  'run_id model_slug subset_pct subset_count subset_seed run_status run_started_at run_completed_at overall_score benchmark_name benchmark_status benchmark_score sampled_items completed_items'
const predecessorTrial = 'item_id prompt response expected is_correct score latency_ms error'
const ours =
  'epoch ordinal group outcome answer failure flags input_tokens output_tokens cached_tokens reasoning_tokens cost_usd calls ttft_ms finished_at judge_cost_usd'
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

function trialColumns(trial: StoredTrial): CsvValue[] {
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
  ]
}
