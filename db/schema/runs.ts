import { sql } from 'drizzle-orm'
import { index, integer, pgEnum, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { RunHead, RunSpec, runStatuses, visibilities } from '#shared/contract/run.ts'
import { json, moment } from './column.ts'

export const runStatus = pgEnum('run_status', runStatuses)
export const visibility = pgEnum('visibility', visibilities)

/** One row a run. `seq`, `status` and the moments repeat what `head` says, so that lists and guards need not open it. */
export const runs = pgTable(
  'runs',
  {
    id: uuid().primaryKey(),
    owner_id: text().notNull(),
    visibility: visibility().notNull(),
    status: runStatus().notNull(),
    model_id: text().notNull(),
    model_slug: text().notNull(),
    provider: text().notNull(),
    seq: integer().notNull(),
    created_at: moment().notNull(),
    completed_at: moment(),
    updated_at: moment().notNull().default(sql`now()`),
    sealed_credential: text(),
    name: text(),
    tags: text().array().notNull().default(sql`'{}'`),
    spec: json(RunSpec).notNull(),
    head: json(RunHead).notNull(),
  },
  (table) => [
    index('runs_newest').on(table.created_at, table.id),
    index('runs_owner').on(table.owner_id, table.created_at),
    index('runs_regrades').on(sql`(${table.spec}->'regrade'->>'run_id')`).where(sql`${table.spec}->'regrade'->>'run_id' is not null`),
    index('runs_open').on(table.created_at).where(sql`status in ('queued', 'running', 'paused')`),
  ],
)
