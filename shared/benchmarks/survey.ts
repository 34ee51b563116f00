import * as z from 'zod'

/** What items need to know of all rows at once, gathered in one pass in which every row was parsed. Plain and small: kept beside the rows. */
export const Survey = z.object({
  /** Rows of the role `test` that are items, in order; null where every row is one. */
  items: z.array(z.int().min(0)).nullable(),
  /** Rows of another role by the name under which items refer to them. */
  named: z.array(z.tuple([z.string(), z.int().min(0)])),
})
export type Survey = z.infer<typeof Survey>

/** Every row is an item, and none refers to another. */
export const everyRow: Survey = { items: null, named: [] }
