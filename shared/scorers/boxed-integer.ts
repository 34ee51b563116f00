import { readInt } from '../python/number.ts'
import { boxValue } from './contest/box-value.ts'
import { wholeNumber } from './contest/value.ts'

/**
 * What a contest answer was read as: `value` is an integer in plain decimal form. `unparsed-box`: the box holds something that is no integer;
 * `unread-box`: it holds nothing that can be read, so that the last integer of the text counts where there is one.
 */
export type IntegerAnswer = { value: string | null; from: 'box' | 'last-integer' | 'unparsed-box' | 'unread-box' | 'nothing' }

const drawnBoxes: readonly [string, string][] = [
  ['\u23a7', '\\boxed{'],
  ['\u23ab', '}'],
  ['\n\u2502', '\\boxed{'],
  ['\u2502', '}'],
  ['\n\u2503', '\\boxed{'],
  ['\u2503', '}'],
  ['\n\uf8f0', '\\boxed{'],
  ['\uf8fb', '}'],
  ['\u221a', '\\sqrt'],
  ['\u00d7', '\\cdot'],
  ['\u202f', ' '],
  ['\u2212', '-'],
  ['\u03c0', '\\pi'],
]

/** Box-drawing characters as boxes, some signs as LaTeX, narrow no-break space as space, the minus sign as a hyphen. */
function plainMath(text: string): string {
  return drawnBoxes.reduce((rest, [from, to]) => rest.replaceAll(from, to), text)
}

/** Index of the brace that closes each opening brace; unbalanced ones are absent. */
function bracePairs(text: string): Map<number, number> {
  const pairs = new Map<number, number>()
  const open: number[] = []
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '{') open.push(i)
    else if (text[i] === '}') {
      const start = open.pop()
      if (start !== undefined) pairs.set(start, i)
    }
  }
  return pairs
}

/** Contents of the outermost `boxed{…}` and `fbox{…}` with balanced braces, in order, with the span they stand in. */
function boxes(text: string, name: RegExp): { start: number; end: number; content: string }[] {
  const pairs = bracePairs(text)
  const found: { start: number; end: number; content: string }[] = []
  let after = 0
  for (const match of text.matchAll(name)) {
    const brace = match.index + match[0].length - 1
    const close = pairs.get(brace)
    if (match.index < after || close === undefined) continue
    found.push({ start: match.index, end: close + 1, content: text.slice(brace + 1, close) })
    after = close + 1
  }
  return found
}

function withoutInnerBoxes(content: string): string {
  return boxes(content, /\\(?:boxed|fbox)\{/g).reduceRight(
    (rest, box) => rest.slice(0, box.start) + box.content + rest.slice(box.end),
    content,
  )
}

/** Content of the last box, or null when there is none. */
export function lastBox(text: string): string | null {
  const last = boxes(text, /(?:boxed|fbox)\{/g).at(-1)
  return last ? withoutInnerBoxes(last.content) : null
}

/** What the `regex` module of Python takes for a part of a word: also marks and joiners. */
const word = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d'
const integers = new RegExp(`(?<![${word}])\\p{Nd}+(?![${word}])`, 'gu')

function lastInteger(text: string): string | null {
  let last: string | null = null
  for (const match of text.matchAll(integers)) last = match[0]
  return last === null ? null : (readInt(last)?.toString() ?? null)
}

/** MathArena's reading (reference 4.4): the last box; where there is none, or nothing in it can be read, the last stand-alone integer of the text. */
export function matharenaInteger(answer: string): IntegerAnswer {
  const boxed = boxedInteger(answer)
  if (boxed.from === 'box' || boxed.from === 'unparsed-box') return boxed
  const value = lastInteger(plainMath(answer))
  if (value === null) return boxed
  return { value, from: boxed.from === 'nothing' ? 'last-integer' : 'unread-box' }
}

/** The last box only, as the `aa` profile reads it before any judge, and MathArena before it asks once more. */
export function boxedInteger(answer: string): IntegerAnswer {
  const content = lastBox(plainMath(answer))
  if (content === null) return { value: null, from: 'nothing' }
  const value = boxValue(content)
  if (value === null) return { value: null, from: 'unread-box' }
  const whole = wholeNumber(value)
  return whole === null ? { value: null, from: 'unparsed-box' } : { value: whole.toString(), from: 'box' }
}
