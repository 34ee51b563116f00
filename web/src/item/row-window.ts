/** Height of a row in pixels; the list is windowed by it. */
export const rowHeight = 36

const spare = 10

/** Rows to draw of `count`, as [first, after the last], for a box scrolled by `topPx` and at most `heightPx` high. */
export function rowWindow(count: number, topPx: number, heightPx: number): [number, number] {
  const first = Math.max(0, Math.min(count, Math.floor(topPx / rowHeight) - spare))
  return [first, Math.min(count, Math.ceil((topPx + heightPx) / rowHeight) + spare)]
}
