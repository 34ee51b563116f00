import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { mostOpening, TaskFacts, type TaskStatus, taskStatuses } from '#shared/contract/task-upload.ts'
import type { TaskStanding } from '#shared/run/task-standing.ts'
import { uploadBenchmark } from '#shared/run/upload-data.ts'
import type { Database } from '../connect.ts'
import { runs } from '../schema/runs.ts'
import { taskRuns, tasks } from '../schema/tasks.ts'
import { storableJson } from '../storable.ts'
import type { FoundTask, StoredRun, StoredTask, TaskCounts, TaskFilter } from '../store.ts'
import { knownRun } from './match.ts'
import { openStatuses, storedRun } from './runs.ts'

export async function createTask(db: Database, task: StoredTask): Promise<void> {
  await db.insert(tasks).values(task).onConflictDoNothing()
}

const open = sql.raw(openStatuses.map((status) => `'${status}'`).join(', '))
const sumOf = (name: string) => sql.raw(`coalesce(sum((r.head->'benchmarks'->'${uploadBenchmark}'->>'${name}')::float8), 0)`)

/** What `taskStanding` reads off the runs of a task, as the database reads it off the record: they must agree. */
const standings = sql`(
  select t.*, s.*, case when newest is null then 'pending' when open then 'running' when newest = 'canceled' then 'cancelled'
    when newest = 'failed' then 'failed' else 'completed' end as status
  from tasks t cross join lateral (
    select (array_agg(r.status::text order by r.created_at desc, r.id desc))[1] as newest, coalesce(bool_or(r.status in (${open})), false) as open,
      coalesce(sum((r.head->>'total')::int), 0)::int as total, ${sumOf('right')}::int as passed, ${sumOf('wrong')}::int as failed,
      ${sumOf('failed')}::int as errors, ${sumOf('score_sum')} as score_sum, min((r.head->>'started_at')::timestamptz) as started_at,
      max(r.completed_at) as completed_at
    from task_runs tr join runs r on r.id = tr.run_id where tr.task_id = t.id
  ) s
)`

const Moment = z.union([z.string(), z.date()]).transform((value) => new Date(value).toISOString())
const Count = z.coerce.number().int()
const Row = z.object({
  ...{ id: z.string(), owner_id: z.string(), name: z.string(), archive_name: z.string(), original_filename: z.string() },
  ...{ size_bytes: Count, sha256: z.string(), checksum: z.string(), facts: TaskFacts, num_runs: Count, agent: z.string() },
  ...{ model: z.string().nullable(), provider: z.string().nullable(), created_at: Moment, status: z.enum(taskStatuses), open: z.boolean() },
  ...{ total: Count, passed: Count, failed: Count, errors: Count, score_sum: z.coerce.number() },
  ...{ started_at: Moment.nullable(), completed_at: Moment.nullable() },
})

function toFound(row: unknown): FoundTask {
  const { status, open, total, passed, failed, errors, score_sum, started_at, completed_at, ...task } = Row.parse(row)
  const graded = passed + failed
  const standing: TaskStanding = {
    ...{ status, total, passed, failed, errors, started_at },
    mean_reward: graded === 0 ? null : score_sum / graded,
    completed_at: open ? null : completed_at,
  }
  return { task, standing }
}

const columns = sql.raw(
  'id::text, owner_id, name, archive_name, original_filename, size_bytes, sha256, checksum, model, provider, agent, num_runs, created_at, ' +
    'status, open, total, passed, failed, errors, score_sum, started_at, completed_at',
)

/** Of an instruction no more than lists show. */
const shortFacts = sql`jsonb_set(facts, '{instruction}', to_jsonb(left(facts->>'instruction', ${mostOpening}::int)))`

const ofOwners = (owners: readonly string[] | null): SQL => (owners === null ? sql`true` : inArray(sql`owner_id`, [...owners]))

