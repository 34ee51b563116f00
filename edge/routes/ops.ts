import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { OpsRecord, OpsRun as RecordedRun, UsageRow } from '#db/store.ts'
import { OpsOverview, type OpsRun, type OpsWorker, type TokenStats } from '#shared/contract/ops.ts'
import { queryInteger } from '#shared/contract/query-integer.ts'
import { runStatuses } from '#shared/contract/run.ts'
import { defaultSeed } from '#shared/run/build-spec.ts'
import { renewMs } from '#shared/run/lease.ts'
import type { AppEnv } from '../app-env.ts'
import type { Deps, FleetAgent } from '../deps.ts'
import type { LoadSample } from '../fleet/load-ring.ts'
import { sightOf } from './agents.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'

const overview = declareRoute({
  method: 'get',
  path: '/api/ops/overview',
  access: { who: 'key holder', scope: 'admin' },
  cost: 'search',
  summary: 'Admin: agents with their load, the queue, and what the service took in 24 hours and 7 days',
  description: 'Sums are of at most the 5,000 runs that were written last, and at most 15 seconds old. Helpers’ calls are not among them.',
  request: { query: z.object({ minutes: queryInteger(30, 1440).default(360) }) },
  responses: { 200: json(OpsOverview, 'The service now'), ...refusals('validation', 'unauthorized', 'forbidden', 'unavailable') },
})

const dayMs = 24 * 3600 * 1000
/** The page asks every few seconds; the record is asked once in so many milliseconds. */
const freshMs = 15_000

export function opsRoutes(deps: Deps) {
  let kept: { at_ms: number; record: Promise<OpsRecord> } | undefined
  /** What the record says, the same for all who ask within `freshMs`; a refusal is not kept. */
  const readRecord = (nowMs: number): Promise<OpsRecord> => {
    if (kept && nowMs < kept.at_ms + freshMs) return kept.record
    const moment = (ago: number) => new Date(nowMs - ago).toISOString()
    const record = deps.store.readOps(moment(7 * dayMs), moment(dayMs))
    kept = { at_ms: nowMs, record }
    record.catch(() => {
      kept = undefined
    })
    return record
  }
  return new OpenAPIHono<AppEnv>().openapi(overview, async (c) => {
    const { minutes } = c.req.valid('query')
    const nowMs = deps.now().getTime()
    const [record, { agents, runs }, load] = await Promise.all([readRecord(nowMs), deps.fleet.overview(), deps.fleet.load(minutes)])
    const open = [...record.queued, ...record.running].map(({ spec }) => spec.run_id)
    const forecasts = open.length === 0 ? {} : await deps.fleet.forecast(open)
    const shown = (some: readonly RecordedRun[]) => some.map((run) => ({ ...toOpsRun(run), forecast: forecasts[run.spec.run_id] ?? null }))
    return c.json(
      {
        workers: agents.map((agent) => toWorker(agent, load, nowMs)),
        timeseries: load.map(({ at_ms, agents: worker_count, working: running_items, running_runs, queued_runs, slots }) => ({
          timestamp: new Date(at_ms).toISOString(),
          ...{ worker_count, running_runs, queued_runs, slots, running_items },
        })),
        queue_counts: Object.fromEntries(runStatuses.map((status) => [status, record.counts[status] ?? 0])) as OpsOverview['queue_counts'], // every status has an entry
        queued_runs: shown(record.queued),
        running_runs: shown(record.running),
        completed_runs: shown(record.ended),
        worker_config: {
          item_concurrency: agents.reduce((sum, { slots }) => sum + slots, 0),
          worker_max_concurrent: mostSlots(agents),
          worker_item_concurrency: mostSlots(agents),
          heartbeat_seconds: renewMs / 1000,
          version: deps.config.version,
        },
        token_stats: { last_24h: statsOf(record.usage, 'day'), last_7d: statsOf(record.usage, 'week') },
      },
      200,
    )

    function toWorker(agent: FleetAgent, samples: readonly LoadSample[], now: number): OpsWorker {
      const { agent_id, host, version, capabilities, slots, running, draining, resources = null, usage = null } = agent
      return {
        worker_id: agent_id,
        hostname: host,
        running_runs: runs.filter((run) => run.by?.includes(agent_id)).length,
        max_concurrent_runs: slots,
        item_concurrency: slots,
        running_items: running,
        ...sightOf(agent, now),
        ...{ version, capabilities, resources, draining, usage },
        load: samples.map(({ by_agent }) => by_agent[agent_id] ?? null),
        usage_over_time: samples.map((sample) => sample.usage?.[agent_id] ?? null),
      }
    }
  })
}

/** Returns the slots of the largest agent; null without an agent. */
const mostSlots = (agents: readonly FleetAgent[]): number | null => (agents.length ? Math.max(...agents.map(({ slots }) => slots)) : null)

function toOpsRun({ spec, head, label }: RecordedRun): Omit<OpsRun, 'forecast'> {
  const names = spec.benchmarks.map(({ name }) => name)
  return {
    id: spec.run_id,
    name: label.name,
    model_slug: spec.model.slug,
    provider: spec.model.provider,
    status: head.status,
    priority: head.priority,
    subset_pct: spec.subset.pct,
    subset_count: spec.subset.count,
    subset_seed: spec.subset.seed === defaultSeed ? null : spec.subset.seed,
    selected_benchmarks: names,
    benchmarks: names,
    total_items: head.total,
    completed_items: head.done,
    failed_items: Object.values(head.benchmarks).reduce((sum, { failed }) => sum + failed, 0),
    created_at: spec.created_at,
    started_at: head.started_at,
    completed_at: head.completed_at,
  }
}

function statsOf(rows: readonly UsageRow[], window: 'day' | 'week'): TokenStats {
  const sum = (of: (row: UsageRow['day']) => number): number => rows.reduce((all, row) => all + of(row[window]), 0)
  const failures = rows.flatMap((row) =>
    row.failure !== null && row[window].trials > 0 ? { name: row.failure, count: row[window].trials } : [],
  )
  const [input_tokens, output_tokens] = [sum((one) => one.input_tokens), sum((one) => one.output_tokens)]
  return {
    window_hours: (window === 'day' ? dayMs : 7 * dayMs) / 3_600_000,
    ...{ input_tokens, output_tokens, total_tokens: input_tokens + output_tokens },
    cost_usd: sum((one) => one.cost_usd),
    unpriced_items: sum((one) => one.unpriced),
    items: sum((one) => one.trials),
    failed_items: failures.reduce((all, { count }) => all + count, 0),
    failures: failures.sort((a, b) => b.count - a.count).slice(0, 10),
  }
}
