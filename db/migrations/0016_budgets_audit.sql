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
CREATE TABLE "budgets" (
	"holder" text PRIMARY KEY NOT NULL,
	"day_usd" double precision,
	"month_usd" double precision,
	"set_by" text NOT NULL,
	"set_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "audit_actor" ON "audit" USING btree ("actor_id","seq");--> statement-breakpoint
CREATE INDEX "audit_owner" ON "audit" USING btree ("owner_id","seq");--> statement-breakpoint
CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'entries of the audit log are never changed';
END
$$;--> statement-breakpoint
CREATE TRIGGER "audit_is_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
