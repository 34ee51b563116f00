import { type SQL, sql } from 'drizzle-orm'
import { cards } from '#shared/benchmarks/cards.ts'
import { mostFailedShare } from '#shared/contract/board.ts'
import { terminalStatuses } from '#shared/contract/run.ts'

/** What a board has to know of a benchmark: which metric is its score, and how often each profile asks an item. */
const known = JSON.stringify(
  cards.map(({ name, metrics, profiles }) => ({
    benchmark: name,
    headline: metrics[0],
    epochs: Object.fromEntries(profiles.map((profile) => [profile.id, profile.epochs])),
  })),
)
const ended = sql.raw(terminalStatuses.map((status) => `'${status}'`).join(', '))

/**
 * Writes what a run says on the boards, one row for each of its benchmarks that has a score, from what the record holds of it at this point of the
 * transaction; nothing of a run that goes on, whose answers were given to it, or that was imported. A rescoring computed by the service since the run ended stands in place of the run's own score.
 */
export const writeBoard = (run_id: string): SQL => writeBoards(sql`r.id = ${run_id}::uuid`)

/** The same of all runs `r` that the condition holds for. */
export function writeBoards(chosen: SQL): SQL {
  return sql`with found as (
      select r.id as run_id, r.owner_id, r.status, r.visibility = 'public' as public, r.completed_at as ended_at, b.benchmark, planned,
        jsonb_array_length(r.spec->'benchmarks') as parts, r.head->>'cost_usd' as run_cost, tally, card.epochs as profile_epochs, again.summary,
        (planned->>'version')::int as version, coalesce((again.summary->'to'->>'version')::int, (planned->>'version')::int) as scorer_version,
        case when again.summary is null then b.metrics->card.headline
          else again.summary->'after'->(again.summary->>'headline') end as estimate,
        (case when again.summary is null then tally->>'failed' else again.summary->'counts'->>'failed' end)::int
          + (select coalesce(sum(value::int), 0) from jsonb_each_text(coalesce(again.summary->'counts'->'not_recomputed', '{}'))) as failed,
        jsonb_build_object('model_id', r.model_id, 'model_slug', r.model_slug, 'provider', r.provider, 'params', planned->'params', 'roles', (
          select coalesce(jsonb_object_agg(key, jsonb_build_object('model', value->'model', 'params', value->'params')), '{}')
          from jsonb_each(coalesce(planned->'roles', jsonb_build_object('judge', planned->'judge'))) where jsonb_typeof(value) = 'object'
        )) || case when planned ? 'agent' then jsonb_build_object('agent', planned->'agent') else '{}' end as asked
      from runs r
        cross join lateral jsonb_array_elements(r.spec->'benchmarks') as planned
        join run_benchmarks b on b.run_id = r.id and b.benchmark = planned->>'name'
        join jsonb_to_recordset(${known}::jsonb) as card(benchmark text, headline text, epochs jsonb) on card.benchmark = b.benchmark
        cross join lateral (select r.head->'benchmarks'->b.benchmark as tally) as counted
        left join lateral (
          select summary from rescores s where s.run_id = r.id and s.benchmark = b.benchmark and s.computed_by = 'edge' and s.created_at >= r.completed_at
          order by s.created_at desc, s.id limit 1
        ) as again on true
      where ${chosen} and r.status in (${ended}) and r.spec->'replay' is null and r.spec->'imported' is null
    ), placed as (
      select *, md5(concat_ws('|', benchmark, version, scorer_version, planned->>'profile', planned->'data'->>'source', planned->'data'->>'repo',
          planned->'data'->>'revision', case when planned->'data'->>'source' <> 'pinned' then planned->'data'->'files' end))::uuid as board,
        coalesce(estimate->'limits'->'expected', estimate) as limits, (tally->>'total')::int as total, (planned->>'epochs')::int as epochs,
        coalesce((profile_epochs->>(planned->>'profile'))::int, (planned->>'epochs')::int) as planned_epochs,
        (planned->>'sampled_items')::int as sampled_items, (planned->>'total_items')::int as total_items
      from found where jsonb_typeof(estimate->'value') = 'number'
    ), named as (
      insert into boards (id, benchmark, version, scorer_version, profile, data)
      select distinct on (board) board, benchmark, version, scorer_version, planned->>'profile', planned->'data' from placed
      on conflict do nothing
    )
    insert into board_entries (run_id, board, setup, ended_at, score, low, high, cost_usd, duration_ms, failed, total, epochs, planned_epochs, sampled_items,
      total_items, public, withdrawn, rescored, status, apart, benchmark, owner_id, asked, estimate)
    select run_id, board, md5((asked - 'model_slug')::text)::uuid, ended_at, (estimate->>'value')::float8,
      coalesce((limits->>'low')::float8, 0), coalesce((limits->>'high')::float8, 1),
      case when parts = 1 then run_cost::float8 else (
        select case when bool_and(t.cost_usd is not null or t.outcome = 'failed') then sum(t.cost_usd) end
        from trials t where t.run_id = placed.run_id and t.benchmark = placed.benchmark
      ) end,
      extract(epoch from (tally->>'completed_at')::timestamptz - (tally->>'started_at')::timestamptz) * 1000,
      failed, total, epochs, planned_epochs, sampled_items, total_items,
      public, exists (select from withdrawals w where w.run_id = placed.run_id), summary is not null, status,
      (case when status = 'canceled' then 'canceled'
        when sampled_items < total_items then 'subset'
        when epochs < planned_epochs then 'epochs'
        when (tally->>'right')::int + (tally->>'wrong')::int + (tally->>'failed')::int < total then 'unfinished'
        when failed > total * ${mostFailedShare}::float8 then 'failures' end)::apart_reason,
      benchmark, owner_id, asked, estimate
    from placed
    on conflict (run_id, benchmark) do update set board = excluded.board, setup = excluded.setup, ended_at = excluded.ended_at, score = excluded.score,
      low = excluded.low, high = excluded.high, cost_usd = excluded.cost_usd, duration_ms = excluded.duration_ms, failed = excluded.failed,
      total = excluded.total, epochs = excluded.epochs, planned_epochs = excluded.planned_epochs, sampled_items = excluded.sampled_items,
      total_items = excluded.total_items, public = excluded.public, withdrawn = excluded.withdrawn, rescored = excluded.rescored,
      status = excluded.status, apart = excluded.apart, owner_id = excluded.owner_id, asked = excluded.asked, estimate = excluded.estimate`
}

/** Takes a run that goes on again from the boards. */
export function leaveBoard(run_id: string): SQL {
  return sql`delete from board_entries using runs
    where board_entries.run_id = ${run_id}::uuid and runs.id = board_entries.run_id and runs.status not in (${ended})`
}
