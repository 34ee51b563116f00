CREATE TYPE "public"."owner_kind" AS ENUM('local', 'key', 'chutes');--> statement-breakpoint
CREATE TYPE "public"."run_status" AS ENUM('queued', 'running', 'paused', 'succeeded', 'failed', 'canceled', 'incomplete');--> statement-breakpoint
CREATE TYPE "public"."trial_outcome" AS ENUM('right', 'wrong', 'failed');--> statement-breakpoint
CREATE TYPE "public"."visibility" AS ENUM('public', 'link', 'private');--> statement-breakpoint
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
CREATE TABLE "benchmarks" (
	"name" text PRIMARY KEY NOT NULL,
	"latency_ms_sum" double precision NOT NULL,
	"latency_count" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"run_id" uuid NOT NULL,
	"id" integer NOT NULL,
	"event_type" text NOT NULL,
	"benchmark_name" text,
	"message" text NOT NULL,
	"data" jsonb NOT NULL,
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
	"scopes" text[] NOT NULL,
	"sha256" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
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
CREATE TABLE "owners" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"kind" "owner_kind" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
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
	"spec" jsonb NOT NULL,
	"head" jsonb NOT NULL
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
	"record" jsonb NOT NULL,
	CONSTRAINT "trials_run_id_benchmark_item_id_epoch_pk" PRIMARY KEY("run_id","benchmark","item_id","epoch")
);
--> statement-breakpoint
ALTER TABLE "idempotency" ADD CONSTRAINT "idempotency_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_benchmarks" ADD CONSTRAINT "run_benchmarks_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "keys_owner" ON "keys" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "models_slug" ON "models" USING btree ("slug");--> statement-breakpoint
CREATE INDEX "run_benchmarks_by_benchmark" ON "run_benchmarks" USING btree ("benchmark");--> statement-breakpoint
CREATE INDEX "runs_newest" ON "runs" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "runs_owner" ON "runs" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE INDEX "runs_open" ON "runs" USING btree ("created_at") WHERE status in ('queued', 'running', 'paused');--> statement-breakpoint
CREATE INDEX "trials_plan" ON "trials" USING btree ("run_id","ordinal","benchmark");