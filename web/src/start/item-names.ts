import type { ListedItem } from '#shared/contract/item-list.ts'

/** How an item is chosen: by its id, so that its tick takes it back; by another name, such as that of its group; or not at all. */
export type HowChosen = 'by id' | 'by name' | 'no'

/** Most characters of names that an address takes. */
export const mostAddressChars = 6000

/** How the names of a choice hold an item. */
export function isChosen(names: readonly string[], { item_id, key, group }: ListedItem): HowChosen {
  if (idsIn(names).has(Number(item_id))) return 'by id'
  const byName = names.some((name) => name === `key:${key}` || name === key || name === `group:${group}`)
  return byName ? 'by name' : 'no'
}

/** The names with an item more, or without it where it was chosen by its id; ids that follow each other are a range. */
export function toggleItem(names: readonly string[], { item_id }: Pick<ListedItem, 'item_id'>): string[] {
  const ids = idsIn(names)
  const id = Number(item_id)
  if (!ids.delete(id)) ids.add(id)
  return [...rangesOf(ids), ...names.filter((name) => rangeIn(name) === undefined)]
}

/** The names with others more, each once. */
export function addNames(names: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...names, ...more])]
}

/** Names on the lines of a file; empty lines and those with # in front are left out. */
export function namesInFile(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
}

function rangeIn(name: string): readonly [from: number, to: number] | undefined {
  const [, from, to = from] = /^id:(\d{1,9})(?:-(\d{1,9}))?$/.exec(name) ?? []
  return from === undefined ? undefined : [Number(from), Number(to)]
}

function idsIn(names: readonly string[]): Set<number> {
  const ids = new Set<number>()
  for (const name of names) {
    const [from, to] = rangeIn(name) ?? [1, 0]
    for (let id = from; id <= Math.min(to, from + 100_000); id++) ids.add(id)
  }
  return ids
}

function rangesOf(ids: ReadonlySet<number>): string[] {
  const ranges: [number, number][] = []
  for (const id of [...ids].toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && last[1] === id - 1) last[1] = id
    else ranges.push([id, id])
  }
  return ranges.map(([from, to]) => (from === to ? `id:${from}` : `id:${from}-${to}`))
}
