import * as z from 'zod'
import { foreign } from './foreign.ts'
import { PlannedBenchmark } from './run.ts'

/** Most items of a data set that are listed, and so the most that can be chosen by name. */
export const mostListed = 50_000
/** Longest key or group in a list, in UTF-16 units. */
export const mostNameChars = 300

/** Says whose items are listed: a benchmark with its profile on given data. */
export const ListedData = PlannedBenchmark.pick({ name: true, version: true, profile: true, total_items: true, data: true })
export type ListedData = z.infer<typeof ListedData>

/**
 * The items of a benchmark in the order of its data: the place in the list, counted from 0, is the item's id. `group_of` holds places in `groups`.
 */
export const ItemList = z
  .object({
    keys: z.array(foreign('data-set', z.string().max(mostNameChars).nullable())).max(mostListed),
    groups: z.array(foreign('data-set', z.string().max(mostNameChars))).max(mostListed),
    group_of: z.array(z.int().min(0).nullable()).max(mostListed),
  })
  .refine(({ keys, group_of }) => keys.length === group_of.length, 'names a group for each key')
  .refine(({ groups, group_of }) => group_of.every((place) => place === null || place < groups.length), 'names groups that it has')
export type ItemList = z.infer<typeof ItemList>

/** An item as it is shown to whoever chooses. */
export const ListedItem = z.object({
  item_id: z.string(),
  key: foreign('data-set', z.string().nullable()),
  group: foreign('data-set', z.string().nullable()),
})
export type ListedItem = z.infer<typeof ListedItem>

/** A page of a benchmark's items. */
export const ItemListPage = z.object({
  benchmark: z.string(),
  profile: z.string(),
  data_source: z.string(),
  total: z.int().min(0),
  matching: z.int().min(0),
  groups: z.array(z.object({ group: foreign('data-set', z.string()), items: z.int().min(1) })),
  items: z.array(ListedItem),
  next: z.int().min(1).nullable(),
})
export type ItemListPage = z.infer<typeof ItemListPage>
