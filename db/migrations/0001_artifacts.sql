CREATE TABLE "artifacts" (
	"sha256" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"content_type" text NOT NULL,
	"run_id" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "artifacts_run_id_ordinal_sha256_pk" PRIMARY KEY("run_id","ordinal","sha256")
);
--> statement-breakpoint
CREATE INDEX "artifacts_by_sha256" ON "artifacts" USING btree ("sha256");