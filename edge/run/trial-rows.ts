import type { EventOf } from '#shared/contract/event.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import type { Lease } from '#shared/contract/trial.ts'
import { planTrials } from '#shared/run/plan.ts'
import {
  changesOf,
  foundAttempts,
  lostAttempts,
  spentAttempts,
  type Trial,
  type TrialState,
  type TrialStore,
} from '#shared/run/trial-store.ts'
import type { RunStorage, Sql } from './run-storage.ts'

export const trialSchema = `
  CREATE TABLE IF NOT EXISTS trial (
    ordinal INTEGER PRIMARY KEY, benchmark TEXT NOT NULL, item_id TEXT NOT NULL, epoch INTEGER NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0, deaths INTEGER NOT NULL DEFAULT 0, state INTEGER NOT NULL DEFAULT 0,
    session TEXT, outcome TEXT, failure TEXT, grp TEXT, begun INTEGER NOT NULL DEFAULT 0);
  CREATE INDEX IF NOT EXISTS trial_open ON trial (ordinal) WHERE state = 0;
  CREATE INDEX IF NOT EXISTS trial_leased ON trial (session) WHERE state = 1;
  CREATE INDEX IF NOT EXISTS trial_failed ON trial (ordinal) WHERE failure IS NOT NULL;
  CREATE TABLE IF NOT EXISTS spent (ordinal INTEGER, attempt INTEGER, PRIMARY KEY (ordinal, attempt)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS lost (ordinal INTEGER, attempt INTEGER, PRIMARY KEY (ordinal, attempt)) WITHOUT ROWID;
`

/** Trials planned in one statement. */
const trialsAtOnce = 5000

type TrialRow = {
  ordinal: number
  benchmark: string
  item_id: string
  epoch: number
  attempt: number
  deaths: number
  state: number
  session: string | null
  outcome: string | null
  failure: string | null
  grp: string | null
  /** The last attempt that an agent said it began. */
  begun: number
}

type Cell = string | number | null

const columns = 'ordinal, benchmark, item_id, epoch, attempt, deaths, state, session, outcome, failure, grp, begun'

/** A row from its cells in the order of `columns`. */
function rowOf([ordinal, benchmark, item_id, epoch, attempt, deaths, state, session, outcome, failure, grp, begun]: Cell[]): TrialRow {
  return { ordinal, benchmark, item_id, epoch, attempt, deaths, state, session, outcome, failure, grp, begun } as TrialRow // the table's own columns
}

function toTrial(row: TrialRow): Trial {
  const { ordinal, benchmark, item_id, epoch, attempt, deaths } = row
  const at = { ordinal, benchmark, item_id, epoch, attempt, deaths }
  if (row.state === 0) return { ...at, state: 'pending' }
  if (row.state === 1) return { ...at, state: 'leased', session: row.session!, begun: row.begun === attempt }
  return { ...at, state: 'done', outcome: row.outcome as 'failed', failure: row.failure, group: row.grp } // written from the same union below
}

/** The rows as `TrialStore`, with what only an object's SQLite needs or gives. */
type TrialRows = TrialStore & {
  /** Reads the rows of these trials together; `find` gives them until something is written. */
  lookAhead(ordinals: readonly number[]): void
  forgetAhead(): void
  /** Leases as agents need them: the identity of trials beside ordinal and attempt. */
  leases(held: EventOf<'trials_leased'>['data']['leases']): Lease[]
}

