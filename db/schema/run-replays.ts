import { pgTable, uuid } from 'drizzle-orm/pg-core'
import { KeptAnswers } from '#shared/contract/regrade.ts'
import { json } from './column.ts'
import { runs } from './runs.ts'

/** Answers given in place of a model's, apart from the run: lists of runs do not carry them. */
export const runReplays = pgTable('run_replays', {
  run_id: uuid()
    .primaryKey()
    .references(() => runs.id, { onDelete: 'cascade' }),
  answers: json(KeptAnswers).notNull(),
})
