import { sql } from 'drizzle-orm'
import { doublePrecision, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './column.ts'

/** Limits of budgets as they were set last; the `BudgetObject` of each holder keeps to them. */
export const budgets = pgTable('budgets', {
  holder: text().primaryKey(),
  day_usd: doublePrecision(),
  month_usd: doublePrecision(),
  set_by: text({ enum: ['owner', 'operator'] }).notNull(),
  set_at: moment().notNull().default(sql`now()`),
})
