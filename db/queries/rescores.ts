import { and, asc, count, desc, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Rescore, RescoreDifference, RescoreSummary } from '#shared/contract/rescore.ts'
import { unpackRecord } from '#shared/run/openings.ts'
import type { Database } from '../connect.ts'
import { rescoreDifferences, rescores } from '../schema/rescores.ts'
import { trialRecords, trials } from '../schema/trials.ts'
import type { EvidencePage } from '../store.ts'
import { writeBoard } from './board-write.ts'
import { knownRun } from './match.ts'
import { recordOfPage, weighedPage } from './weighed-page.ts'

const rowsPerInsert = 500

/** Writes a rescoring, its differences and the run's place on the boards, all or nothing. */
export async function saveRescore(
  db: Database,
  rescore: Rescore,
  owner_id: string,
  differences: readonly RescoreDifference[],
): Promise<void> {
  const { id, run_id, computed_by, code_version, created_at, ...summary } = rescore
  const { benchmark, from, to, counts } = summary
  const versions = {
    from_version: from.version,
    from_fingerprint: from.fingerprint,
    to_version: to.version,
    to_fingerprint: to.fingerprint,
  }
  const row = { id, run_id, benchmark, ...versions, changed: counts.changed, computed_by, code_version, owner_id, created_at, summary }
  const pages = []
  for (let at = 0; at < differences.length; at += rowsPerInsert) {
    const rows = differences.slice(at, at + rowsPerInsert).map((difference) => ({ rescore_id: id, ...difference }))
    pages.push(db.insert(rescoreDifferences).values(rows))
  }
  await db.batch([db.insert(rescores).values(row), ...pages, db.execute(writeBoard(knownRun(run_id)))])
}

const stored = {
  id: rescores.id,
  run_id: rescores.run_id,
  computed_by: rescores.computed_by,
  code_version: rescores.code_version,
  created_at: rescores.created_at,
  summary: rescores.summary,
}

/** A record without what no scorer reads: prompts and reasoning would be most of what is sent. */
const evidenceOnly = (record: SQL) => sql`jsonb_set(jsonb_set(${record}::jsonb, '{evidence,reasoning}', 'null', false), '{messages}', '[]')`

export async function listEvidence(
  db: Database,
  run_id: string,
  benchmark: string,
  after_ordinal: number,
  limit: number,
): Promise<EvidencePage> {
  const following = and(eq(trials.run_id, knownRun(run_id)), eq(trials.benchmark, benchmark), gt(trials.ordinal, after_ordinal))
  const page = weighedPage(db, following, 'plan', { limit, offset: 0 })
  const rows = await db
    .select({ record: evidenceOnly(recordOfPage(run_id)).mapWith(trialRecords.record), followed: page.followed })
    .from(page)
    .orderBy(page.place)
  const last = rows.at(-1)
  return {
    records: rows.map(({ record }) => unpackRecord({ ...record, messages: [] }, new Map())),
    next: last?.followed ? last.record.ordinal : null,
  }
}

const difference = {
  ordinal: rescoreDifferences.ordinal,
  item_id: rescoreDifferences.item_id,
  epoch: rescoreDifferences.epoch,
  before: rescoreDifferences.before,
  after: rescoreDifferences.after,
}

type StoredRescore = Pick<Rescore, 'id' | 'computed_by' | 'code_version' | 'created_at'> & { run_id: string; summary: RescoreSummary }

/** The id is one of a run: its row refers to it. */
function toRescore({ summary, run_id, ...row }: StoredRescore): Rescore {
  return { ...summary, ...row, run_id: run_id as Rescore['run_id'] }
}

/** Rescorings of a run, newest first. */
export async function listRescores(
  db: Database,
  run_id: string,
  page: { limit: number; offset: number },
): Promise<{ rescores: Rescore[]; total: number }> {
  const where = eq(rescores.run_id, knownRun(run_id))
  const [rows, [counted]] = await db.batch([
    db
      .select(stored)
      .from(rescores)
      .where(where)
      .orderBy(desc(rescores.created_at), asc(rescores.benchmark), asc(rescores.id))
      .limit(page.limit)
      .offset(page.offset),
    db.select({ total: count() }).from(rescores).where(where),
  ])
  return { rescores: rows.map(toRescore), total: counted?.total ?? 0 }
}

export async function findRescore(db: Database, run_id: string, id: string): Promise<Rescore | undefined> {
  const [row] = await db
    .select(stored)
    .from(rescores)
    .where(and(eq(rescores.run_id, knownRun(run_id)), eq(rescores.id, knownRun(id))))
  return row && toRescore(row)
}

/** Differences after a trial's number, in the order of the plan. */
export async function listRescoreDifferences(db: Database, id: string, after_ordinal: number, limit: number): Promise<RescoreDifference[]> {
  return db
    .select(difference)
    .from(rescoreDifferences)
    .where(and(eq(rescoreDifferences.rescore_id, knownRun(id)), gt(rescoreDifferences.ordinal, after_ordinal)))
    .orderBy(asc(rescoreDifferences.ordinal))
    .limit(limit)
}
