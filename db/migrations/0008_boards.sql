CREATE TYPE "public"."apart_reason" AS ENUM('canceled', 'subset', 'epochs', 'unfinished', 'failures');--> statement-breakpoint
CREATE TYPE "public"."withdrawn_by" AS ENUM('owner', 'operator');--> statement-breakpoint
CREATE TABLE "board_entries" (
	"run_id" uuid NOT NULL,
	"board" uuid NOT NULL,
	"setup" uuid NOT NULL,
	"ended_at" timestamp (3) with time zone NOT NULL,
	"score" double precision NOT NULL,
	"low" double precision NOT NULL,
	"high" double precision NOT NULL,
	"cost_usd" double precision,
	"duration_ms" double precision,
	"failed" integer NOT NULL,
	"total" integer NOT NULL,
	"epochs" integer NOT NULL,
	"planned_epochs" integer NOT NULL,
	"sampled_items" integer NOT NULL,
	"total_items" integer NOT NULL,
	"public" boolean NOT NULL,
	"withdrawn" boolean NOT NULL,
	"rescored" boolean NOT NULL,
	"status" "run_status" NOT NULL,
	"apart" "apart_reason",
	"benchmark" text NOT NULL,
	"owner_id" text NOT NULL,
	"asked" jsonb NOT NULL,
	"estimate" jsonb NOT NULL,
	CONSTRAINT "board_entries_run_id_benchmark_pk" PRIMARY KEY("run_id","benchmark")
);
--> statement-breakpoint
CREATE TABLE "boards" (
	"id" uuid PRIMARY KEY NOT NULL,
	"benchmark" text NOT NULL,
	"version" integer NOT NULL,
	"scorer_version" integer NOT NULL,
	"profile" text NOT NULL,
	"data" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "withdrawals" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"by" "withdrawn_by" NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "board_entries" ADD CONSTRAINT "board_entries_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "board_entries" ADD CONSTRAINT "board_entries_board_boards_id_fk" FOREIGN KEY ("board") REFERENCES "public"."boards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "board_entries_of_board" ON "board_entries" USING btree ("board","setup");--> statement-breakpoint
-- Runs that ended before there were boards stand on them too. What is a score, and how often a profile asks, is as the cards say it now.
with found as (
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
    )) as asked
  from runs r
    cross join lateral jsonb_array_elements(r.spec->'benchmarks') as planned
    join run_benchmarks b on b.run_id = r.id and b.benchmark = planned->>'name'
    join jsonb_to_recordset('[{"benchmark":"mmlu_pro","headline":"accuracy","epochs":{"official":1,"official_last":1,"builtin":1}},{"benchmark":"gpqa_diamond","headline":"accuracy","epochs":{"official":10,"gpqa_official":1,"aa":5,"builtin":4}},{"benchmark":"aime_2025","headline":"avg_at_k","epochs":{"official":10,"aa":10,"builtin":10}},{"benchmark":"aime_2022_2024","headline":"avg_at_k","epochs":{"official":10,"aa":10,"builtin":10}},{"benchmark":"ifeval","headline":"prompt_strict","epochs":{"official":1,"builtin":1}},{"benchmark":"ifbench","headline":"prompt_loose","epochs":{"official":1,"builtin":1}},{"benchmark":"hle","headline":"exam_accuracy","epochs":{"official":1,"official_plain_judge":1,"builtin":1}},{"benchmark":"hle_text","headline":"exam_accuracy","epochs":{"official":1,"official_plain_judge":1,"builtin":1}},{"benchmark":"aa_lcr","headline":"avg_at_k","epochs":{"official":3,"builtin":3}}]'::jsonb) as card(benchmark text, headline text, epochs jsonb) on card.benchmark = b.benchmark
    cross join lateral (select r.head->'benchmarks'->b.benchmark as tally) as counted
    left join lateral (
      select summary from rescores s where s.run_id = r.id and s.benchmark = b.benchmark and s.computed_by = 'edge' and s.created_at >= r.completed_at
      order by s.created_at desc, s.id limit 1
    ) as again on true
  where r.status in ('succeeded', 'failed', 'canceled', 'incomplete')
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
    when failed > total * 0.01::float8 then 'failures' end)::apart_reason,
  benchmark, owner_id, asked, estimate
from placed
