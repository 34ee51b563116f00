import { bigint, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { TaskFacts } from '#shared/contract/task-upload.ts'
import { json, moment } from './column.ts'
import { runs } from './runs.ts'

/** Tasks that their owners uploaded. The archives lie in the object store, once under their hash, whoever uploaded them. */
export const tasks = pgTable(
  'tasks',
  {
    id: uuid().primaryKey(),
    owner_id: text().notNull(),
    name: text().notNull(),
    archive_name: text().notNull(),
    original_filename: text().notNull(),
    size_bytes: bigint({ mode: 'number' }).notNull(),
    sha256: text().notNull(),
    checksum: text().notNull(),
    facts: json(TaskFacts).notNull(),
    model: text(),
    provider: text(),
    agent: text().notNull(),
    num_runs: integer().notNull(),
    created_at: moment().notNull(),
  },
  (table) => [index('tasks_of_owner').on(table.owner_id, table.created_at), index('tasks_by_bytes').on(table.sha256)],
)

/** Which runs are runs of a task. They outlive it: with the task only this goes. */
export const taskRuns = pgTable(
  'task_runs',
  {
    run_id: uuid()
      .primaryKey()
      .references(() => runs.id, { onDelete: 'cascade' }),
    task_id: uuid()
      .notNull()
      .references(() => tasks.id, { onDelete: 'cascade' }),
  },
  (table) => [index('task_runs_of_task').on(table.task_id)],
)
