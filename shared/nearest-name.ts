/**
 * The known name that a misspelled one most likely means, or undefined. Case and the signs `-`, `_`, `.` and blanks do
 * not count; of the rest, one edit in four characters may differ (insert, delete, replace, or swap of neighbours).
 */
export function nearestName(wanted: string, known: readonly string[]): string | undefined {
  const text = plain(wanted)
  let best: { name: string; edits: number } | undefined
  for (const name of known) {
    const edits = editsBetween(text, plain(name))
    if (edits <= Math.max(1, Math.floor(text.length / 4)) && (!best || edits < best.edits)) best = { name, edits }
  }
  return best?.name
}

/** Names longer than this are no misspelling of a known one. */
const longest = 100
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[-_. ]/g, '')
    .slice(0, longest)

/** Optimal string alignment distance. */
function editsBetween(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1), swapped ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY),
      )
    }
    before = last
    last = row
  }
  return last[b.length]!
}
