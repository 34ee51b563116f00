import type { TreeFile } from '../solvers/machine.ts'

/** Characters that Python's `str.strip` takes away. JavaScript's `trim` knows other characters. */
const white = /^[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/

/** A text without white space around it, as Python takes it away, in linear time. */
export function stripped(text: string): string {
  let from = 0
  while (from < text.length && white.test(text[from]!)) from++
  return strippedEnd(text.slice(from))
}

/** A text without white space at its end. */
export function strippedEnd(text: string): string {
  let to = text.length
  while (to > 0 && white.test(text[to - 1]!)) to--
  return text.slice(0, to)
}

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

/** The files below a folder, with their paths from there. */
export function below(files: readonly TreeFile[], folder: string): TreeFile[] {
  const start = `${folder}/`
  return files.filter(({ path }) => path.startsWith(start)).map((file) => ({ ...file, path: file.path.slice(start.length) }))
}
