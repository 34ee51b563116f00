import {
  anyChar,
  type CharSet,
  compilePattern,
  findEnds,
  literal,
  type MatchWork,
  notSlash,
  optional,
  type PathPattern,
  type Token,
} from '#shared/harbor/path-pattern.ts'
import type { TreeFile } from '#shared/solvers/machine.ts'

/** One line of a `.dockerignore`. */
type Line = { keeps: boolean; patterns: readonly PathPattern[] }

/** No line of a real file comes near; what is beyond fits nothing. */
const mostLines = 2000
const mostPatternChars = 1024

/** Steps for one build's context: over 20,000 files this is enough for more than a hundred ordinary lines. */
const matchSteps = 50_000_000

/**
 * The files of a build's context without those that its `.dockerignore` leaves out, which no engine does by itself. The last line that fits decides;
 * a line that fits a folder fits all below it. `always`: a file that is sent all the same, the Dockerfile. Throws `TooMuchWork`.
 * Source: moby/patternmatcher, which compiles patterns to RE2; ours match in linear time as those do.
 */
export function leaveOutIgnored(
  files: readonly TreeFile[],
  always: string,
  work: MatchWork = { steps_left: matchSteps },
): readonly TreeFile[] {
  const ignore = files.find(({ path }) => path === '.dockerignore')
  if (!ignore) return files
  const lines = readLines(new TextDecoder().decode(ignore.bytes))
  return files.filter(({ path }) => path === always || path === '.dockerignore' || !isIgnored(path, lines, work))
}

function readLines(text: string): Line[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== '!' && line.length <= mostPatternChars)
    .slice(0, mostLines)
    .map((line) => {
      const isKeeping = line.startsWith('!')
      const cleaned = clean(isKeeping ? line.slice(1).trim() : line).trim()
      // Docker reads `/!a` as `!a`, since it takes the slash away first.
      const keeps = isKeeping || cleaned.startsWith('!')
      const patterns = patternOf(cleaned.slice(keeps && !isKeeping ? 1 : 0))
      return patterns && { keeps, patterns }
    })
    .filter((line) => line !== undefined)
}

/** As Go's `filepath.Clean` without the slash at the root: no `.`, no `..` beyond the root, no empty name. */
function clean(pattern: string): string {
  const rooted = pattern.startsWith('/')
  const names: string[] = []
  for (const name of pattern.split('/')) {
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop()
    else if (name === '..' ? !rooted : name !== '' && name !== '.') names.push(name)
  }
  return names.join('/')
}

function isIgnored(path: string, lines: readonly Line[], work: MatchWork): boolean {
  let ignored = false
  for (const { keeps, patterns } of lines) {
    if (keeps !== ignored) continue
    const fits = patterns.some((pattern) => {
      const { whole, before_slash } = findEnds(pattern, path, work)
      return whole || before_slash
    })
    if (fits) ignored = !keeps
  }
  return ignored
}

/**
 * A pattern as Docker reads it, with `**` for any number of folders, as alternatives. Undefined for a text that is no pattern, which fits nothing.
 * Docker hands `|`, `^` and `{2}` to Go's regular expressions as they are once a pattern has a wildcard.
 */
function patternOf(pattern: string): readonly PathPattern[] | undefined {
  const isExact = isPlain(pattern)
  // Docker takes a pattern that begins with `**` and has no other wildcard as the end of a path.
  const isSuffix = pattern.startsWith('**') && isPlain(pattern.slice(2))
  if (isSuffix && pattern[2] === '/') return [compilePattern([...folders, ...literal(pattern.slice(3))])]
  if (isSuffix) return [compilePattern([...anything, ...literal(pattern.slice(2))])]
  if (isExact) return [compilePattern(literal(pattern))]
  if (pattern.endsWith('**') && isPlain(pattern.slice(0, -2))) return [compilePattern([...literal(pattern.slice(0, -2)), ...anything])]
  const alternatives = alternativesOf([...pattern])
  return alternatives?.map((tokens, index) => {
    const behind = index < alternatives.length - 1 ? anything : []
    return compilePattern([...anything, ...tokens, ...behind])
  })
}

const isPlain = (pattern: string): boolean => !/[*?[\]\\]/.test(pattern)

function alternativesOf(chars: readonly string[]): Token[][] | undefined {
  const alternatives: Token[][] = [[{ op: 'start' }]]
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at]!
    const tokens = alternatives.at(-1)!
    if (char === '*' && chars[at + 1] === '*') {
      at += chars[at + 2] === '/' ? 2 : 1
      tokens.push(...(at === chars.length - 1 ? anything : folders))
    } else if (char === '*') tokens.push({ op: 'many', set: notSlash })
    else if (char === '?') tokens.push({ op: 'one', set: notSlash })
    else if (char === '^') tokens.push({ op: 'start' })
    else if (char === '|') alternatives.push([])
    else if (char === '{' && /^\{\d/.test(chars.slice(at, at + 2).join(''))) {
      const length = repeat(tokens, chars, at)
      if (length === undefined) return undefined
      at += length - 1
    } else if (char === '\\') {
      at++
      const set = escapedSet(chars[at])
      if (!set) return undefined
      tokens.push({ op: 'one', set })
    } else if (char === '[') {
      const range = rangeAt(chars, at)
      if (!range) return undefined
      tokens.push({ op: 'one', set: range.set })
      at = range.last
    } else tokens.push(...literal(char))
  }
  return alternatives
}

