import { pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './column.ts'

/** Public halves of every key that ever signed an export, so that old exports stay checkable. */
export const signingKeys = pgTable('signing_keys', {
  fingerprint: text().primaryKey(),
  public_key: text().notNull(),
  valid_from: moment().notNull(),
  retired_at: moment(),
})
