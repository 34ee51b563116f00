import type { CreateRun } from '../contract/create-run.ts'
import type { ItemList, ListedData } from '../contract/item-list.ts'
import type { Subset } from '../contract/run.ts'
import { chooseItems, NoSuchItems, needsItemList } from './choose-items.ts'
import { drawAmong } from './plan.ts'
import { RunRefused } from './run-refused.ts'
import { benchmarkName } from './select-cards.ts'

/** The items of a benchmark where they were looked up; undefined where nobody wanted them. */
export type ItemLookup = (of: ListedData) => ItemList | undefined

/** A lookup for where items are chosen by their ids at most. */
export const noLists: ItemLookup = () => undefined

/** The names of items that a request chooses of a benchmark; undefined where it chooses none. */
export function choiceOf({ items }: Pick<CreateRun, 'items'>, benchmark: string): readonly string[] | undefined {
  const found = Object.entries(items ?? {}).filter(([name]) => benchmarkName(name) === benchmark)
  return found.length === 0 ? undefined : found.flatMap(([, names]) => names)
}

/**
 * The ids of chosen items in the order in which they are asked: all of them ascending, or those that a share draws among them. Undefined where they are
 * all there are: a choice of everything is none. Throws `RunRefused`.
 */
export function planChoice(
  names: readonly string[],
  { name, total_items }: Pick<ListedData, 'name' | 'total_items'>,
  subset: Subset,
  list: ItemList | undefined,
): number[] | undefined {
  if (!list && needsItemList(names)) throw new RunRefused('validation', `/items/${name}`, `The items of ${name} are not listed here.`)
  const chosen = chosenOf(names, { name, total_items }, list)
  if (chosen.length === total_items) return undefined
  if (subset.count === null && subset.pct === 100) return chosen
  if (subset.sampling === 'legacy')
    throw new RunRefused('validation', '/sampling', "The predecessor's sampling draws of all items only: leave sampling or items out.")
  return drawAmong(name, chosen, total_items, subset)
}

function chosenOf(
  names: readonly string[],
  { name, total_items }: Pick<ListedData, 'name' | 'total_items'>,
  list: ItemList | undefined,
): number[] {
  try {
    return chooseItems(names, total_items, list)
  } catch (cause) {
    if (!(cause instanceof NoSuchItems)) throw cause
    throw new RunRefused('validation', `/items/${name}`, `${name}: ${cause.message}`, cause.message, { cause })
  }
}
