import * as z from 'zod'

/** Most entries of one benchmark's choice. */
export const mostChosen = 20_000

/**
 * Names of items: `id:12` and `id:0-99` by their ids, `key:NAME` by the key of the data set, `group:NAME` for all of a group. Without a prefix it is a key,
 * or else an id or a range of ids.
 */
export const ItemNames = z.array(z.string().trim().min(1).max(310)).min(1).max(mostChosen)

/** Items by benchmark. */
export const ItemChoice = z.record(z.string().min(1).max(60), ItemNames)
export type ItemChoice = z.infer<typeof ItemChoice>
