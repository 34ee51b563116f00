import { type Bin, type BinClass, give, loadOf, type Part, roomFor } from './bins.ts'

/** A fleet while it is matched. */
export type Table = { parts: Part[]; classes: BinClass[] }
/** How many slots each part would have if the whole fleet were dealt out anew. */
export type Due = ReadonlyMap<string, number>

/** Somebody has too little below this part of what he is due; nobody loses anything for less. */
const enough = 7 / 8

const isShort = (part: Part, due: Due): boolean => part.given < enough * due.get(part.key)!

/** Slots that those who have too little are short of their due. */
export const lacking = (parts: readonly Part[], due: Due): number =>
  parts.reduce((sum, part) => sum + (isShort(part, due) ? due.get(part.key)! - part.given : 0), 0)

/**
 * Makes room for those who are short: takes slots back from who has more than his due, as many as they are short of and where they can use
 * them; then seats others elsewhere who hold what only those can use.
 */
export function makeRoom({ parts, classes }: Table, due: Due): void {
  const short = new Set(parts.filter((part) => isShort(part, due)))
  const runs = new Set([...short].map(({ run }) => run))
  const wanted = classes.filter(({ accepts }) => [...short].some(accepts))
  let left = lacking(parts, due)
  const surplus = (part: Part): number => part.given - due.get(part.key)!
  for (const part of parts.filter((one) => surplus(one) > 0).sort((a, b) => surplus(b) - surplus(a))) {
    const within = runs.has(part.run) ? classes : wanted // a part of a run whose other part is short makes room in its concurrency
    const holders = within.flatMap(({ bins }) => bins.filter((bin) => bin.held.has(part))).sort((a, b) => loadOf(b) - loadOf(a))
    for (const bin of holders) {
      const slots = Math.max(0, Math.min(left, surplus(part), bin.held.get(part)!))
      if (slots > 0) give(part, bin, -slots)
      left -= slots
    }
  }
  const elsewhere = classes.filter((one) => !wanted.includes(one))
  if (elsewhere.length === 0) return
  for (const from of wanted.flatMap(({ bins }) => bins))
    for (const part of [...from.held.keys()]) if (!short.has(part)) left -= seat(part, from, elsewhere, left)
}

/** Moves slots of a part to pools of these classes, as far as these have room; how many. */
function seat(part: Part, from: Bin, classes: readonly BinClass[], most: number): number {
  let moved = 0
  for (const to of classes.flatMap(({ accepts, bins }) => (accepts(part) ? bins : []))) {
    const slots = Math.min(most - moved, from.held.get(part) ?? 0, roomFor(part, to))
    if (slots <= 0) continue
    give(part, from, -slots)
    give(part, to, slots)
    moved += slots
  }
  return moved
}
