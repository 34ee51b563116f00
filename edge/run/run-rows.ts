import type { EventOf, StreamedEvent } from '#shared/contract/event.ts'
import type { RunHead, RunSpec } from '#shared/contract/run.ts'
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
import { keepStretches, keptSchema, restoreTrials, stretchesOf } from './kept-trials.ts'
import type { RunStorage } from './run-storage.ts'

const schema = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS trial (
    ordinal INTEGER PRIMARY KEY, benchmark TEXT NOT NULL, item_id TEXT NOT NULL, epoch INTEGER NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0, deaths INTEGER NOT NULL DEFAULT 0, state INTEGER NOT NULL DEFAULT 0,
    session TEXT, outcome TEXT, failure TEXT, grp TEXT);
  CREATE INDEX IF NOT EXISTS trial_open ON trial (ordinal) WHERE state = 0;
  CREATE INDEX IF NOT EXISTS trial_leased ON trial (session) WHERE state = 1;
  CREATE INDEX IF NOT EXISTS trial_failed ON trial (ordinal) WHERE failure IS NOT NULL;
  CREATE TABLE IF NOT EXISTS spent (ordinal INTEGER, attempt INTEGER, PRIMARY KEY (ordinal, attempt)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS lost (ordinal INTEGER, attempt INTEGER, PRIMARY KEY (ordinal, attempt)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS result (seq INTEGER PRIMARY KEY, event_id INTEGER NOT NULL, finished_at TEXT NOT NULL, record TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS opening (seq INTEGER PRIMARY KEY AUTOINCREMENT, sha256 TEXT NOT NULL UNIQUE, text TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS event (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
  ${keptSchema}
`

/** A result that waits for Postgres; `record` is the JSON text of its `TrialRecord`. */
export type ResultRow = { seq: number; event_id: number; finished_at: string; record: string }

export type OpeningRow = { seq: number; sha256: string; text: string }
type Watermark = { result: number; event: number; head: number; opening: number }

/** A statement takes at most 100 parameters. */
const resultsAtOnce = 90
const insertResults = (count: number): string =>
  `INSERT INTO result (seq, event_id, finished_at, record) VALUES ${Array.from({ length: count }, (_, row) => `(?1 + ${row}, ?2, ?3, ?${row + 4})`).join(', ')}`

/** Trials planned in one statement. */
const trialsAtOnce = 5000

/** Events kept in memory beside their rows, at least; each holds up to a frame of results. */
const mostRecent = 32

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
}

function toTrial(row: TrialRow): Trial {
  const { ordinal, benchmark, item_id, epoch, attempt, deaths } = row
  const at = { ordinal, benchmark, item_id, epoch, attempt, deaths }
  if (row.state === 0) return { ...at, state: 'pending' }
  if (row.state === 1) return { ...at, state: 'leased', session: row.session! }
  return { ...at, state: 'done', outcome: row.outcome as 'failed', failure: row.failure, group: row.grp } // written from the same union below
}

/**
 * The rows of one run in its object's SQLite: trials, the state, numbered events, and results that wait for Postgres. The ascending
 * sequence of results and events is the outbox; two watermarks say what has left. A statement takes at most 100 parameters, lists go in as JSON.
 */
export function openRunRows(storage: RunStorage) {
  const { sql } = storage
  sql.exec(schema)
  const all = (query: string, ...bindings: (string | number | null)[]): Trial[] =>
    (sql.exec(query, ...bindings).toArray() as TrialRow[]).map(toTrial)
  const read = <T>(key: string): T | undefined => {
    const row = sql.exec('SELECT value FROM meta WHERE key = ?', key).toArray()[0]
    return row ? (JSON.parse(row.value as string) as T) : undefined // written by `save` from the same type
  }
  const save = (key: string, value: unknown): void => {
    sql.exec(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      key,
      JSON.stringify(value),
    )
  }
  /** Rows that the command under way is about, read at once; they hold until the next write. */
  const ahead = new Map<number, Trial>()
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
  const leaseAll = ({ data }: EventOf<'trials_leased'>): void => {
    sql.exec(
      'UPDATE trial SET state = 1, session = ?, attempt = attempt + 1 WHERE ordinal IN (SELECT value ->> 0 FROM json_each(?))',
      data.session,
      JSON.stringify(data.leases),
    )
  }

  /** The newest events as they were appended: viewers and the drain take them within moments, and need no copy read back for that. */
  let recent: StreamedEvent[] = []
  const recentAfter = (after: number): StreamedEvent[] | undefined => {
    const first = recent[0]?.id
    return first !== undefined && first <= after + 1 ? recent.slice(after + 1 - first) : undefined
  }

  /** Numbers are given here, which costs less than SQLite's own counter, and never twice: rows may be gone behind the watermark. */
  const readLastResult = (): number =>
    Math.max(sql.exec('SELECT COALESCE(MAX(seq), 0) AS seq FROM result').one().seq as number, read<Watermark>('drained')?.result ?? 0)
  let lastResult = readLastResult()

  const has = (table: 'spent' | 'lost', ordinal: number, attempt: number): boolean =>
    sql.exec(`SELECT 1 FROM ${table} WHERE ordinal = ? AND attempt = ?`, ordinal, attempt).toArray().length > 0

  const trials: TrialStore = {
    find,
    open(count, among = [{ from: 0, to: Number.MAX_SAFE_INTEGER }]) {
      const query = `SELECT ordinal, benchmark, item_id, epoch, attempt, deaths, state FROM trial
        WHERE state = 0 AND ordinal >= ? AND ordinal < ? ORDER BY ordinal LIMIT ?`
      const found: Trial[] = []
      for (const { from, to } of among) {
        const left = Math.min(count, 5000) - found.length
        if (left > 0) found.push(...all(query, from, to, left))
      }
      return found
    },
    held() {
      const rows = sql.exec('SELECT session, COUNT(*) AS held FROM trial WHERE state = 1 GROUP BY session').toArray()
      return new Map(rows.map(({ session, held }) => [session as string, held as number])) // a leased row has a session
    },
    leasedTo: (session) => all('SELECT * FROM trial WHERE state = 1 AND session = ? ORDER BY ordinal', session),
    failed: () => all('SELECT * FROM trial WHERE state = 2 AND failure IS NOT NULL ORDER BY ordinal'),
    refused: (ordinal, attempt) => has('spent', ordinal, attempt),
    lost: (ordinal, attempt) => has('lost', ordinal, attempt),
    write(event) {
      ahead.clear()
      if (event.event_type === 'trials_leased') return leaseAll(event)
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
  }

  const watermark = (): Watermark => ({ result: 0, event: 0, head: -1, opening: 0, ...read<Watermark>('drained') })
  const planRows = (spec: RunSpec): void => {
    // Taken from the plan as they are written: memory does not grow with the number of trials.
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

  return {
    trials,
    spec: () => read<RunSpec>('spec'),
    head: () => read<RunHead>('head'),
    saveHead: (head: RunHead) => save('head', head),
    /** The owner's sealed key, as long as the run has not ended. */
    seal: () => read<string>('seal'),
    saveSeal: (sealed: string) => save('seal', sealed),
    forgetSeal: () => void sql.exec(`DELETE FROM meta WHERE key = 'seal'`),
    plan(spec: RunSpec, head: RunHead): void {
      save('spec', spec)
      save('head', head)
      planRows(spec)
    },
    /** Trials of an ended run that were put away for good are rows again: somebody asks for them. */
    restoreTrials(): void {
      if (sql.exec('SELECT 1 FROM kept LIMIT 1').toArray().length > 0) restoreTrials(sql, planRows, read<RunSpec>('spec')!)
    },
    /** Reads the rows of these trials together; `trials.find` gives them until something is written. */
    lookAhead(ordinals: readonly number[]): void {
      ahead.clear()
      this.restoreTrials()
      const query = 'SELECT * FROM trial WHERE ordinal IN (SELECT value FROM json_each(?))'
      for (const trial of all(query, JSON.stringify(ordinals))) ahead.set(trial.ordinal, trial)
    },
    /** Leases as agents need them: the identity of trials beside ordinal and attempt. */
    leases(held: EventOf<'trials_leased'>['data']['leases']): Lease[] {
      const query =
        'SELECT ordinal, attempt, benchmark, item_id, epoch FROM trial WHERE ordinal IN (SELECT value ->> 0 FROM json_each(?)) ORDER BY ordinal'
      return sql.exec(query, JSON.stringify(held)).toArray() as Lease[]
    },
    append(streamed: StreamedEvent): void {
      sql.exec('INSERT INTO event (id, body) VALUES (?, ?)', streamed.id, JSON.stringify(streamed))
      recent.push(streamed)
      if (recent.length > 2 * mostRecent) recent = recent.slice(-mostRecent)
    },
    /** Everything since the last commit was rolled back: what is kept here besides the rows is read anew. */
    forgetRecent(): void {
      recent = []
      ahead.clear()
      lastResult = readLastResult()
    },
    /** Results of one event, in their order; `records` holds the JSON text of each. A call of `exec` costs more than the row it inserts. */
    addResults(event_id: number, finished_at: string, records: readonly string[]): void {
      for (let from = 0; from < records.length; from += resultsAtOnce) {
        const some = records.slice(from, from + resultsAtOnce)
        sql.exec(insertResults(some.length), lastResult + 1, event_id, finished_at, ...some)
        lastResult += some.length
      }
    },
    addOpening(sha256: string, text: string): void {
      sql.exec('INSERT OR IGNORE INTO opening (sha256, text) VALUES (?, ?)', sha256, text)
    },
    hasOpening: (sha256: string): boolean => sql.exec('SELECT 1 FROM opening WHERE sha256 = ?', sha256).toArray().length > 0,
    openings(after: number): Iterable<OpeningRow> {
      return sql.exec<OpeningRow>('SELECT seq, sha256, text FROM opening WHERE seq > ? ORDER BY seq', after)
    },
    events(after: number, limit: number): StreamedEvent[] {
      const kept = recentAfter(after)
      if (kept) return kept.slice(0, limit)
      return sql
        .exec('SELECT body FROM event WHERE id > ? ORDER BY id LIMIT ?', after, limit)
        .toArray()
        .map((row) => JSON.parse(row.body as string))
    },
    /** Number of the first event that is still here; undefined where all have left for the record. */
    firstEvent: () => (sql.exec('SELECT MIN(id) AS id FROM event').one().id as number | null) ?? undefined,
    /** Read row by row as the caller takes them: records are large, and a batch may be full long before `limit`. */
    results(after: number, limit: number): Iterable<ResultRow> {
      return sql.exec<ResultRow>('SELECT seq, event_id, finished_at, record FROM result WHERE seq > ? ORDER BY seq LIMIT ?', after, limit)
    },
    watermark,
    saveWatermark: (mark: Watermark) => save('drained', mark),
    lastOpening: () => sql.exec('SELECT COALESCE(MAX(seq), 0) AS seq FROM opening').one().seq as number,
    lastResult: () => lastResult,
    /**
     * Gives the storage back once everything stands in Postgres. What stays is the plan, the state, how each trial stands, what was counted of
     * given-up attempts, and which openings are known: agents do not send them again.
     */
    giveBack(): void {
      this.restoreTrials() // put away before and not asked for since
      const kept = stretchesOf(sql)
      const meta = sql.exec<{ key: string; value: string }>('SELECT key, value FROM meta').toArray()
      const openings = sql.exec<OpeningRow>(
        "SELECT seq, sha256, CASE WHEN seq <= ? THEN '' ELSE text END AS text FROM opening",
        watermark().opening,
      )
      const attempts = (['spent', 'lost'] as const).map(
        (table) => [table, sql.exec(`SELECT ordinal, attempt FROM ${table}`).toArray()] as const,
      )
      const known = openings.toArray()
      void storage.deleteAll() // empty from here on
      sql.exec(schema)
      storage.transactionSync(() => {
        for (const { key, value } of meta) sql.exec('INSERT INTO meta VALUES (?, ?)', key, value)
        keepStretches(sql, kept)
        for (const { seq, sha256, text } of known) sql.exec('INSERT INTO opening VALUES (?, ?, ?)', seq, sha256, text)
        for (const [table, rows] of attempts)
          sql.exec(`INSERT INTO ${table} SELECT value ->> 'ordinal', value ->> 'attempt' FROM json_each(?)`, JSON.stringify(rows))
      })
      recent = []
      ahead.clear()
    },
  }
}
export type RunRows = ReturnType<typeof openRunRows>
