import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { json, moment } from './column.ts'

/**
 * Who did what to which thing, when and from where. Rows are only added: the trigger
 * `audit_is_append_only` (migration 0016) refuses UPDATE, DELETE and TRUNCATE.
 */
export const audit = pgTable(
  'audit',
  {
    seq: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: moment().notNull().default(sql`now()`),
    actor_id: text().notNull(),
    actor_kind: text().notNull(),
    key_id: text(),
    action: text().notNull(),
    target: text(),
    /** Owner of the thing, who may read the entry besides its actor; null for a thing of the service. */
    owner_id: text(),
    detail: json(z.record(z.string(), z.unknown())),
    status: integer().notNull(),
    address: text().notNull(),
    request_id: text().notNull(),
  },
  (table) => [index('audit_actor').on(table.actor_id, table.seq), index('audit_owner').on(table.owner_id, table.seq)],
)
