import { and, eq, isNull, sql } from 'drizzle-orm'
import { terminalStatuses } from '#shared/contract/run.ts'
import type { Database } from '../connect.ts'
import { runs } from '../schema/runs.ts'
import { trials, trialTexts } from '../schema/trials.ts'
import { storableJson } from '../storable.ts'
import { TextsIncomplete } from '../store.ts'
import { knownRun } from './match.ts'
import { textsOf } from './trial-entry.ts'
import { recordOfPage } from './weighed-page.ts'

const batchRows = 500
const longestFillMs = 5_000

/** What a reading needs of the texts: a search all of them, a list what there is of its snippets. */
export type TextsFor = 'search' | 'snippets' | 'nothing'

/**
 * Reads with the texts of a run; `read` sends the given query first in its batch, which bounds the others in time, and gives back what it said. Where an earlier version wrote trials without
 * texts, these are made first and it is read again.
 * @throws TextsIncomplete when that takes a search longer than 5 s; what was made until then is kept.
 */
export async function withTexts<R extends { state: { searchable: boolean }[] }>(
  db: Database,
  run_id: string,
  use: TextsFor,
  read: (state: ReadFirst) => Promise<R>,
): Promise<R> {
  const first = await read(stateOf(db, run_id))
  if (use === 'nothing' || first.state[0]?.searchable !== false) return first
  const whole = await fillTexts(db, run_id)
  if (!whole && use === 'search') throw new TextsIncomplete(`run ${run_id} still has trials without texts`)
  return read(stateOf(db, run_id))
}

/** Stands first in its batch: what follows in it is given up when it takes longer than this. */
const longestStatementMs = 5_000
const stateOf = (db: Database, run_id: string) =>
  db
    .select({
      searchable: runs.searchable,
      limit: sql<string>`set_config('statement_timeout', ${String(longestStatementMs)}, true)`,
    })
    .from(runs)
    .where(eq(runs.id, knownRun(run_id)))

/** The query that a reading sends first. */
export type ReadFirst = ReturnType<typeof stateOf>

/** Makes the texts of trials that lack them, batch by batch for at most 5 s; true when none is left. */
async function fillTexts(db: Database, run_id: string): Promise<boolean> {
  const id = knownRun(run_id)
  const untilMs = Date.now() + longestFillMs
  while (Date.now() < untilMs) {
    const page = db
      .select({ ordinal: trials.ordinal, record: trials.record })
      .from(trials)
      .leftJoin(trialTexts, and(eq(trialTexts.run_id, trials.run_id), eq(trialTexts.ordinal, trials.ordinal)))
      .where(and(eq(trials.run_id, id), isNull(trialTexts.ordinal)))
      .limit(batchRows)
      .as('page')
    const lacking = await db.select({ ordinal: page.ordinal, record: recordOfPage(run_id) }).from(page)
    if (lacking.length > 0) {
      const rows = storableJson(lacking.map(({ ordinal, record }) => ({ ordinal, ...textsOf(record) })))
      await db.execute(sql`insert into ${trialTexts} (run_id, ordinal, snippet, grams, search)
        select ${id}::uuid, t.* from jsonb_to_recordset(${rows}::jsonb) as t(ordinal int, snippet text, grams bit(4096), search text)
        on conflict do nothing`)
    }
    if (lacking.length < batchRows) {
      // A run that goes on may still be written to by the earlier version, while both are there.
      await db
        .update(runs)
        .set({ searchable: true })
        .where(and(eq(runs.id, id), sql`${runs.status} in ${[...terminalStatuses]}`))
      return true
    }
  }
  return false
}
