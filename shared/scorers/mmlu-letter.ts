import { pySpace, pyWord, skipSpace } from '../python/text.ts'

/** A letter and which of the three patterns found it; null when none did. */
export type LevelledLetter = { letter: string; level: 1 | 2 | 3 } | null

const stated = /answer is \(?([A-J])\)?/g
const marker = /[aA]nswer:/g
const markedAnywhere = new RegExp(`[aA]nswer:[${pySpace}]*([A-J])`, 'g')
const standAlone = new RegExp(`(?<![${pyWord}])[A-J](?![${pyWord}])`, 'gu')

const isLetter = (c: string | undefined): c is string => c !== undefined && c >= 'A' && c <= 'J' && c.length === 1

/** What Python's `search(r'.*[aA]nswer:\s*([A-J])')` finds: of the first line that has one, the last marker that a letter follows. */
function markedLetter(text: string): string | undefined {
  for (let from = 0; from <= text.length; ) {
    const newline = text.indexOf('\n', from)
    const lineEnd = newline < 0 ? text.length : newline
    let found: string | undefined
    for (const match of text.slice(from, lineEnd).matchAll(marker)) {
      const letter = text[skipSpace(text, from + match.index + match[0].length)]
      if (isLetter(letter)) found = letter
    }
    if (found) return found
    from = lineEnd + 1
  }
  return undefined
}

const lastOf = <T>(values: Iterable<T>): T | undefined => {
  let last: T | undefined
  for (const value of values) last = value
  return last
}

function lastStandAlone(text: string): string | undefined {
  return lastOf(text.matchAll(standAlone))?.[0]
}

/** MMLU-Pro's API script (reference 1.4): bold marks removed, first hit of the first pattern that hits; the stand-alone letter is the last one. */
export function apiLetter(answer: string): LevelledLetter {
  const text = answer.replaceAll('**', '')
  const first = text.matchAll(stated).next().value?.[1]
  if (first) return { letter: first, level: 1 }
  const marked = markedLetter(text)
  if (marked) return { letter: marked, level: 2 }
  const alone = lastStandAlone(text)
  return alone ? { letter: alone, level: 3 } : null
}

/**
 * MMLU-Pro's apiX script at the pinned revision: the last hit of the first pattern that hits, on the unchanged text. Its second pattern takes any
 * marker with a letter behind it, so that a hit may use up the next marker's first letter.
 */
export function apiXLetter(text: string): LevelledLetter {
  const last = lastOf(text.matchAll(stated))?.[1]
  if (last) return { letter: last, level: 1 }
  const marked = lastOf(text.matchAll(markedAnywhere))?.[1]
  if (marked) return { letter: marked, level: 2 }
  const alone = lastStandAlone(text)
  return alone ? { letter: alone, level: 3 } : null
}

/** lm-evaluation-harness: first hit of the first pattern only. */
export function lmEvalLetter(text: string): string | null {
  return text.matchAll(stated).next().value?.[1] ?? null
}
