-- No version has written a row into this table before.
DROP INDEX "artifacts_by_sha256";--> statement-breakpoint
ALTER TABLE "artifacts" ADD COLUMN "name" text NOT NULL;--> statement-breakpoint
ALTER TABLE "artifacts" ADD COLUMN "kind" text NOT NULL;--> statement-breakpoint
ALTER TABLE "artifacts" DROP CONSTRAINT "artifacts_run_id_ordinal_sha256_pk";--> statement-breakpoint
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_run_id_ordinal_name_pk" PRIMARY KEY("run_id","ordinal","name");--> statement-breakpoint
CREATE INDEX "artifacts_by_bytes" ON "artifacts" USING btree ("run_id","sha256");
