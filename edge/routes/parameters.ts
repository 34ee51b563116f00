import * as z from 'zod'
import { queryInteger } from '#shared/contract/query-integer.ts'

/** Largest number the database's integer columns take; a filter beyond it matches nothing rather than breaking the query. */
export const maxInteger = 2_147_483_647

export const RunParams = z.object({ id: z.string() })
export const RunBenchmarkParams = z.object({ id: z.string(), name: z.string() })
export const RunItemParams = z.object({ id: z.string(), benchmark: z.string(), item_id: z.string() })
export const RunRescoreParams = z.object({ id: z.string(), rescore_id: z.string() })

export const pageOffset = queryInteger(0, maxInteger).default(0)
