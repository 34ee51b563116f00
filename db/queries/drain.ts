import { and, eq, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { PackedRecord } from '#shared/contract/packed.ts'
import { isTerminal } from '#shared/contract/run.ts'
import { createPacker } from '#shared/run/openings.ts'
import { writeEvent } from '#shared/run/packed-event.ts'
import type { Database } from '../connect.ts'
import { events } from '../schema/events.ts'
import { openings } from '../schema/openings.ts'
import { runs } from '../schema/runs.ts'
import { storableJson, storableJsonText } from '../storable.ts'
import type { DrainBatch, DrainOutcome, StoredTrial, WrittenTrial } from '../store.ts'
import { type Left, writeArtifacts } from './artifacts.ts'
import { leaveBoard, writeBoard } from './board-write.ts'
import { knownRun } from './match.ts'
import { headColumns } from './runs.ts'
import { entryOf, listedColumns } from './trial-entry.ts'
import { selectRows, type WrittenRows, writtenRows } from './written-rows.ts'

const key = ['benchmark', 'item_id', 'epoch']
const names = Object.keys(listedColumns)
const insertTarget = sql.raw(`trials (run_id, ${names.join(', ')})`)
const listed = sql.raw(names.map((name) => `t.${name}`).join(', '))
const replaced = sql.raw(
  names
    .filter((name) => !key.includes(name))
    .map((name) => `${name} = excluded.${name}`)
    .join(', '),
)

/**
 * One request, one transaction, a parameter for each column of all trials: 500 rows at a time cost least (reference/throughput.md, 3).
 * The run's row is locked first, so two drains of one run cannot interleave, and an unknown run takes nothing.
 */
export async function drain(db: Database, batch: DrainBatch): Promise<DrainOutcome> {
  const run_id = knownRun(batch.run_id)
  const texts = new Map(batch.openings.map(({ sha256, text }) => [sha256, text]))
  const trials = newestAttempts(batch.trials.map((trial) => ('text' in trial ? writtenEntry(trial) : storedEntry(trial, texts))))
  const rows = writtenRows(
    trials.map((trial) => trial.entry),
    trials.map((trial) => trial.text),
  )
  // Until it has left whole, an ended run is called open under its last number: such a batch of an object's former life may come after the end.
  const isNewer = or(lt(runs.seq, batch.head.seq), and(eq(runs.seq, batch.head.seq), isNull(runs.completed_at)))
  const found = db.select({ id: runs.id }).from(runs).where(eq(runs.id, run_id)).for('no key update')
  const setHead = db
    .update(runs)
    .set({ ...headColumns(batch.head), updated_at: sql`now()`, ...(isTerminal(batch.head.status) && { sealed_credential: null }) })
    .where(and(eq(runs.id, run_id), isNewer))
  // A first attempt replaces nothing, so only one that left something needs a word on it.
  const left = trials.map((entry) => entry.left).filter(({ attempt, artifacts }) => attempt > 1 || artifacts.length > 0)
  const naming = left.length > 0 ? [db.execute(writeArtifacts(run_id, left))] : []
  const [[known], , ...answers] = await db.batch([
    found,
    setHead,
    ...naming,
    ...(trials.length > 0 ? [db.execute(insertTrials(run_id, rows))] : []),
    ...(texts.size > 0 ? [db.execute(insertOpenings(run_id, texts))] : []),
    ...(batch.events.length > 0 ? [db.execute(insertEvents(run_id, batch))] : []),
    db.execute(isTerminal(batch.head.status) ? writeBoard(run_id) : leaveBoard(run_id)),
  ])
  if (!known) throw new Error(`run ${batch.run_id} is not in the record: nothing of the batch was written`)
  if (trials.length === 0) return { written: 0, conflicts: [] }
  const written = (answers[naming.length] as { rowCount: number | null }).rowCount ?? 0 // what a raw statement of a batch gives back
  return { written, conflicts: written === trials.length ? [] : await findConflicts(db, run_id, rows) }
}

type Given = { trial: string; attempt: number; entry: ReturnType<typeof entryOf>; text: string; left: Left }

function writtenEntry(given: WrittenTrial): Given {
  return packedEntry(given.packed ?? JSON.parse(given.text), given.text, given) // stored by the run's object from parsed frames
}

const pack = createPacker()

/** The entry of a record that was never packed; its openings join `texts`. */
function storedEntry(given: StoredTrial, texts: Map<string, string>): Given {
  const { record, openings } = pack(given.record)
  for (const [sha256, text] of Object.entries(openings)) texts.set(sha256, text)
  return packedEntry(record, JSON.stringify(record), given)
}

/** The record joins as the text that it is: it is stored as it was reported. */
function packedEntry(record: PackedRecord, text: string, given: { finished_at: string; seq: number }): Given {
  const { benchmark, item_id, epoch, attempt, ordinal, artifacts = [] } = record
  const left = { ordinal, attempt, finished_at: given.finished_at, artifacts }
  return { trial: `${benchmark}/${epoch}/${item_id}`, attempt, left, entry: entryOf(record, text, given), text }
}

/** A statement may touch a row once: of several attempts at one trial only the last is sent. */
function newestAttempts(entries: Given[]): Given[] {
  const newest = new Map<string, Given>()
  for (const entry of entries) {
    const other = newest.get(entry.trial)
    if (!other || other.attempt < entry.attempt) newest.set(entry.trial, entry)
  }
  return newest.size === entries.length ? entries : [...newest.values()]
}

/** Row, record and texts of every trial that is new or a later attempt; the count is that of the last statement, which is all of them. */
function insertTrials(run_id: string, rows: WrittenRows): SQL {
  return sql`with t as materialized (${selectRows(rows)}),
    kept as (
      insert into ${insertTarget} select ${run_id}::uuid, ${listed} from t where exists (select from runs where id = ${run_id}::uuid)
      on conflict (run_id, benchmark, item_id, epoch) do update set ${replaced} where trials.attempt < excluded.attempt
      returning ordinal
    ),
    recorded as (
      insert into trial_records (run_id, ordinal, record) select ${run_id}::uuid, ordinal, t.record from t join kept using (ordinal)
      on conflict (run_id, ordinal) do update set record = excluded.record
    )
    insert into trial_texts (run_id, ordinal, snippet, grams, search)
    select ${run_id}::uuid, ordinal, t.snippet, t.grams, t.search from t join kept using (ordinal)
    on conflict (run_id, ordinal) do update set snippet = excluded.snippet, grams = excluded.grams, search = excluded.search`
}

function insertOpenings(run_id: string, texts: ReadonlyMap<string, string>): SQL {
  const rows = [...texts].map(([sha256, text]) => ({ sha256, text }))
  return sql`insert into ${openings} (run_id, sha256, text)
    select ${run_id}::uuid, o.* from jsonb_to_recordset(${storableJson(rows)}::jsonb) as o(sha256 text, text text)
    where exists (select from runs where id = ${run_id}::uuid)
    on conflict do nothing`
}

function insertEvents(run_id: string, batch: DrainBatch): SQL {
  const texts = batch.events.map(writeEvent)
  return sql`insert into ${events} (run_id, id, event_type, benchmark_name, message, data, created_at)
    select ${run_id}::uuid, e.* from json_to_recordset(${storableJsonText(`[${texts.join(',')}]`)}::json)
      as e(id int, event_type text, benchmark_name text, message text, data json, created_at timestamptz)
    where exists (select from runs where id = ${run_id}::uuid)
    on conflict (run_id, id) do nothing`
}

/** Rows that were not written although their attempt is the stored one, and that say something else than what is stored. */
async function findConflicts(db: Database, run_id: string, written: WrittenRows): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select trials.benchmark || '/' || trials.item_id || ':' || trials.epoch as name
    from (${selectRows(written)}) t, trials
      join trial_records r on r.run_id = trials.run_id and r.ordinal = trials.ordinal
    where trials.run_id = ${run_id}::uuid and trials.benchmark = t.benchmark and trials.item_id = t.item_id and trials.epoch = t.epoch
      and trials.attempt = t.attempt and r.record::jsonb <> t.record::jsonb
    order by trials.ordinal`)
  return rows.map((row) => row.name)
}
