/** Lines that are asked for at once. */
export const pageSize = 100

/** Heights of a line in pixels: on one line, and on two where the list is narrow. */
export const rowHeights = { wide: 36, narrow: 56 } as const

/** Height in pixels of the table's head, which covers the first lines of the box. */
export const headPx = 32

/** Where a box of lines is scrolled to, what of it is seen, and how high its lines are; all in pixels. */
export type Window = { topPx: number; heightPx: number; rowPx: number }

/** How far from its top a box is scrolled to show line `index` with a line to spare on both sides, moved as little as may be; in pixels. */
export function topToShow(index: number, { topPx, heightPx, rowPx }: Window): number {
  const asLast = headPx + (index + 2) * rowPx - heightPx
  const asFirst = (index - 1) * rowPx
  return Math.max(0, Math.min(asFirst, Math.max(asLast, topPx)))
}

/** Numbers of the pages that hold the lines from `first` to before `end`, those in view first, then one more on each side; none beyond `count`. */
export function pagesAround(first: number, end: number, count: number): number[] {
  const last = Math.ceil(count / pageSize) - 1
  if (last < 0 || end <= first) return []
  const from = Math.max(0, Math.floor(first / pageSize))
  const to = Math.min(last, Math.floor((end - 1) / pageSize))
  const seen = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  return [...seen, ...[to + 1, from - 1].filter((page) => page >= 0 && page <= last)]
}

/** The pages that are kept of `loaded`: at most `most`, those nearest to page `here`. */
export function pagesKept(loaded: Iterable<number>, here: number, most: number): number[] {
  return [...loaded].sort((a, b) => Math.abs(a - here) - Math.abs(b - here)).slice(0, most)
}

/** Where an item stands in a list: how many lines come before it, and whether it is a line of the list itself. */
export type Place = { before: number; listed: boolean }

/** Where a step leads in a list of `total` lines: it goes from the line that is already on its way, so that quick keys add up. */
export function stepTarget(open: Place | undefined, onTheWay: number | undefined, delta: 1 | -1, total: number): number | undefined {
  const from = onTheWay ?? open?.before
  if (total === 0 || from === undefined) return undefined
  // After an item that the filter leaves out comes the line that stands in its place.
  const beside = onTheWay === undefined && !open!.listed && delta === 1
  const target = Math.max(0, Math.min(total - 1, beside ? from : from + delta))
  return target === from && !beside ? undefined : target
}

/** The line that a key leads to from line `from`, `perPage` being in view; nothing for keys that do not travel. */
export function travelTarget(key: string, from: number, perPage: number, total: number): number | undefined {
  const targets: Record<string, number> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + perPage,
    PageUp: from - perPage,
    Home: 0,
    End: total - 1,
  }
  const target = targets[key]
  return target === undefined ? undefined : Math.max(0, Math.min(total - 1, target))
}
