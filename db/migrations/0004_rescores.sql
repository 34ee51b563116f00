CREATE TYPE "public"."computed_by" AS ENUM('edge', 'client');--> statement-breakpoint
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
ALTER TABLE "rescore_differences" ADD CONSTRAINT "rescore_differences_rescore_id_rescores_id_fk" FOREIGN KEY ("rescore_id") REFERENCES "public"."rescores"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rescores" ADD CONSTRAINT "rescores_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "rescores_of_run" ON "rescores" USING btree ("run_id","created_at");