import { resolve } from 'node:path'
import { runLocal } from '#fleet/run-local.ts'
import type { CreateRun } from '#shared/contract/api.ts'
import type { RunHead } from '#shared/contract/run.ts'
import { applied, type Standing } from './follow-run.ts'
import { exitCodes, type Io } from './io.ts'
import { cost, count } from './numbers.ts'
import { table } from './terminal.ts'
import { progressOf } from './watch-run.ts'

const columns = [
  { title: 'benchmark' },
  { title: 'score', right: true },
  { title: 'n', right: true },
  { title: 'right', right: true },
  { title: 'wrong', right: true },
  { title: 'failed', right: true },
]

/** `bench run --local`: the same run without any service. Its records go to a folder below `out`. */
export async function runHere(body: CreateRun, out: string, mode: { json: boolean; quiet: boolean }, io: Io): Promise<number> {
  const show = progressOf(io, mode.quiet)
  let standing: Standing = { status: 'queued', done: 0, total: 0, right: 0, wrong: 0, failed: 0, waiting: null }
  const { head, dir } = await runLocal({
    model: body.model_id,
    benchmarks: body.selected_benchmarks ?? [],
    subset: { pct: body.subset_pct, count: body.subset_count ?? null, seed: body.subset_seed ?? null, sampling: body.sampling },
    request: body,
    profile: body.profile ?? null,
    data: body.data,
    concurrency: body.concurrency,
    out: resolve(out),
    env: io.env,
    signal: io.signal,
    onEvent: (event: { event_type: string; benchmark_name: string | null; data: Record<string, unknown> }) => {
      if (mode.json) io.out(JSON.stringify({ type: 'event', ...event }))
      standing = applied(standing, event)
      show(standing)
    },
  })
  if (mode.json) io.out(JSON.stringify({ type: 'done', head, dir }))
  else for (const line of [...headText(head), '', dir]) io.out(line)
  return head.status === 'succeeded' ? exitCodes.ok : exitCodes.error
}

function headText(head: RunHead): string[] {
  const rows = head.order.map((name) => {
    const tally = head.benchmarks[name]
    if (!tally) return [name]
    const scored = tally.right + tally.wrong
    const mean = scored > 0 ? `${((tally.score_sum / scored) * 100).toFixed(1)} %` : '–'
    return [name, mean, ...[scored, tally.right, tally.wrong, tally.failed].map(count)]
  })
  return [head.status, '', ...table(columns, rows), '', `cost ${cost(head.cost_usd)}`]
}
