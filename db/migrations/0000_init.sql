CREATE TYPE "public"."apart_reason" AS ENUM('canceled', 'subset', 'epochs', 'unfinished', 'failures');--> statement-breakpoint
CREATE TYPE "public"."computed_by" AS ENUM('edge', 'client');--> statement-breakpoint
CREATE TYPE "public"."owner_kind" AS ENUM('local', 'key', 'chutes');--> statement-breakpoint
CREATE TYPE "public"."run_status" AS ENUM('queued', 'running', 'paused', 'succeeded', 'failed', 'canceled', 'incomplete');--> statement-breakpoint
CREATE TYPE "public"."team_role" AS ENUM('viewer', 'runner', 'admin');--> statement-breakpoint
CREATE TYPE "public"."trial_outcome" AS ENUM('right', 'wrong', 'failed');--> statement-breakpoint
CREATE TYPE "public"."visibility" AS ENUM('public', 'link', 'private');--> statement-breakpoint
CREATE TYPE "public"."withdrawn_by" AS ENUM('owner', 'operator');--> statement-breakpoint
CREATE TABLE "agents" (
	"agent_id" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"version" text NOT NULL,
	"capabilities" text[] NOT NULL,
	"slots" integer NOT NULL,
	"free_slots" integer NOT NULL,
	"running" integer NOT NULL,
	"draining" boolean NOT NULL,
	"connected" boolean NOT NULL,
	"first_seen" timestamp (3) with time zone NOT NULL,
	"last_seen" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "artifacts" (
	"sha256" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"content_type" text NOT NULL,
	"run_id" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	CONSTRAINT "artifacts_run_id_ordinal_name_pk" PRIMARY KEY("run_id","ordinal","name")
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"seq" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"actor_id" text NOT NULL,
	"actor_kind" text NOT NULL,
	"key_id" text,
	"action" text NOT NULL,
	"target" text,
	"owner_id" text,
	"detail" jsonb,
	"status" integer NOT NULL,
	"address" text NOT NULL,
	"request_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "benchmarks" (
	"name" text PRIMARY KEY NOT NULL,
	"latency_ms_sum" double precision NOT NULL,
	"latency_count" bigint NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "board_rows" (
	"board" uuid NOT NULL,
	"setup" uuid NOT NULL,
	"public" boolean NOT NULL,
	"owner_id" text NOT NULL,
	"runs" integer NOT NULL,
	"apart" integer NOT NULL,
	"withdrawn" integer NOT NULL,
	"failed" integer NOT NULL,
	"total" integer NOT NULL,
	"score_sum" double precision NOT NULL,
	"below" double precision NOT NULL,
	"above" double precision NOT NULL,
	"cost_sum" double precision,
	"duration_sum" double precision,
	"best" uuid,
	CONSTRAINT "board_rows_board_setup_public_owner_id_pk" PRIMARY KEY("board","setup","public","owner_id")
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
CREATE TABLE "budgets" (
	"holder" text PRIMARY KEY NOT NULL,
	"day_usd" double precision,
	"month_usd" double precision,
	"set_by" text NOT NULL,
	"set_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"run_id" uuid NOT NULL,
	"id" integer NOT NULL,
	"event_type" text NOT NULL,
	"benchmark_name" text,
	"message" text NOT NULL,
	"data" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "events_run_id_id_pk" PRIMARY KEY("run_id","id")
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"owner_id" text NOT NULL,
	"key" text NOT NULL,
	"body_sha256" text NOT NULL,
	"run_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_owner_id_key_pk" PRIMARY KEY("owner_id","key")
);
--> statement-breakpoint
CREATE TABLE "keys" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"name" text NOT NULL,
	"made_by" text,
	"scopes" text[] NOT NULL,
	"sha256" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "keys_sha256_unique" UNIQUE("sha256")
);
--> statement-breakpoint
CREATE TABLE "models" (
	"provider" text NOT NULL,
	"id" text NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"tagline" text,
	"user" text,
	"logo" text,
	"chute_id" text,
	"instance_count" integer NOT NULL,
	"is_active" boolean NOT NULL,
	"price" jsonb,
	"context_length" integer,
	"max_output_length" integer,
	"input_modalities" text[] NOT NULL,
	"features" text[] NOT NULL,
	"synced_at" timestamp (3) with time zone,
	CONSTRAINT "models_provider_id_pk" PRIMARY KEY("provider","id")
);
--> statement-breakpoint
CREATE TABLE "openings" (
	"run_id" uuid NOT NULL,
	"sha256" text NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "openings_run_id_sha256_pk" PRIMARY KEY("run_id","sha256")
);
--> statement-breakpoint
CREATE TABLE "owners" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"kind" "owner_kind" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"provider" text NOT NULL,
	"label" text NOT NULL,
	"kind" text NOT NULL,
	"base_url" text NOT NULL,
	"sealed" text NOT NULL,
	"last4" text NOT NULL,
	"verdict" text NOT NULL,
	"models" jsonb,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "provider_keys_owner_provider" UNIQUE("owner_id","provider")
);
--> statement-breakpoint
CREATE TABLE "rescore_differences" (
	"rescore_id" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"item_id" text NOT NULL,
	"epoch" integer NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	CONSTRAINT "rescore_differences_rescore_id_ordinal_pk" PRIMARY KEY("rescore_id","ordinal")
);
--> statement-breakpoint
CREATE TABLE "rescores" (
	"id" uuid PRIMARY KEY NOT NULL,
	"run_id" uuid NOT NULL,
	"benchmark" text NOT NULL,
	"from_version" integer NOT NULL,
	"from_fingerprint" text,
	"to_version" integer NOT NULL,
	"to_fingerprint" text,
	"changed" integer NOT NULL,
	"computed_by" "computed_by" NOT NULL,
	"code_version" text NOT NULL,
	"owner_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"summary" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "run_benchmarks" (
	"run_id" uuid NOT NULL,
	"benchmark" text NOT NULL,
	"position" integer NOT NULL,
	"version" integer NOT NULL,
	"profile" text NOT NULL,
	"metrics" jsonb,
	"latency_ms_sum" double precision DEFAULT 0 NOT NULL,
	"latency_count" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "run_benchmarks_run_id_benchmark_pk" PRIMARY KEY("run_id","benchmark")
);
--> statement-breakpoint
CREATE TABLE "run_replays" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"answers" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"visibility" "visibility" NOT NULL,
	"status" "run_status" NOT NULL,
	"model_id" text NOT NULL,
	"model_slug" text NOT NULL,
	"provider" text NOT NULL,
	"seq" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sealed_credential" text,
	"name" text,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"spec" jsonb NOT NULL,
	"head" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"sha256" text NOT NULL,
	"owner_id" text NOT NULL,
	"user_id" text NOT NULL,
	"username" text NOT NULL,
	"scopes" text[] NOT NULL,
	"browser" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "sessions_sha256_unique" UNIQUE("sha256")
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb
);
--> statement-breakpoint
CREATE TABLE "signing_keys" (
	"fingerprint" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"valid_from" timestamp (3) with time zone NOT NULL,
	"retired_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "task_runs" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"task_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"name" text NOT NULL,
	"archive_name" text NOT NULL,
	"original_filename" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"checksum" text NOT NULL,
	"facts" jsonb NOT NULL,
	"model" text,
	"provider" text,
	"agent" text NOT NULL,
	"num_runs" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "team_invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"team_id" uuid NOT NULL,
	"role" "team_role" NOT NULL,
	"sha256" text NOT NULL,
	"username" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"made_by" text NOT NULL,
	CONSTRAINT "team_invitations_sha256_unique" UNIQUE("sha256")
);
--> statement-breakpoint
CREATE TABLE "team_members" (
	"team_id" uuid NOT NULL,
	"owner_id" text NOT NULL,
	"username" text NOT NULL,
	"role" "team_role" NOT NULL,
	"joined_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "team_members_team_id_owner_id_pk" PRIMARY KEY("team_id","owner_id")
);
--> statement-breakpoint
CREATE TABLE "teams" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"made_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trial_records" (
	"run_id" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"record" json NOT NULL,
	CONSTRAINT "trial_records_run_id_ordinal_pk" PRIMARY KEY("run_id","ordinal")
);
--> statement-breakpoint
CREATE TABLE "trial_texts" (
	"run_id" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"snippet" text NOT NULL,
	"grams" bit (4096),
	"search" text NOT NULL,
	CONSTRAINT "trial_texts_run_id_ordinal_pk" PRIMARY KEY("run_id","ordinal")
);
--> statement-breakpoint
CREATE TABLE "trials" (
	"run_id" uuid NOT NULL,
	"finished_at" timestamp (3) with time zone NOT NULL,
	"seq" bigint NOT NULL,
	"score" double precision,
	"latency_ms" double precision,
	"ttft_ms" double precision,
	"cost_usd" double precision,
	"ordinal" integer NOT NULL,
	"epoch" integer NOT NULL,
	"attempt" integer NOT NULL,
	"input_tokens" integer NOT NULL,
	"output_tokens" integer NOT NULL,
	"cached_tokens" integer NOT NULL,
	"reasoning_tokens" integer NOT NULL,
	"options" integer,
	"outcome" "trial_outcome" NOT NULL,
	"benchmark" text NOT NULL,
	"item_id" text NOT NULL,
	"source_id" text,
	"group_name" text,
	"answer" text,
	"expected" text,
	"failure" text,
	"flags" text[] NOT NULL,
	"detail" json NOT NULL,
	"record_size" integer NOT NULL,
	"stream" json,
	CONSTRAINT "trials_run_id_benchmark_item_id_epoch_pk" PRIMARY KEY("run_id","benchmark","item_id","epoch")
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
ALTER TABLE "board_rows" ADD CONSTRAINT "board_rows_board_boards_id_fk" FOREIGN KEY ("board") REFERENCES "public"."boards"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency" ADD CONSTRAINT "idempotency_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rescore_differences" ADD CONSTRAINT "rescore_differences_rescore_id_rescores_id_fk" FOREIGN KEY ("rescore_id") REFERENCES "public"."rescores"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rescores" ADD CONSTRAINT "rescores_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_benchmarks" ADD CONSTRAINT "run_benchmarks_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_replays" ADD CONSTRAINT "run_replays_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_runs" ADD CONSTRAINT "task_runs_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_runs" ADD CONSTRAINT "task_runs_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_invitations" ADD CONSTRAINT "team_invitations_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "artifacts_by_bytes" ON "artifacts" USING btree ("run_id","sha256");--> statement-breakpoint
CREATE INDEX "audit_actor" ON "audit" USING btree ("actor_id","seq");--> statement-breakpoint
CREATE INDEX "audit_owner" ON "audit" USING btree ("owner_id","seq");--> statement-breakpoint
CREATE INDEX "board_entries_of_board" ON "board_entries" USING btree ("board","setup");--> statement-breakpoint
CREATE INDEX "board_entries_apart" ON "board_entries" USING btree ("board","ended_at" DESC NULLS FIRST,"run_id") WHERE apart is not null and not withdrawn;--> statement-breakpoint
CREATE INDEX "board_entries_withdrawn" ON "board_entries" USING btree ("owner_id","board") WHERE withdrawn;--> statement-breakpoint
CREATE INDEX "keys_owner" ON "keys" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "models_slug" ON "models" USING btree ("slug");--> statement-breakpoint
CREATE INDEX "rescores_of_run" ON "rescores" USING btree ("run_id","created_at");--> statement-breakpoint
CREATE INDEX "run_benchmarks_by_benchmark" ON "run_benchmarks" USING btree ("benchmark");--> statement-breakpoint
CREATE INDEX "runs_newest" ON "runs" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "runs_owner" ON "runs" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE INDEX "runs_regrades" ON "runs" USING btree (("spec"->'regrade'->>'run_id')) WHERE "runs"."spec"->'regrade'->>'run_id' is not null;--> statement-breakpoint
CREATE INDEX "runs_open" ON "runs" USING btree ("created_at") WHERE status in ('queued', 'running', 'paused');--> statement-breakpoint
CREATE INDEX "sessions_owner" ON "sessions" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE INDEX "task_runs_of_task" ON "task_runs" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "tasks_of_owner" ON "tasks" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE INDEX "tasks_by_bytes" ON "tasks" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "team_invitations_team" ON "team_invitations" USING btree ("team_id");--> statement-breakpoint
CREATE INDEX "team_members_owner" ON "team_members" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "teams_made_by" ON "teams" USING btree ("made_by");--> statement-breakpoint
CREATE INDEX "trials_plan" ON "trials" USING btree ("run_id","ordinal","benchmark");--> statement-breakpoint
-- Keeps records of a few kilobytes uncompressed in their row: compressing each costs more than the
-- disk that it saves.
ALTER TABLE "trials" SET (toast_tuple_target = 8160);--> statement-breakpoint
ALTER TABLE "trial_records" SET (toast_tuple_target = 8160);--> statement-breakpoint
-- Keeps long texts outside of their rows and uncompressed: a scan reads past them, and a search in
-- one text is cheap.
ALTER TABLE "trial_texts" ALTER COLUMN "search" SET STORAGE EXTERNAL;--> statement-breakpoint
-- Adds up the entries of each pair of a board in `places` and a setup in `setups`. Locks the boards
-- first, in the order of their ids: a sum that is read beside another writer would lack its entries.
CREATE FUNCTION "keep_board_rows"(places uuid[], setups uuid[]) RETURNS void LANGUAGE plpgsql AS $$
begin
  perform from boards where id = any(places) order by id for no key update;
  delete from board_rows r using unnest(places, setups) as touched(board, setup) where r.board = touched.board and r.setup = touched.setup;
  insert into board_rows (board, setup, public, owner_id, runs, apart, withdrawn, failed, total, score_sum, below, above, cost_sum, duration_sum, best)
  select board, setup, public, owner_id, count(*) filter (where ranked), count(*) filter (where not withdrawn and apart is not null),
    count(*) filter (where withdrawn and apart is null), coalesce(sum(failed) filter (where ranked), 0), coalesce(sum(total) filter (where ranked), 0),
    coalesce(sum(score) filter (where ranked), 0), coalesce(sum((score - low) ^ 2) filter (where ranked), 0),
    coalesce(sum((high - score) ^ 2) filter (where ranked), 0),
    case when bool_and(cost_usd is not null) filter (where ranked) then sum(cost_usd) filter (where ranked) end,
    case when bool_and(duration_ms is not null) filter (where ranked) then sum(duration_ms) filter (where ranked) end,
    (array_agg(run_id order by score desc, cost_usd nulls last, duration_ms nulls last, ended_at desc, run_id) filter (where ranked))[1]
  from (
    select board, setup, e.public, case when e.public then '' else e.owner_id end as owner_id, not withdrawn and apart is null as ranked,
      withdrawn, apart, failed, total, score, low, high, cost_usd, duration_ms, ended_at, run_id
    from board_entries e join unnest(places, setups) as touched(board, setup) using (board, setup)
  ) as entries
  group by board, setup, public, owner_id;
end
$$;--> statement-breakpoint
CREATE FUNCTION "board_entries_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
declare
  places uuid[];
  setups uuid[];
begin
  if tg_op = 'INSERT' then
    select array_agg(board), array_agg(setup) into places, setups from (select distinct board, setup from written) as touched;
  elsif tg_op = 'DELETE' then
    select array_agg(board), array_agg(setup) into places, setups from (select distinct board, setup from former) as touched;
  else
    select array_agg(board), array_agg(setup) into places, setups
    from (select board, setup from former union select board, setup from written) as touched;
  end if;
  if places is not null then perform keep_board_rows(places, setups); end if;
  return null;
end
$$;--> statement-breakpoint
CREATE TRIGGER "board_entries_inserted" AFTER INSERT ON "board_entries" REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION "board_entries_changed"();--> statement-breakpoint
CREATE TRIGGER "board_entries_updated" AFTER UPDATE ON "board_entries" REFERENCING OLD TABLE AS former NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION "board_entries_changed"();--> statement-breakpoint
CREATE TRIGGER "board_entries_deleted" AFTER DELETE ON "board_entries" REFERENCING OLD TABLE AS former
  FOR EACH STATEMENT EXECUTE FUNCTION "board_entries_changed"();--> statement-breakpoint
CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'entries of the audit log are never changed';
END
$$;--> statement-breakpoint
CREATE TRIGGER "audit_is_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