export async function listTasks(db: Database, { owners, status, skip, limit }: TaskFilter): Promise<{ tasks: FoundTask[]; total: number }> {
  const where = sql`${ofOwners(owners)} and ${status === undefined ? sql`true` : sql`status = ${status}`}`
  const [page, counted] = await db.batch([
    db.execute(sql`select ${columns}, ${shortFacts} as facts from ${standings} t where ${where}
      order by created_at desc, id desc limit ${limit}::int offset ${skip}::int`),
    db.execute<{ total: number }>(sql`select count(*)::int as total from ${standings} t where ${where}`),
  ])
  return { tasks: page.rows.map(toFound), total: Number(counted.rows[0]?.total ?? 0) }
}

export async function findTask(db: Database, id: string): Promise<FoundTask | undefined> {
  const { rows } = await db.execute(sql`select ${columns}, facts from ${standings} t where id = ${knownRun(id)}::uuid`)
  return rows[0] && toFound(rows[0])
}

export async function findNewestTask(db: Database, owner_id: string, archive_name: string): Promise<StoredTask | undefined> {
  const [task] = await db
    .select()
    .from(tasks)
    .where(and(eq(tasks.owner_id, owner_id), eq(tasks.archive_name, archive_name)))
    .orderBy(desc(tasks.created_at), desc(tasks.id))
    .limit(1)
  return task
}

/** Only where no run of it is open: its agents read the archive when they join. */
export async function deleteTask(db: Database, id: string): Promise<boolean> {
  const { rows } = await db.execute(sql`delete from tasks where id = ${knownRun(id)}::uuid and not exists (
    select from task_runs tr join runs r on r.id = tr.run_id where tr.task_id = tasks.id and r.status in (${open})
  ) returning id`)
  return rows.length > 0
}

export async function listTaskRuns(db: Database, id: string, limit: number): Promise<StoredRun[]> {
  return db
    .select(storedRun)
    .from(runs)
    .innerJoin(taskRuns, eq(taskRuns.run_id, runs.id))
    .where(eq(taskRuns.task_id, knownRun(id)))
    .orderBy(desc(runs.created_at), desc(runs.id))
    .limit(limit)
}

export async function listLatestRuns(db: Database, ids: readonly string[]): Promise<(StoredRun & { task_id: string })[]> {
  return db
    .selectDistinctOn([taskRuns.task_id], { task_id: taskRuns.task_id, ...storedRun })
    .from(runs)
    .innerJoin(taskRuns, eq(taskRuns.run_id, runs.id))
    .where(inArray(taskRuns.task_id, ids.map(knownRun)))
    .orderBy(taskRuns.task_id, desc(runs.created_at), desc(runs.id))
}

export async function listUnnamedArchives(db: Database, hashes: readonly string[]): Promise<string[]> {
  const { rows } = await db.execute<{ sha256: string }>(sql`
    select o.sha256 from jsonb_array_elements_text(${storableJson(hashes)}::jsonb) as o(sha256)
    where not exists (select from tasks t where t.sha256 = o.sha256)`)
  return rows.map(({ sha256 }) => sha256)
}

export async function countTasks(db: Database, owners: readonly string[] | null): Promise<TaskCounts> {
  const { rows } = await db.execute<Record<'status' | 'tasks' | 'total' | 'passed' | 'failed' | 'errors', unknown>>(sql`
    select status, count(*)::int as tasks, sum(total)::int as total, sum(passed)::int as passed, sum(failed)::int as failed, sum(errors)::int as errors
    from ${standings} t where ${ofOwners(owners)} group by status`)
  const counted = (status: TaskStatus): number => Number(rows.find((row) => row.status === status)?.tasks ?? 0)
  const sum = (name: 'total' | 'passed' | 'failed' | 'errors'): number => rows.reduce((total, row) => total + Number(row[name]), 0)
  return {
    tasks: Object.fromEntries(taskStatuses.map((status) => [status, counted(status)])) as TaskCounts['tasks'], // every status is there
    episodes: { total: sum('total'), passed: sum('passed'), failed: sum('failed'), errors: sum('errors') },
  }
}
