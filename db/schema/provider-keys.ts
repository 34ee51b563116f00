import { sql } from 'drizzle-orm'
import { pgTable, text, unique } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { keyVerdicts } from '#shared/contract/provider-keys.ts'
import { ownProviderKinds } from '#shared/contract/run.ts'
import { ListedModel } from '#shared/providers/listed-model.ts'
import { json, moment } from './column.ts'

/** Keys that owners of runs have at providers, sealed, with the models that each provider listed for its key. */
export const providerKeys = pgTable(
  'provider_keys',
  {
    id: text().primaryKey(),
    owner_id: text().notNull(),
    provider: text().notNull(),
    label: text().notNull(),
    kind: text({ enum: ownProviderKinds }).notNull(),
    base_url: text().notNull(),
    sealed: text().notNull(),
    last4: text().notNull(),
    verdict: text({ enum: keyVerdicts }).notNull(),
    models: json(z.array(ListedModel)),
    /** When the provider was asked for its models and about the key. */
    asked_at: moment().notNull(),
    created_at: moment().notNull().default(sql`now()`),
    used_at: moment(),
  },
  (table) => [unique('provider_keys_owner_provider').on(table.owner_id, table.provider)],
)
