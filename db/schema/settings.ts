import { pgTable, text } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { json } from './column.ts'

/** Named values of the installation. */
export const settings = pgTable('settings', { name: text().primaryKey(), value: json(z.unknown()) })
