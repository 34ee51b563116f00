/** Code points as pairs of first and last; `not`: all others. */
export type CharSet = { not: boolean; ranges: readonly number[] }

/** One step of a pattern. `maybe`: the next `length` tokens may be left out; `start`: only at the start of the text. */
export type Token = { op: 'one'; set: CharSet } | { op: 'many'; set: CharSet } | { op: 'maybe'; length: number } | { op: 'start' }

export const anyChar: CharSet = { not: true, ranges: [] }
export const notSlash: CharSet = { not: true, ranges: [47, 47] }

/** Returns the tokens that match a text literally. */
export const literal = (text: string): Token[] => [...text].map((char) => ({ op: 'one', set: single(char.codePointAt(0)!) }))

/** Tokens of `(?:…)?`. */
export const optional = (...tokens: Token[]): Token[] => [{ op: 'maybe', length: tokens.length }, ...tokens]

const single = (code: number): CharSet => ({ not: false, ranges: [code, code] })

/** Steps that matching may still take. One step compares one character with one token. */
export type MatchWork = { steps_left: number }

/** Thrown when `MatchWork` is used up. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork'
}

/** Where a match that begins at the start of a text may end. */
export type Ends = { whole: boolean; before_slash: boolean; anywhere: boolean }

/** A compiled pattern; see `compilePattern`. */
export type PathPattern = { tokens: readonly Token[]; needs: string }

/** Prepares tokens for `findEnds`. */
export function compilePattern(tokens: readonly Token[]): PathPattern {
  return { tokens, needs: longestLiteral(tokens) }
}

const nowhere: Ends = { whole: false, before_slash: false, anywhere: false }

/**
 * Matches from the start of `text` in time linear in its length: all tokens that can be reached are followed at once, so that no pattern backtracks.
 * Throws `TooMuchWork`.
 */
export function findEnds({ tokens, needs }: PathPattern, text: string, work: MatchWork): Ends {
  spend(work, 1 + (text.length >> 4))
  if (!text.includes(needs)) return nowhere
  const end = tokens.length
  const ends = { ...nowhere }
  let [now, next] = [new Uint8Array(end + 1), new Uint8Array(end + 1)]
  let [first, last] = [0, 0]
  now[0] = 1
  for (let at = 0; ; ) {
    const code = at < text.length ? text.codePointAt(at)! : -1
    let [nextFirst, nextLast] = [end + 1, -1]
    spend(work, last - first + 1)
    for (let index = first; index <= last && index < end; index++) {
      if (now[index] === 0) continue
      now[index] = 0
      const token = tokens[index]!
      if (token.op === 'one') {
        if (code < 0 || !holds(token.set, code)) continue
        next[index + 1] = 1
        nextFirst = Math.min(nextFirst, index + 1)
        nextLast = Math.max(nextLast, index + 1)
        continue
      }
      if (token.op === 'many' && code >= 0 && holds(token.set, code)) {
        next[index] = 1
        nextFirst = Math.min(nextFirst, index)
        nextLast = Math.max(nextLast, index)
      }
      if (token.op === 'start' && at > 0) continue
      now[index + 1] = 1
      last = Math.max(last, index + 1)
      if (token.op !== 'maybe') continue
      now[index + 1 + token.length] = 1
      last = Math.max(last, index + 1 + token.length)
    }
    if (now[end] === 1) {
      now[end] = 0
      ends.anywhere = true
      if (code < 0) ends.whole = true
      if (code === 47) ends.before_slash = true
    }
    if (code < 0 || nextLast < 0) return ends
    at += code > 0xffff ? 2 : 1
    ;[now, next, first, last] = [next, now, nextFirst, nextLast]
  }
}

function spend(work: MatchWork, steps: number): void {
  work.steps_left -= steps
  if (work.steps_left < 0) throw new TooMuchWork('matching takes too many steps')
}

function holds({ not, ranges }: CharSet, code: number): boolean {
  for (let at = 0; at < ranges.length; at += 2) if (code >= ranges[at]! && code <= ranges[at + 1]!) return !not
  return not
}

/** The longest text that every match holds: a search for it is far cheaper than matching. */
function longestLiteral(tokens: readonly Token[]): string {
  let [longest, run] = ['', '']
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!
    const [from, to] = token.op === 'one' && !token.set.not ? token.set.ranges : []
    run = from !== undefined && from === to && token.op === 'one' && token.set.ranges.length === 2 ? run + String.fromCodePoint(from) : ''
    if (run.length > longest.length) longest = run
    if (token.op === 'maybe') index += token.length
  }
  return longest
}
