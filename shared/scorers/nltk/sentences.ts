import { pySpace, rstrip } from '../../python/text.ts'
import type { Punkt } from './punkt.ts'
import { noWordChars, punktTokens, secondPass } from './punkt-tokens.ts'
import { remember } from './remember.ts'

/** A mark that may end a sentence. `context` is the word before it, the mark and what follows; `next` is where a next sentence would begin. */
type Candidate = { end: number; next: number; context: string }
type Slice = { start: number; end: number }

const mark = new RegExp(`[.?!](?=([${noWordChars}]|[${pySpace}]+([^${pySpace}]+)))`, 'gu')
const asciiSpace = /[\t-\r ]/
const closers = new RegExp(`^["')\\]}]+?(?:[${pySpace}]+|(?=--)|(?![^\\n]))`, 'u')

/** Sentences of a text as `nltk.sent_tokenize` of NLTK 3.9.2 gives them; total, in linear time. Source: Kiss and Strunk (2006), nltk/tokenize/punkt.py. */
export function splitSentences(text: string, punkt: Punkt): string[] {
  const slices: Slice[] = []
  const judged = remember((context: string) => endsSentence(context, punkt))
  let start = 0
  for (const { end, next, context } of candidatesOf(text)) {
    if (!judged(context)) continue
    slices.push({ start, end })
    start = next
  }
  slices.push({ start, end: rstrip(text).length })
  return realigned(text, slices)
}

/** Marks that follow one another without a space between them are one candidate, the last of them. */
function candidatesOf(text: string): Candidate[] {
  const candidates: Candidate[] = []
  let word: Slice = { start: 0, end: 0 }
  let last: Candidate | undefined
  for (const match of text.matchAll(mark)) {
    const at = match.index
    const start = lastSpace(text, word.end, at)
    const nextWord = { start: start === undefined ? word.start : start + 1, end: at }
    if (last && word.end <= nextWord.start) candidates.push(last)
    word = nextWord
    const follower = match[1]!
    const end = at + 1
    last = { end, next: end + follower.length - (match[2] ?? follower).length, context: text.slice(word.start, end) + follower }
  }
  if (last) candidates.push(last)
  return candidates
}

/** Where the last ASCII space between `from` (exclusive, as Punkt has it) and `to` is. */
function lastSpace(text: string, from: number, to: number): number | undefined {
  for (let at = to - 1; at > from; at--) if (asciiSpace.test(text[at]!)) return at
  return undefined
}

function endsSentence(context: string, punkt: Punkt): boolean {
  const tokens = punktTokens(context, punkt)
  return tokens.some((token, index) => {
    const next = tokens[index + 1]
    if (next === undefined) return false
    secondPass(token, next, punkt)
    return token.isBreak
  })
}

/** Closing quotes and brackets that begin a slice belong to the sentence before. Empty slices vanish. */
function realigned(text: string, slices: readonly Slice[]): string[] {
  const sentences: string[] = []
  let moved = 0
  for (const [index, slice] of slices.entries()) {
    const start = slice.start + moved
    const next = slices[index + 1]
    const closing = next && closers.exec(text.slice(next.start, next.end))?.[0]
    moved = closing?.length ?? 0
    const end = next && closing !== undefined ? next.start + rstrip(closing).length : slice.end
    if (start < end) sentences.push(text.slice(start, end))
  }
  return sentences
}
