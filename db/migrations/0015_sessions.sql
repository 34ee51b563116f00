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
ALTER TABLE "keys" ADD COLUMN "used_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "sessions_owner" ON "sessions" USING btree ("owner_id","created_at");