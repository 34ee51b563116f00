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
ALTER TABLE "trials" ALTER COLUMN "record" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "searchable" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "trials" ADD COLUMN "detail" json;--> statement-breakpoint
ALTER TABLE "trials" ADD COLUMN "record_size" integer;--> statement-breakpoint
-- As for trials before: records of a few kilobytes stay in their row as they are.
ALTER TABLE "trial_records" SET (toast_tuple_target = 8160);--> statement-breakpoint
-- Long texts stand apart and unpacked: a scan reads past them, and looking into one is cheap.
ALTER TABLE "trial_texts" ALTER COLUMN "search" SET STORAGE EXTERNAL;