/** Repeats the last token as `{2}` or `{1,3}` says; gives the length of that text, undefined where Go refuses it or it is more than a path can hold. */
function repeat(tokens: Token[], chars: readonly string[], at: number): number | undefined {
  const found = /^\{(\d{1,4})(,?)(\d{0,4})\}/.exec(chars.slice(at, at + 12).join(''))
  if (!found) {
    tokens.push(...literal('{'))
    return 1
  }
  const least = Number(found[1])
  const most = found[2] === '' ? least : found[3] === '' ? null : Number(found[3])
  const token = tokens.pop()
  if ((token?.op !== 'one' && token?.op !== 'start') || least > 1000 || (most !== null && (most > 1000 || most < least))) return undefined
  for (let count = 0; count < least; count++) tokens.push(token)
  if (most === null && token.op === 'one') tokens.push({ op: 'many', set: token.set })
  for (let count = least; most !== null && count < most; count++) tokens.push(...optional(token))
  return found[0].length
}

const anything: Token[] = [{ op: 'many', set: anyChar }]
const folders: Token[] = optional(...anything, ...literal('/'))

const digits = [48, 57]
const spaces = [9, 10, 12, 13, 32, 32]
const wordChars = [48, 57, 65, 90, 95, 95, 97, 122]
/** Docker hands `\` and the next character to Go's regular expressions as they are. */
const escapes: Record<string, CharSet> = {
  d: { not: false, ranges: digits },
  D: { not: true, ranges: digits },
  s: { not: false, ranges: spaces },
  S: { not: true, ranges: spaces },
  w: { not: false, ranges: wordChars },
  W: { not: true, ranges: wordChars },
  ...Object.fromEntries(
    Object.entries({ a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 }).map(([char, code]) => [char, { not: false, ranges: [code, code] }]),
  ),
}

/** Characters that an escape stands for; undefined for one that Go refuses. */
function escapedSet(char: string | undefined): CharSet | undefined {
  if (char === undefined) return undefined
  const code = char.codePointAt(0)!
  if (/[0-9A-Za-z]/.test(char) || code > 127) return escapes[char]
  return { not: false, ranges: [code, code] }
}

/** A range in brackets, with the place of its closing bracket; undefined where Go's regular expressions refuse it, as one that runs backwards. */
function rangeAt(chars: readonly string[], start: number): { set: CharSet; last: number } | undefined {
  const not = chars[start + 1] === '^'
  const from = start + (not ? 2 : 1)
  const ranges: number[] = []
  for (let at = from; at < chars.length; at++) {
    if (chars[at] === ']' && at > from) return { set: { not, ranges }, last: at }
    const member = namedSet(chars, at) ?? memberAt(chars, at)
    if (!member || member.set.not) return undefined
    at = member.last
    const [first, same] = member.set.ranges
    if (chars[at + 1] !== '-' || chars[at + 2] === ']' || first !== same || member.set.ranges.length !== 2) {
      ranges.push(...member.set.ranges)
      continue
    }
    const final = memberAt(chars, at + 2)
    const [least, most] = final?.set.ranges ?? []
    if (!final || least === undefined || least !== most || least < first!) return undefined
    ranges.push(first!, least)
    at = final.last
  }
  return undefined
}

function memberAt(chars: readonly string[], at: number): { set: CharSet; last: number } | undefined {
  if (chars[at] === undefined) return undefined
  if (chars[at] !== '\\') {
    const code = chars[at]!.codePointAt(0)!
    return { set: { not: false, ranges: [code, code] }, last: at }
  }
  const set = escapedSet(chars[at + 1])
  return set && { set, last: at + 1 }
}

const named: Record<string, number[]> = {
  alnum: [48, 57, 65, 90, 97, 122],
  alpha: [65, 90, 97, 122],
  digit: digits,
  lower: [97, 122],
  upper: [65, 90],
  space: [9, 13, 32, 32],
  blank: [9, 9, 32, 32],
  punct: [33, 47, 58, 64, 91, 96, 123, 126],
  word: wordChars,
  xdigit: [48, 57, 65, 70, 97, 102],
}

/** `[:name:]` within brackets. */
function namedSet(chars: readonly string[], at: number): { set: CharSet; last: number } | undefined {
  if (chars[at] !== '[' || chars[at + 1] !== ':') return undefined
  const close = chars.indexOf(':', at + 2)
  const ranges = named[chars.slice(at + 2, Math.max(at + 2, close)).join('')]
  return ranges && chars[close + 1] === ']' ? { set: { not: false, ranges }, last: close + 1 } : undefined
}
