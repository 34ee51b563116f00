CREATE TABLE "board_rows" (
	"board" uuid NOT NULL,
	"setup" uuid NOT NULL,
	"public" boolean NOT NULL,
	"owner_id" text NOT NULL,
	"runs" integer NOT NULL,
	"apart" integer NOT NULL,
	"withdrawn" integer NOT NULL,
	"failed" integer NOT NULL,
	"total" integer NOT NULL,
	"score_sum" double precision NOT NULL,
	"below" double precision NOT NULL,
	"above" double precision NOT NULL,
	"cost_sum" double precision,
	"duration_sum" double precision,
	"best" uuid,
	CONSTRAINT "board_rows_board_setup_public_owner_id_pk" PRIMARY KEY("board","setup","public","owner_id")
);
--> statement-breakpoint
ALTER TABLE "board_rows" ADD CONSTRAINT "board_rows_board_boards_id_fk" FOREIGN KEY ("board") REFERENCES "public"."boards"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "board_entries_apart" ON "board_entries" USING btree ("board","ended_at" DESC NULLS FIRST,"run_id") WHERE apart is not null and not withdrawn;--> statement-breakpoint
CREATE INDEX "board_entries_withdrawn" ON "board_entries" USING btree ("owner_id","board") WHERE withdrawn;--> statement-breakpoint
-- Adds up the entries of setups anew, those of `setups[n]` on `places[n]`. Writers of a board wait for each other first: a sum read beside another
-- writer's would lack that one's entries, and the last of them would stand. A run's boards are always locked in the order of their ids.
CREATE FUNCTION "keep_board_rows"(places uuid[], setups uuid[]) RETURNS void LANGUAGE plpgsql AS $$
begin
  perform from boards where id = any(places) order by id for no key update;
  delete from board_rows r using unnest(places, setups) as touched(board, setup) where r.board = touched.board and r.setup = touched.setup;
  insert into board_rows (board, setup, public, owner_id, runs, apart, withdrawn, failed, total, score_sum, below, above, cost_sum, duration_sum, best)
  select board, setup, public, owner_id, count(*) filter (where ranked), count(*) filter (where not withdrawn and apart is not null),
    count(*) filter (where withdrawn and apart is null), coalesce(sum(failed) filter (where ranked), 0), coalesce(sum(total) filter (where ranked), 0),
    coalesce(sum(score) filter (where ranked), 0), coalesce(sum((score - low) ^ 2) filter (where ranked), 0),
    coalesce(sum((high - score) ^ 2) filter (where ranked), 0),
    case when bool_and(cost_usd is not null) filter (where ranked) then sum(cost_usd) filter (where ranked) end,
    case when bool_and(duration_ms is not null) filter (where ranked) then sum(duration_ms) filter (where ranked) end,
    (array_agg(run_id order by score desc, cost_usd nulls last, duration_ms nulls last, ended_at desc, run_id) filter (where ranked))[1]
  from (
    select board, setup, e.public, case when e.public then '' else e.owner_id end as owner_id, not withdrawn and apart is null as ranked,
      withdrawn, apart, failed, total, score, low, high, cost_usd, duration_ms, ended_at, run_id
    from board_entries e join unnest(places, setups) as touched(board, setup) using (board, setup)
  ) as entries
  group by board, setup, public, owner_id;
end
$$;--> statement-breakpoint
CREATE FUNCTION "board_entries_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
declare
  places uuid[];
  setups uuid[];
begin
  if tg_op = 'INSERT' then
    select array_agg(board), array_agg(setup) into places, setups from (select distinct board, setup from written) as touched;
  elsif tg_op = 'DELETE' then
    select array_agg(board), array_agg(setup) into places, setups from (select distinct board, setup from former) as touched;
  else
    select array_agg(board), array_agg(setup) into places, setups
    from (select board, setup from former union select board, setup from written) as touched;
  end if;
  if places is not null then perform keep_board_rows(places, setups); end if;
  return null;
end
$$;--> statement-breakpoint
CREATE TRIGGER "board_entries_inserted" AFTER INSERT ON "board_entries" REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION "board_entries_changed"();--> statement-breakpoint
CREATE TRIGGER "board_entries_updated" AFTER UPDATE ON "board_entries" REFERENCING OLD TABLE AS former NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION "board_entries_changed"();--> statement-breakpoint
CREATE TRIGGER "board_entries_deleted" AFTER DELETE ON "board_entries" REFERENCING OLD TABLE AS former
  FOR EACH STATEMENT EXECUTE FUNCTION "board_entries_changed"();--> statement-breakpoint
SELECT keep_board_rows(array_agg(board), array_agg(setup)) FROM (SELECT DISTINCT board, setup FROM board_entries) AS kept;
