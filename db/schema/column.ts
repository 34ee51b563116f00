import { customType } from 'drizzle-orm/pg-core'
import type * as z from 'zod'
import { storableJson } from '../storable.ts'

/** A `jsonb` column whose value is parsed by its contract schema whenever it is read. */
export const json = <S extends z.ZodType>(schema: S) =>
  customType<{ data: z.output<S>; driverData: unknown }>({
    dataType: () => 'jsonb',
    toDriver: storableJson,
    fromDriver: (value) => schema.parse(value),
  })()

/** A `json` column: the text of a value as it was written, parsed by its contract schema whenever it is read. Written by `drain` alone. */
export const writtenJson = <S extends z.ZodType>(schema: S) =>
  customType<{ data: z.output<S>; driverData: unknown }>({
    dataType: () => 'json',
    toDriver: storableJson,
    fromDriver: (value) => schema.parse(value),
  })()

/** A moment, written and read as ISO 8601 in UTC with milliseconds and `Z`. */
export const moment = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  toDriver: (value) => value,
  fromDriver: (value) => new Date(value).toISOString(),
})
