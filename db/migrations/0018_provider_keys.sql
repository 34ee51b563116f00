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
