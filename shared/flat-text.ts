/**
 * The same text in one piece. V8 keeps a concatenation as its parts and a slice as a view of the whole, and writes JSON of anything that holds one of
 * them three times slower: worth it for texts of what is written by the thousand.
 */
export function flatText(text: string): string {
  return text.length < shortestParted ? text : [text.slice(0, 1), text.slice(1)].join('')
}

/** Shorter texts are always in one piece. */
const shortestParted = 13
