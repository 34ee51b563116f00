import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import type { PaceSums } from '#shared/run/pace.ts'
import { keepStretches, keptSchema, restoreTrials, stretchesOf } from './kept-trials.ts'
import { type OpeningRow, openOutboxRows, outboxSchema } from './outbox-rows.ts'
import type { RunStorage } from './run-storage.ts'
import { openTrialRows, planRows, trialSchema } from './trial-rows.ts'

const schema = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  ${trialSchema} ${outboxSchema} ${keptSchema}
`

/** What a run says to the fleet: send agents, or do not. */
export type FleetWord = 'open' | 'ended'

/** The last message to the holders of budgets: its number, and what it said is spent and kept back, in US dollars. */
export type BudgetTold = { turn: number; spent_usd: number | null; kept_usd: number }

type Watermark = { result: number; event: number; head: number; opening: number }

/**
 * The rows of one run in its object's SQLite: trials, the state, numbered events, and results that wait for Postgres. The ascending
 * sequence of results and events is the outbox; two watermarks say what has left. A statement takes at most 100 parameters, lists go in as JSON.
 */
export function openRunRows(storage: RunStorage) {
  const { sql } = storage
  sql.exec(schema)
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
  /** Read once and then kept beside their rows: every frame asks for them. */
  let spec: RunSpec | undefined
  let head: RunHead | undefined
  let mark: Watermark | undefined
  let told: FleetWord | undefined
  const watermark = (): Watermark => {
    mark ??= { result: 0, event: 0, head: -1, opening: 0, ...read<Watermark>('drained') }
    return mark
  }
  const { lookAhead, forgetAhead, leases, ...trials } = openTrialRows(storage)
  const outbox = openOutboxRows(storage, () => watermark().result)

  return {
    ...outbox,
    trials,
    leases,
    spec: (): RunSpec | undefined => {
      spec ??= read<RunSpec>('spec')
      return spec
    },
    head: (): RunHead | undefined => {
      head ??= read<RunHead>('head')
      return head
    },
    saveHead(next: RunHead): void {
      save('head', next)
      head = next
    },
    /** The owner's sealed key, as long as the run has not ended. */
    seal: () => read<string>('seal'),
    saveSeal: (sealed: string) => save('seal', sealed),
    forgetSeal: () => void sql.exec(`DELETE FROM meta WHERE key = 'seal'`),
    /** What the holders of budgets heard last. */
    budgetTold: () => read<BudgetTold>('budgets'),
    saveBudgetTold: (told: BudgetTold) => save('budgets', told),
    /** What the fleet heard last. */
    told: (): FleetWord | undefined => {
      told ??= read<FleetWord>('told')
      return told
    },
    saveTold(word: FleetWord): void {
      save('told', word)
      told = word
    },
    /** How long its trials took, by benchmark. */
    paces: () => read<Record<string, PaceSums>>('paces'),
    savePaces: (paces: Record<string, PaceSums>) => save('paces', paces),
    /** Only who may read the run changes in a plan. */
    saveSpec(next: RunSpec): void {
      save('spec', next)
      spec = next
    },
    plan(planned: RunSpec, initial: RunHead): void {
      save('spec', planned)
      this.saveHead(initial)
      planRows(sql, planned)
    },
    /** Trials of an ended run that were put away for good are rows again: somebody asks for them. */
    restoreTrials(): void {
      if (sql.exec('SELECT 1 FROM kept LIMIT 1').toArray().length > 0)
        restoreTrials(sql, (planned) => planRows(sql, planned), read<RunSpec>('spec')!)
    },
    /** Reads the rows of these trials together; `trials.find` gives them until something is written. */
    lookAhead(ordinals: readonly number[]): void {
      this.restoreTrials()
      lookAhead(ordinals)
    },
    /** Everything since the last commit was rolled back: what is kept in memory besides the rows is read anew. */
    forgetRecent(): void {
      spec = undefined
      head = undefined
      mark = undefined
      told = undefined
      outbox.forgetRecent()
      forgetAhead()
    },
    watermark,
    saveWatermark(moved: Watermark): void {
      save('drained', moved)
      mark = moved
    },
    /** Empties the storage: nobody knows this run. */
    forgetAll(): void {
      void storage.deleteAll()
      sql.exec(schema)
      this.forgetRecent()
    },
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
      outbox.forgetRecent()
      forgetAhead()
    },
  }
}
export type RunRows = ReturnType<typeof openRunRows>
