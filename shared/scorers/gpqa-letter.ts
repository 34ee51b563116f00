import { pySpace, pyWord, rstrip } from '../python/text.ts'

const simple = /answer[ \t]*:[ \t]*\$?([A-D])\$?/iu

/** simple-evals: the first marker's letter as written; a lower-case letter is returned as such and never equals a gold letter. */
export function simpleEvalsLetter(text: string): string | null {
  return simple.exec(text)?.[1] ?? null
}

const baselines = [/answer is \(([^\n])\)/u, /Answer: \(([^\n])\)/u, /answer: \(([^\n])\)/u, /answer \(([^\n])\)/u, /\(([^\n])\)/u]

/** The paper's baselines: the first match of each of five patterns in turn, taken only when it is A to D. */
export function baselineLetter(text: string): string | null {
  for (const pattern of baselines) {
    const letter = pattern.exec(text)?.[1]
    if (letter && 'ABCD'.includes(letter)) return letter
  }
  return null
}

type Finder = (text: string) => string | undefined

const lastMatch =
  (pattern: RegExp): Finder =>
  (text) => {
    let letter: string | undefined
    for (const match of text.matchAll(pattern)) letter = match[1]
    return letter
  }

const isCapital = (c: string): boolean => c >= 'A' && c <= 'Z'

/** The last capital before the first closing brace of each box: `\boxed\{[^}]*([A-Z])[^}]*\}` by hand, because the pattern takes quadratic time. */
const boxedLetter: Finder = (text) => {
  const open = '\\boxed{'
  let letter: string | undefined
  let close = -1
  let capital = -1
  for (let start = text.indexOf(open); start >= 0; ) {
    const inside = start + open.length
    if (close < inside) {
      close = text.indexOf('}', inside)
      if (close < 0) return letter
      capital = close - 1
      while (capital >= inside && !isCapital(text[capital]!)) capital--
    }
    const hit = capital >= inside
    if (hit) letter = text[capital]
    start = text.indexOf(open, hit ? close + 1 : inside)
  }
  return letter
}

const letterAtEnd: Finder = (text) => /[A-Z]$/.exec(rstrip(text).slice(-1))?.[0]

/** Letters that Python's IGNORECASE takes for an I, and JavaScript's does not. */
const dotted = '\u0130\u0131'

const artificialAnalysis: readonly Finder[] = [
  lastMatch(
    new RegExp(`[*_]{0,2}answer[*_]{0,2}[${pySpace}]*:[${pySpace}*_]{0,2}[${pySpace}]*([A-Z${dotted}])(?![a-zA-Z0-9${dotted}])`, 'giu'),
  ),
  boxedLetter,
  lastMatch(/answer is ([a-zA-Z])/g),
  lastMatch(/answer is \(([a-zA-Z])\)/g),
  lastMatch(/([A-Z])\)/g),
  lastMatch(new RegExp(`([A-Z])[${pySpace}]+is[${pySpace}]+the[${pySpace}]+correct[${pySpace}]+answer`, 'gu')),
  letterAtEnd,
  lastMatch(new RegExp(`([A-Z])[${pySpace}]*\\.`, 'gu')),
  lastMatch(new RegExp(`([A-Z])[${pySpace}]*[^${pyWord}]`, 'gu')),
]

/** Artificial Analysis: the last match of the first of nine patterns that matches, in upper case; it need not be a real option. */
export function artificialAnalysisLetter(text: string): string | null {
  for (const find of artificialAnalysis) {
    const letter = find(text)
    if (letter) return letter.toUpperCase()
  }
  return null
}