/** How the trials of a run stand, in its object's SQLite; lists go into a statement as JSON. */
export function openTrialRows({ sql }: Pick<RunStorage, 'sql'>): TrialRows {
  const all = (query: string, ...bindings: (string | number | null)[]): Trial[] =>
    (sql.exec(query, ...bindings).toArray() as TrialRow[]).map(toTrial)
  /** Rows that the command under way is about, read at once; they hold until the next write. */
  const ahead = new Map<number, Trial>()
  /** Trials that the last claim was offered. What a trial is about stays, whatever becomes of it. */
  const asked = new Map<number, Trial>()
  /** Leases by session, until the next write: one claim asks for them several times. */
  let heldNow: ReadonlyMap<string, number> | undefined
  const forget = (): void => {
    ahead.clear()
    heldNow = undefined
  }
  const find = (ordinal: number): Trial | undefined => ahead.get(ordinal) ?? all('SELECT * FROM trial WHERE ordinal = ?', ordinal)[0]
  const put = (ordinal: number, to: TrialState): void => {
    if (to.state === 'leased') {
      sql.exec('UPDATE trial SET state = 1, attempt = ?, session = ? WHERE ordinal = ?', to.attempt, to.session, ordinal)
    } else if (to.state === 'pending') {
      sql.exec(
        'UPDATE trial SET state = 0, attempt = ?, deaths = ?, session = NULL, outcome = NULL, failure = NULL, grp = NULL WHERE ordinal = ?',
        to.attempt,
        to.deaths,
        ordinal,
      )
    }
  }
  /** The rows that `changesOf` gives, without reading each before: `deaths` stays as it is. */
  const finishAll = ({ data }: EventOf<'benchmark_progress'>): void => {
    sql.exec(
      `UPDATE trial SET state = 2, session = NULL, attempt = r.value ->> 1, outcome = r.value ->> 2, failure = r.value ->> 3, grp = r.value ->> 4
       FROM json_each(?) AS r WHERE trial.ordinal = r.value ->> 0`,
      JSON.stringify(data.results.map(({ ordinal, attempt, outcome, failure, group }) => [ordinal, attempt, outcome, failure, group])),
    )
  }
  const beginAll = ({ data }: EventOf<'trials_begun'>): void => {
    sql.exec(
      'UPDATE trial SET begun = attempt WHERE state = 1 AND ordinal IN (SELECT value ->> 0 FROM json_each(?))',
      JSON.stringify(data.leases),
    )
  }
  const leaseAll = ({ data }: EventOf<'trials_leased'>): void => {
    sql.exec(
      `UPDATE trial SET state = 1, session = ?, attempt = attempt + 1${data.begun ? ', begun = attempt + 1' : ''}
       WHERE ordinal IN (SELECT value ->> 0 FROM json_each(?))`,
      data.session,
      JSON.stringify(data.leases),
    )
  }

  const has = (table: 'spent' | 'lost', ordinal: number, attempt: number): boolean =>
    sql.exec(`SELECT 1 FROM ${table} WHERE ordinal = ? AND attempt = ?`, ordinal, attempt).toArray().length > 0

  return {
    find,
    open(count, among = [{ from: 0, to: Number.MAX_SAFE_INTEGER }]) {
      const query = `SELECT ordinal, benchmark, item_id, epoch, attempt, deaths, state FROM trial
        WHERE state = 0 AND ordinal >= ? AND ordinal < ? ORDER BY ordinal LIMIT ?`
      const found: Trial[] = []
      asked.clear()
      for (const { from, to } of among) {
        const left = Math.min(count, 5000) - found.length
        if (left > 0) found.push(...all(query, from, to, left))
      }
      for (const trial of found) asked.set(trial.ordinal, trial)
      return found
    },
    held() {
      heldNow ??= new Map(
        sql
          .exec('SELECT session, COUNT(*) AS held FROM trial WHERE state = 1 GROUP BY session')
          .toArray()
          .map(({ session, held }) => [session as string, held as number]), // a leased row has a session
      )
      return heldNow
    },
    leasedTo: (session) => all('SELECT * FROM trial WHERE state = 1 AND session = ? ORDER BY ordinal', session),
    failed: () => all('SELECT * FROM trial WHERE state = 2 AND failure IS NOT NULL ORDER BY ordinal'),
    refused: (ordinal, attempt) => has('spent', ordinal, attempt),
    lost: (ordinal, attempt) => has('lost', ordinal, attempt),
    write(event) {
      forget()
      if (event.event_type === 'trials_leased') return leaseAll(event)
      if (event.event_type === 'trials_begun') return beginAll(event)
      if (event.event_type === 'benchmark_progress') finishAll(event)
      if (event.event_type === 'run_canceled') {
        sql.exec('INSERT OR IGNORE INTO lost SELECT ordinal, attempt FROM trial WHERE state = 1')
        sql.exec('UPDATE trial SET state = 0, session = NULL WHERE state = 1')
      }
      for (const [ordinal, attempt] of lostAttempts(event)) sql.exec('INSERT OR IGNORE INTO lost VALUES (?, ?)', ordinal, attempt)
      for (const [ordinal, attempt] of foundAttempts(event))
        sql.exec('DELETE FROM lost WHERE ordinal = ? AND attempt = ?', ordinal, attempt)
      const row = (ordinal: number): TrialState => find(ordinal)!
      for (const [ordinal, attempt] of spentAttempts(event, row)) {
        if (!has('lost', ordinal, attempt)) sql.exec('INSERT OR IGNORE INTO spent VALUES (?, ?)', ordinal, attempt)
      }
      if (event.event_type !== 'benchmark_progress') for (const { ordinal, to } of changesOf(event, row)) put(ordinal, to)
    },
    lookAhead(ordinals) {
      ahead.clear()
      // As one text: of a row that SQLite hands over every cell costs a call. A frame names at most a thousand.
      const query = `SELECT json_group_array(json_array(${columns})) AS rows FROM trial WHERE ordinal IN (SELECT value FROM json_each(?))`
      const rows: Cell[][] = JSON.parse(sql.exec<{ rows: string }>(query, JSON.stringify(ordinals)).one().rows)
      for (const cells of rows) {
        const trial = toTrial(rowOf(cells))
        ahead.set(trial.ordinal, trial)
      }
    },
    forgetAhead: forget,
    leases: (held) =>
      held.map(([ordinal, attempt]) => {
        const { benchmark, item_id, epoch } = asked.get(ordinal) ?? find(ordinal)!
        return { ordinal, attempt, benchmark, item_id, epoch }
      }),
  }
}

/** Plans the trials of a run. They are taken from the plan as they are written: memory does not grow with their number. */
export function planRows(sql: Sql, spec: RunSpec): void {
  let some: [number, string, string, number][] = []
  const insert = () => {
    sql.exec(
      'INSERT INTO trial (ordinal, benchmark, item_id, epoch) SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)',
      JSON.stringify(some),
    )
    some = []
  }
  for (const { ordinal, benchmark, item_id, epoch } of planTrials(spec))
    if (some.push([ordinal, benchmark, item_id, epoch]) === trialsAtOnce) insert()
  if (some.length > 0) insert()
}
