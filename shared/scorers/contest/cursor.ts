/** What stands here does not continue the formula; never leaves the readers of this folder. */
export class NotReadable extends Error {}
/** Something that no formula may hold, such as an unknown sign: nothing that leads to it can be read. Never leaves the readers of this folder either. */
export class Unreadable extends Error {}

/** A place in a list of tokens, moved on by those who read; `stopped` where a reader gave up the rest and kept what was read. */
export type Cursor = { readonly tokens: readonly string[]; at: number; depth: number; stopped?: boolean }

/** Stands for a sign that a lexer does not know. */
export const unknownSign = '\ufffd'

/** The next token, or the empty string at the end. */
export function peek(c: Cursor): string {
  const next = c.tokens[c.at] ?? ''
  if (next === unknownSign) throw new Unreadable()
  return next
}

/** Takes the next token if it is one of these. */
export function take(c: Cursor, ...wanted: readonly string[]): string | null {
  const next = peek(c)
  if (next === '' || !wanted.includes(next)) return null
  c.at++
  return next
}

/** Takes this token, or gives the formula up. */
export function expect(c: Cursor, wanted: string): void {
  if (!take(c, wanted)) throw new NotReadable()
}

const deepest = 150

/** Reads something nested; beyond a depth that Python refuses as well the formula is given up. */
export function nested<T>(c: Cursor, read: (c: Cursor) => T): T {
  if (++c.depth > deepest) throw new NotReadable()
  const value = read(c)
  c.depth--
  return value
}

/** What `read` gives; null, and the cursor where it was, where nothing of the kind stands there. */
export function attempt<T>(c: Cursor, read: (c: Cursor) => T): T | null {
  const { at, depth, stopped } = c
  try {
    return read(c)
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error
    c.at = at
    c.depth = depth
    c.stopped = stopped
    return null
  }
}

/** What `read` gives of the whole formula, or null where there is none. */
export function readAll<T>(tokens: () => readonly string[], read: (c: Cursor) => T): T | null {
  try {
    return read({ tokens: tokens(), at: 0, depth: 0 })
  } catch (error) {
    if (error instanceof NotReadable || error instanceof Unreadable) return null
    throw error
  }
}
