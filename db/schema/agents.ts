import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './column.ts'

/** Fleet agents as they last said who they are. */
export const agents = pgTable('agents', {
  agent_id: text().primaryKey(),
  host: text().notNull(),
  version: text().notNull(),
  capabilities: text().array().notNull(),
  slots: integer().notNull(),
  free_slots: integer().notNull(),
  running: integer().notNull(),
  draining: boolean().notNull(),
  connected: boolean().notNull(),
  first_seen: moment().notNull(),
  last_seen: moment().notNull(),
})
