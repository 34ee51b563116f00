import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { ArtifactRef } from '#shared/contract/artifact.ts'
import { terminalStatuses } from '#shared/contract/run.ts'
import type { Database } from '../connect.ts'
import { artifacts } from '../schema/artifacts.ts'
import { runs } from '../schema/runs.ts'
import { storableJson } from '../storable.ts'
import { knownRun } from './match.ts'

/** What an attempt left behind besides its record. */
export type Left = { ordinal: number; attempt: number; finished_at: string; artifacts: readonly ArtifactRef[] }

/**
 * Names what attempts left behind, in place of what earlier attempts at their trials had. It goes before the statement that writes those
 * trials: an attempt that stands there already, or a later one, is left as it is.
 */
export function writeArtifacts(run_id: string, left: readonly Left[]): SQL {
  // A statement may touch a row once: of several artifacts with one name the last is the trial's.
  const rows = left.map((one) => ({ ...one, artifacts: [...new Map(one.artifacts.map((each) => [each.name, each])).values()] }))
  return sql`with fresh as materialized (
      select t.* from jsonb_to_recordset(${storableJson(rows)}::jsonb) as t(ordinal int, attempt int, finished_at timestamptz, artifacts jsonb)
      where exists (select from runs where id = ${run_id}::uuid) and not exists (
        select from trials where trials.run_id = ${run_id}::uuid and trials.ordinal = t.ordinal and trials.attempt >= t.attempt
      )
    ),
    named as materialized (
      select fresh.ordinal, fresh.finished_at, n.* from fresh,
        jsonb_to_recordset(fresh.artifacts) as n(name text, kind text, media_type text, bytes bigint, sha256 text)
    ),
    gone as (
      delete from artifacts a using fresh where a.run_id = ${run_id}::uuid and a.ordinal = fresh.ordinal
        and not exists (select from named where named.ordinal = a.ordinal and named.name = a.name)
    )
    insert into artifacts (run_id, ordinal, name, kind, sha256, size_bytes, content_type, created_at)
    select ${run_id}::uuid, ordinal, name, kind, sha256, bytes, media_type, finished_at from named
    on conflict (run_id, ordinal, name) do update set kind = excluded.kind, sha256 = excluded.sha256,
      size_bytes = excluded.size_bytes, content_type = excluded.content_type, created_at = excluded.created_at`
}

/** The different bytes that the trials of a run left, at most so many. */
export async function listArtifacts(db: Database, run_id: string, limit: number): Promise<Pick<ArtifactRef, 'sha256' | 'bytes'>[]> {
  const { sha256, size_bytes: bytes } = artifacts
  return db
    .selectDistinct({ sha256, bytes })
    .from(artifacts)
    .where(eq(artifacts.run_id, knownRun(run_id)))
    .orderBy(sha256)
    .limit(limit)
}

/** Bytes of a run, by their hash. */
export type RunBytes = { run_id: string; sha256: string }

/** Of these bytes those that no trial names whose run has ended, and all whose run the record does not know. */
export async function listUnnamedArtifacts(db: Database, objects: readonly RunBytes[]): Promise<RunBytes[]> {
  const { rows } = await db.execute<RunBytes>(sql`
    select o.run_id::text, o.sha256 from jsonb_to_recordset(${storableJson(objects)}::jsonb) as o(run_id uuid, sha256 text)
      left join runs on runs.id = o.run_id
    where runs.id is null or (${inArray(runs.status, [...terminalStatuses])} and not exists (
      select from artifacts a where a.run_id = o.run_id and a.sha256 = o.sha256
    ))`)
  return rows.map(({ run_id, sha256 }) => ({ run_id, sha256 }))
}

export async function findArtifact(db: Database, run_id: string, ordinal: number, name: string): Promise<ArtifactRef | undefined> {
  const wanted = and(eq(artifacts.run_id, knownRun(run_id)), eq(artifacts.ordinal, ordinal), eq(artifacts.name, name))
  const [row] = await db.select().from(artifacts).where(wanted)
  return row && ArtifactRef.parse({ ...row, media_type: row.content_type, bytes: row.size_bytes })
}
