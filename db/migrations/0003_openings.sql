CREATE TABLE "openings" (
	"run_id" uuid NOT NULL,
	"sha256" text NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "openings_run_id_sha256_pk" PRIMARY KEY("run_id","sha256")
);
