import { and, asc, count, desc, eq, inArray, not, or, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { type RunHead, type RunSpec, terminalStatuses } from '#shared/contract/run.ts'
import { type Database, databaseError } from '../connect.ts'
import { idempotency } from '../schema/idempotency.ts'
import { Metrics, runBenchmarks } from '../schema/run-benchmarks.ts'
import { runs } from '../schema/runs.ts'
import { type Idempotency, KeyTaken, type Owner, type RunFilter, type StoredRun } from '../store.ts'
import { contains, knownRun } from './match.ts'
import { upsertOwner } from './owners.ts'

const openStatuses = runs.status.enumValues.filter((status) => !(terminalStatuses as readonly string[]).includes(status))
const MetricsOfRun = z.record(z.string(), Metrics)
const metricsOfRun = sql`(
  select coalesce(jsonb_object_agg(b.benchmark, b.metrics), '{}') from run_benchmarks b where b.run_id = runs.id and b.metrics is not null
)`.mapWith((value: unknown) => MetricsOfRun.parse(value))
const storedRun = { spec: runs.spec, head: runs.head, metrics: metricsOfRun, updated_at: runs.updated_at }

export async function createRun(
  db: Database,
  spec: RunSpec,
  head: RunHead,
  key: Idempotency | null,
  sealed_credential: string | null = null,
  owner?: Owner,
): Promise<void> {
  const { run_id: id, owner_id, visibility, created_at } = spec
  const row = { id, owner_id, visibility, created_at, spec, sealed_credential }
  const model = { model_id: spec.model.id, model_slug: spec.model.slug, provider: spec.model.provider }
  const parts = spec.benchmarks.map(({ name, version, profile }, position) => ({
    run_id: spec.run_id,
    benchmark: name,
    position,
    version,
    profile,
  }))
  const addRun = db
    .insert(runs)
    .values({ ...row, ...model, ...headColumns(head) })
    .onConflictDoNothing()
  const addParts = db.insert(runBenchmarks).values(parts).onConflictDoNothing()
  // What names an owner comes after him.
  const adds = owner ? ([upsertOwner(db, owner), addRun, addParts] as const) : ([addRun, addParts] as const)
  if (!key) {
    await db.batch(adds)
    return
  }
  const dropExpired = db.delete(idempotency).where(and(isKey(key.owner_id, key.key), not(isValid)))
  try {
    await db.batch([...adds, dropExpired, db.insert(idempotency).values({ ...key, run_id: spec.run_id })])
  } catch (error) {
    const taken = await findIdempotent(db, key.owner_id, key.key)
    if (!taken) throw databaseError(error)
    // The same call once more, after an answer that got lost.
    if (taken.run_id === spec.run_id) return
    throw new KeyTaken(`Idempotency-Key of ${key.owner_id} belongs to run ${taken.run_id}`, { cause: error })
  }
}

const isKey = (owner_id: string, key: string) => and(eq(idempotency.owner_id, owner_id), eq(idempotency.key, key))
/** A key holds for a day; after that the same key may make another run. */
const isValid = sql`${idempotency.created_at} > now() - interval '24 hours'`

/** What a run's row repeats of its head. */
export function headColumns(head: RunHead) {
  return { head, seq: head.seq, status: head.status, completed_at: head.completed_at }
}

export async function findIdempotent(
  db: Database,
  owner_id: string,
  key: string,
): Promise<{ run_id: string; body_sha256: string } | undefined> {
  const [row] = await db
    .select({ run_id: idempotency.run_id, body_sha256: idempotency.body_sha256 })
    .from(idempotency)
    .where(and(isKey(owner_id, key), isValid))
  return row
}

export async function findRun(db: Database, run_id: string): Promise<StoredRun | undefined> {
  const [row] = await db
    .select(storedRun)
    .from(runs)
    .where(eq(runs.id, knownRun(run_id)))
  return row
}

export async function listRuns(db: Database, filter: RunFilter): Promise<{ runs: StoredRun[]; total: number }> {
  const where = and(
    mayList(filter.viewer),
    filter.mine ? eq(runs.owner_id, filter.viewer ?? '') : undefined,
    filter.status && eq(runs.status, filter.status),
    filter.model_id === undefined ? undefined : eq(runs.model_id, filter.model_id),
    filter.model_slug ? contains(runs.model_slug, filter.model_slug) : undefined,
  )
  const page = db.select(storedRun).from(runs).where(where).orderBy(desc(runs.created_at), desc(runs.id))
  const [rows, [counted]] = await db.batch([
    page.limit(filter.limit).offset(filter.offset),
    db.select({ total: count() }).from(runs).where(where),
  ])
  return { runs: rows, total: counted?.total ?? 0 }
}

function mayList(viewer: string | null): SQL | undefined {
  const isPublic = eq(runs.visibility, 'public')
  return viewer === null ? isPublic : or(isPublic, eq(runs.owner_id, viewer))
}

export async function listOpenRuns(db: Database): Promise<StoredRun[]> {
  return db.select(storedRun).from(runs).where(inArray(runs.status, openStatuses)).orderBy(asc(runs.created_at), asc(runs.id))
}

export async function countOpenRuns(db: Database, owner_id: string): Promise<number> {
  const [counted] = await db
    .select({ open: count() })
    .from(runs)
    .where(and(eq(runs.owner_id, owner_id), inArray(runs.status, openStatuses)))
  return counted?.open ?? 0
}

export async function findCredential(db: Database, run_id: string): Promise<string | undefined> {
  const [row] = await db
    .select({ sealed: runs.sealed_credential })
    .from(runs)
    .where(eq(runs.id, knownRun(run_id)))
  return row?.sealed ?? undefined
}
