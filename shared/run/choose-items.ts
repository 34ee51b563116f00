import type { ItemList } from '../contract/item-list.ts'
import { nearestName } from '../nearest-name.ts'

/** An item or several of them, as somebody named them. `any`: a key of the data set, or else ids. */
type ItemName = { by: 'id'; from: number; to: number } | { by: 'key' | 'group' | 'any'; name: string }

/** Names that stand for no item, with what they could have meant. */
export class NoSuchItems extends Error {}

/** Whether some of these names can be read only with the list of the items. */
export const needsItemList = (names: readonly string[]): boolean => names.some((name) => readItemName(name).by !== 'id')

/**
 * The ids that names stand for, ascending and each once. `list` may be left out where every name is an id (`needsItemList`). Throws `NoSuchItems` for a name
 * that stands for none of the `total` items.
 */
export function chooseItems(names: readonly string[], total: number, list?: ItemList): number[] {
  const chosen = new Set<number>()
  const unknown: string[] = []
  const known = list && indexOf(list)
  for (const name of names) {
    const found = idsOf(readItemName(name), total, known)
    if (found.length === 0) unknown.push(name)
    for (const id of found) chosen.add(id)
  }
  if (unknown.length > 0) throw new NoSuchItems(unknownText(unknown, total, known))
  return [...chosen].toSorted((a, b) => a - b)
}

const idsPattern = /^(\d{1,9})(?:-(\d{1,9}))?$/

function readItemName(text: string): ItemName {
  const [, prefix, rest] = /^(id|key|group):(.*)$/s.exec(text) ?? []
  if (prefix === 'key' || prefix === 'group') return { by: prefix, name: rest! }
  const ids = prefix === 'id' ? readIds(rest!.trim()) : undefined
  return ids ?? { by: 'any', name: text }
}

function readIds(text: string): Extract<ItemName, { by: 'id' }> | undefined {
  const [, from, to = from] = idsPattern.exec(text) ?? []
  return from === undefined ? undefined : { by: 'id', from: Number(from), to: Number(to) }
}

type Known = { keys: ReadonlyMap<string, readonly number[]>; groups: ReadonlyMap<string, readonly number[]> }

function indexOf({ keys, groups, group_of }: ItemList): Known {
  const add = (index: Map<string, number[]>, name: string, id: number) => {
    const ids = index.get(name)
    if (ids) ids.push(id)
    else index.set(name, [id])
  }
  const byKey = new Map<string, number[]>()
  const byGroup = new Map<string, number[]>()
  for (const [id, key] of keys.entries()) {
    if (key !== null) add(byKey, key, id)
    const place = group_of[id]
    if (place != null) add(byGroup, groups[place]!, id)
  }
  return { keys: byKey, groups: byGroup }
}

function idsOf(name: ItemName, total: number, known: Known | undefined): readonly number[] {
  if (name.by === 'id') return range(name, total)
  if (name.by === 'group') return known?.groups.get(name.name) ?? likeIn(known?.groups, name.name)
  const byKey = known?.keys.get(name.name)
  if (byKey || name.by === 'key') return byKey ?? []
  const ids = readIds(name.name)
  return ids ? range(ids, total) : []
}

/** A group whose name differs in capitals only, where there is one. */
function likeIn(groups: Known['groups'] | undefined, name: string): readonly number[] {
  const like = [...(groups?.keys() ?? [])].filter((one) => one.toLowerCase() === name.toLowerCase())
  return like.length === 1 ? groups!.get(like[0]!)! : []
}

/** Whole ranges only: one that ends behind the last item is a mistake somebody should hear of. */
function range({ from, to }: { from: number; to: number }, total: number): number[] {
  return from <= to && to < total ? Array.from({ length: to - from + 1 }, (_, at) => from + at) : []
}

const mostNamed = 3

function unknownText(unknown: readonly string[], total: number, known: Known | undefined): string {
  const named = unknown.slice(0, mostNamed).map((name) => `${JSON.stringify(name)}${nearText(name, known)}`)
  const rest = unknown.length - named.length
  const more = rest > 0 ? ` and ${rest.toLocaleString('en-US')} more` : ''
  return `There is no item ${named.join(', ')}${more}. Its ${total.toLocaleString('en-US')} items have the ids 0 to ${total - 1}.`
}

function nearText(text: string, known: Known | undefined): string {
  const name = readItemName(text)
  if (!known || name.by === 'id') return ''
  const names = name.by === 'group' ? known.groups : known.keys
  const near = nearestName(name.name, [...names.keys()])
  return near === undefined ? '' : ` (did you mean ${JSON.stringify(near)}?)`
}
