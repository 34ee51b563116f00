CREATE TYPE "public"."team_role" AS ENUM('viewer', 'runner', 'admin');--> statement-breakpoint
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
ALTER TABLE "keys" ADD COLUMN "made_by" text;--> statement-breakpoint
ALTER TABLE "team_invitations" ADD CONSTRAINT "team_invitations_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "team_invitations_team" ON "team_invitations" USING btree ("team_id");--> statement-breakpoint
CREATE INDEX "team_members_owner" ON "team_members" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "teams_made_by" ON "teams" USING btree ("made_by");