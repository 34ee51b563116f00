import { and, asc, count, desc, eq, gte, inArray, lte, not, or, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { KeptAnswers } from '#shared/contract/regrade.ts'
import { type RunHead, type RunSpec, terminalStatuses } from '#shared/contract/run.ts'
import { type Database, databaseError } from '../connect.ts'
import { boardEntries } from '../schema/boards.ts'
import { idempotency } from '../schema/idempotency.ts'
import { Metrics, runBenchmarks } from '../schema/run-benchmarks.ts'
import { runReplays } from '../schema/run-replays.ts'
import { runs } from '../schema/runs.ts'
import { taskRuns } from '../schema/tasks.ts'
import { type Idempotency, KeyTaken, type Owner, type RunFilter, type RunLabel, type StoredRun } from '../store.ts'
import { contains, knownRun } from './match.ts'
import { addOwner } from './owners.ts'

export const openStatuses = runs.status.enumValues.filter((status) => !(terminalStatuses as readonly string[]).includes(status))
const MetricsOfRun = z.record(z.string(), Metrics)
const metricsOfRun = (each: SQL) =>
  sql`(
  select coalesce(jsonb_object_agg(b.benchmark, ${each}), '{}') from run_benchmarks b where b.run_id = runs.id and b.metrics is not null
)`.mapWith((value: unknown) => MetricsOfRun.parse(value))
export const storedRun = {
  spec: runs.spec,
  head: runs.head,
  metrics: metricsOfRun(sql`b.metrics`),
  updated_at: runs.updated_at,
  label: { name: runs.name, tags: runs.tags },
}
/** In a list a run comes without its histograms, which are larger than all the rest of it. */
const listedRun = { ...storedRun, metrics: metricsOfRun(sql`b.metrics - 'streaming'`) }

export async function createRun(
  db: Database,
  spec: RunSpec,
  head: RunHead,
  key: Idempotency | null,
  sealed_credential: string | null = null,
  owner?: Owner,
  label: RunLabel = { name: null, tags: [] },
  replay?: KeptAnswers | null,
  task_id?: string | null,
): Promise<void> {
  const { run_id: id, owner_id, visibility, created_at } = spec
  const row = { id, owner_id, visibility, created_at, spec, sealed_credential, ...label }
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
  const addReplay = replay ? [db.insert(runReplays).values({ run_id: spec.run_id, answers: replay }).onConflictDoNothing()] : []
  const addTask = task_id ? [db.insert(taskRuns).values({ run_id: spec.run_id, task_id }).onConflictDoNothing()] : []
  const rows = [addRun, addParts, ...addReplay, ...addTask] as const
  // What names an owner comes after him.
  const adds = owner ? ([addOwner(db, owner), ...rows] as const) : rows
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

/** The answers that a run replays; undefined where a model is asked. */
export async function findReplayAnswers(db: Database, run_id: string): Promise<KeptAnswers | undefined> {
  const [row] = await db
    .select({ answers: runReplays.answers })
    .from(runReplays)
    .where(eq(runReplays.run_id, knownRun(run_id)))
  return row?.answers
}

/** Runs of the same owner that grade the episodes of this one again, newest first. */
export const listRegrades = async (db: Database, run: Pick<RunSpec, 'run_id' | 'owner_id'>, limit: number): Promise<StoredRun[]> =>
  selectRegrades(db, run, limit)

/** The query of `listRegrades`: whoever asks how it is answered needs it unasked. */
export function selectRegrades(db: Database, { run_id, owner_id }: Pick<RunSpec, 'run_id' | 'owner_id'>, limit: number) {
  return db
    .select(storedRun)
    .from(runs)
    .where(and(eq(runs.owner_id, owner_id), sql`${runs.spec}->'regrade'->>'run_id' = ${run_id}`))
    .orderBy(desc(runs.created_at), desc(runs.id))
    .limit(limit)
}

export async function labelRun(db: Database, run_id: string, label: Partial<RunLabel>): Promise<void> {
  if (Object.keys(label).length === 0) return
  await db
    .update(runs)
    .set(label)
    .where(eq(runs.id, knownRun(run_id)))
}

/** The row, the frozen plan and the boards say the same of who may read a run. */
export async function shareRun(db: Database, run_id: string, visibility: RunSpec['visibility']): Promise<void> {
  const id = knownRun(run_id)
  const spec = sql`jsonb_set(${runs.spec}, '{visibility}', to_jsonb(${visibility}::text))`
  await db.batch([
    db.update(runs).set({ visibility, spec }).where(eq(runs.id, id)),
    db
      .update(boardEntries)
      .set({ public: visibility === 'public' })
      .where(eq(boardEntries.run_id, id)),
  ])
}

export async function listRuns(db: Database, filter: RunFilter): Promise<{ runs: StoredRun[]; total: number }> {
  const where = and(mayList(filter.viewers), ...narrowed(filter))
  const page = db
    .select(listedRun)
    .from(runs)
    .where(where)
    .orderBy(...orderOf(filter))
  const [rows, [counted]] = await db.batch([
    page.limit(filter.limit).offset(filter.offset),
    db.select({ total: count() }).from(runs).where(where),
  ])
  return { runs: rows, total: counted?.total ?? 0 }
}

function narrowed(filter: RunFilter): (SQL | undefined)[] {
  const { viewers, mine, status, model_id, model_slug, q, tag, benchmark, since, until, ids } = filter
  const tags = sql`array_to_string(${runs.tags}, ' ')`
  return [
    mine ? inArray(runs.owner_id, [...viewers]) : undefined,
    status && eq(runs.status, status),
    model_id === undefined ? undefined : eq(runs.model_id, model_id),
    model_slug ? contains(runs.model_slug, model_slug) : undefined,
    q ? or(contains(runs.name, q), contains(runs.model_slug, q), contains(tags, q), contains(sql`${runs.id}::text`, q)) : undefined,
    tag === undefined ? undefined : sql`${tag} = any(${runs.tags})`,
    benchmark === undefined
      ? undefined
      : sql`exists (select 1 from ${runBenchmarks} where ${runBenchmarks.run_id} = ${runs.id} and ${runBenchmarks.benchmark} = ${benchmark})`,
    since === undefined ? undefined : gte(runs.created_at, since),
    until === undefined ? undefined : lte(runs.created_at, until),
    ids === undefined ? undefined : inArray(runs.id, ids.map(knownRun)),
  ]
}

/** Ties go to the newer run. */
function orderOf({ sort, benchmark }: RunFilter): SQL[] {
  const newest = [desc(runs.created_at), desc(runs.id)]
  if (sort === 'oldest') return [asc(runs.created_at), asc(runs.id)]
  if (sort === 'model') return [asc(runs.model_slug), ...newest]
  if (sort === 'cost') return [sql`(${runs.head}->>'cost_usd')::float8 desc nulls last`, ...newest]
  if (sort === 'score') return [sql`${shareRight(benchmark)} desc nulls last`, ...newest]
  return newest
}

/** Score sum over scored trials, of one benchmark or of all that the run has. */
function shareRight(benchmark: string | undefined): SQL {
  return sql`(
    select sum((t.value->>'score_sum')::float8) / nullif(sum((t.value->>'right')::float8 + (t.value->>'wrong')::float8), 0)
    from jsonb_each(${runs.head}->'benchmarks') t ${benchmark === undefined ? sql`` : sql`where t.key = ${benchmark}`}
  )`
}

function mayList(viewers: readonly string[]): SQL | undefined {
  const isPublic = eq(runs.visibility, 'public')
  return viewers.length === 0 ? isPublic : or(isPublic, inArray(runs.owner_id, [...viewers]))
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
