import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { Price } from '#shared/contract/usage.ts'
import { json, moment } from './column.ts'

/** Models as their provider's catalogue last named them; those that vanish stay, inactive. */
export const models = pgTable(
  'models',
  {
    provider: text().notNull(),
    id: text().notNull(),
    slug: text().notNull(),
    name: text().notNull(),
    tagline: text(),
    user: text(),
    logo: text(),
    chute_id: text(),
    instance_count: integer().notNull(),
    is_active: boolean().notNull(),
    price: json(Price),
    context_length: integer(),
    max_output_length: integer(),
    input_modalities: text().array().notNull(),
    features: text().array().notNull(),
    synced_at: moment(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.id] }), index('models_slug').on(table.slug)],
)
