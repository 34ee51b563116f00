import type { TreeFile } from '../solvers/machine.ts'

/** A file as Python reads text: strict UTF-8, a byte order mark kept, every kind of line end as `\n`. Undefined where it is no UTF-8. */
export function readText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).replace(/\r\n?/g, '\n')
  } catch {
    return undefined
  }
}

/** Order of texts by code points, as Python sorts them; JavaScript sorts by UTF-16 units. */
export function byCodePoint(left: string, right: string): number {
  let at = 0
  while (at < left.length && at < right.length && left.charCodeAt(at) === right.charCodeAt(at)) at++
  if (at === left.length || at === right.length) return left.length - right.length
  const [one, other] = [left.charCodeAt(at), right.charCodeAt(at)]
  // Where only one is a half of a pair, that one stands for a code point above all single units.
  const paired = (unit: number) => unit >= 0xd800 && unit <= 0xdfff
  return paired(one) === paired(other) ? one - other : paired(one) ? 1 : -1
}

/** The same texts in the order of their code points, as a new list. Texts whose units all lie below the surrogates are in that order by their units. */
export function sortByCodePoint(texts: readonly string[]): string[] {
  return texts.some((text) => /[\ud800-\uffff]/.test(text)) ? texts.toSorted(byCodePoint) : texts.toSorted()
}

/** The files below a folder, with their paths from there. */
export function below(files: readonly TreeFile[], folder: string): TreeFile[] {
  const start = `${folder}/`
  return files.filter(({ path }) => path.startsWith(start)).map((file) => ({ ...file, path: file.path.slice(start.length) }))
}
