import { and, asc, count, desc, eq, gte, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Database } from '../connect.ts'
import { runs } from '../schema/runs.ts'
import { trials } from '../schema/trials.ts'
import type { OpsRecord, UsageRow } from '../store.ts'

/** Runs of each list. */
const mostListed = 25
/** Runs whose trials are summed: those that the record heard of last. */
const mostSummed = 5000

/** Reads what an operator sees of the whole service, of all owners, in one request: run counts, the newest runs, and what trials took since `weekAgo`. */
export async function readOps(db: Database, weekAgo: string, dayAgo: string): Promise<OpsRecord> {
  const listed = { spec: runs.spec, head: runs.head, label: { name: runs.name, tags: runs.tags } }
  const open = (status: 'queued' | 'running') =>
    db.select(listed).from(runs).where(eq(runs.status, status)).orderBy(asc(runs.created_at), asc(runs.id)).limit(mostListed)
  const recent = db
    .select({ id: runs.id })
    .from(runs)
    .where(and(gte(runs.updated_at, weekAgo), sql`${runs.spec}->'imported' is null`))
    .orderBy(desc(runs.updated_at))
    .limit(mostSummed)
  const sums = (since: string) => {
    const within = sql`filter (where ${trials.finished_at} >= ${since})`
    const sum = (column: unknown) => sql<number>`coalesce(sum(${column}) ${within}, 0)`.mapWith(Number)
    return {
      trials: sql<number>`count(*) ${within}`.mapWith(Number),
      input_tokens: sum(trials.input_tokens),
      output_tokens: sum(trials.output_tokens),
      cost_usd: sum(trials.cost_usd),
      unpriced: sql<number>`count(*) filter (where ${trials.finished_at} >= ${since} and ${trials.cost_usd} is null)`.mapWith(Number),
    }
  }
  const usage = db
    .select({ failure: trials.failure, day: sums(dayAgo), week: sums(weekAgo) })
    .from(trials)
    .where(and(inArray(trials.run_id, recent), gte(trials.finished_at, weekAgo)))
    .groupBy(trials.failure)
  const [counts, queued, running, ended, rows] = await db.batch([
    db.select({ status: runs.status, runs: count() }).from(runs).groupBy(runs.status),
    open('queued'),
    open('running'),
    db.select(listed).from(runs).where(isNotNull(runs.completed_at)).orderBy(desc(runs.completed_at), desc(runs.id)).limit(mostListed),
    usage,
  ])
  return { counts: Object.fromEntries(counts.map((one) => [one.status, one.runs])), queued, running, ended, usage: rows as UsageRow[] }
}
