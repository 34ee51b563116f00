import { codePoints, strip } from '../python/text.ts'
import type { LongOutput } from './limit-output.ts'

/** A pane with its history as it was captured: whole, or only known to be too long to be kept. */
export type PaneBuffer = { text: string } | 'too-long'

/**
 * What a pane shows beyond what it showed before, as Harbor finds it: where the stripped text of before stands in the new one, the new one from an index
 * on. That index is the last line break of the text of before, counted in that text; without a line break it is where that text begins.
 * Null where the text of before is not in the new one.
 */
export function newPaneText(before: PaneBuffer, now: string): string | null {
  if (before === 'too-long') return null
  const known = strip(before.text)
  const at = now.indexOf(known)
  if (at < 0) return null
  const lineBreak = known.lastIndexOf('\n')
  return lineBreak < 0 ? now.slice(at) : fromCodePoint(now, known, lineBreak)
}

const astral = /[\ud800-\udbff]/

/** Python counts characters: the index is taken from one text and used in another. */
function fromCodePoint(now: string, known: string, index: number): string {
  if (!astral.test(known.slice(0, index)) && !astral.test(now.slice(0, index))) return now.slice(index)
  return codePoints(now)
    .slice(codePoints(known.slice(0, index)).length)
    .join('')
}

/** The last characters of a text, as Python counts them. */
export function lastCharacters(text: string, count: number): string {
  return codePoints(text).slice(-count).join('')
}

/** A part of a long output: `head` from its beginning on. */
export function headed(heading: string, head: string, rest: Omit<LongOutput, 'head'>): LongOutput {
  return { head: `${heading}\n${head}`, ...rest }
}
