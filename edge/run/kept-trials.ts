import type { RunSpec } from '#shared/contract/run.ts'
import type { Sql } from './run-storage.ts'

/** Neighbouring trials of an ended run that stand alike: `count` of them from `first` on. A group is kept for failures, which may be asked again. */
type Stretch = {
  first: number
  count: number
  state: number
  attempt: number
  deaths: number
  failure: string | null
  grp: string | null
}

export const keptSchema =
  'CREATE TABLE IF NOT EXISTS kept (first INTEGER PRIMARY KEY, count INTEGER, state INTEGER, attempt INTEGER, deaths INTEGER, failure TEXT, grp TEXT);'

const alike = (a: Stretch, b: Stretch): boolean =>
  a.state === b.state && a.attempt === b.attempt && a.deaths === b.deaths && a.failure === b.failure && a.grp === b.grp

/** How the trials stand, in few rows whatever their number: most ended the same way at their first attempt. */
export function stretchesOf(sql: Sql): Stretch[] {
  const stretches: Stretch[] = []
  const query = `SELECT ordinal AS first, 1 AS count, state, attempt, deaths, failure, CASE WHEN failure IS NULL THEN NULL ELSE grp END AS grp
    FROM trial ORDER BY ordinal`
  for (const row of sql.exec<Stretch>(query)) {
    const last = stretches.at(-1)
    if (last && alike(last, row)) last.count++
    else stretches.push({ ...row })
  }
  return stretches
}

/** Keeps what `stretchesOf` gave in place of the trials. */
export function keepStretches(sql: Sql, stretches: readonly Stretch[]): void {
  const columns = ['first', 'count', 'state', 'attempt', 'deaths', 'failure', 'grp'] as const
  const values = columns.map((name) => `value ->> '${name}'`).join(', ')
  for (let from = 0; from < stretches.length; from += 5000)
    sql.exec(`INSERT INTO kept SELECT ${values} FROM json_each(?)`, JSON.stringify(stretches.slice(from, from + 5000)))
}

/** Puts kept trials back into the rows that were planned anew. Whether a scored answer was right stands in the record only. */
export function restoreTrials(sql: Sql, plan: (spec: RunSpec) => void, spec: RunSpec): void {
  plan(spec)
  sql.exec(
    `UPDATE trial SET state = k.state, attempt = k.attempt, deaths = k.deaths, failure = k.failure, grp = k.grp,
       outcome = CASE WHEN k.failure IS NULL THEN NULL ELSE 'failed' END
     FROM kept AS k WHERE k.first = (SELECT MAX(first) FROM kept WHERE first <= trial.ordinal)`,
  )
  sql.exec('DELETE FROM kept')
}
