import { rstrip } from '../python/text.ts'
import {
  type CharSet,
  compilePattern,
  findEnds,
  literal,
  type MatchWork,
  notSlash,
  optional,
  type PathPattern,
  type Token,
} from './path-pattern.ts'

/** What a pattern says of a path: nothing, that it fits, or that it fits a folder above it. */
type Fit = 'none' | 'path' | 'folder'
type Line = { ignores: boolean; fitTo(path: string, work: MatchWork): Fit }

/**
 * How patterns of a `.gitignore` are understood. `git`: as Git does it, where a pattern for a folder is weaker than one for a file, and a
 * bracket that nothing closes makes a line void. `documented`: by the letter of its manual: the last line that matches counts. Harbor reads
 * `.harborignore` in the first way and `.gitignore` in the second.
 */
export type IgnoreReading = 'git' | 'documented'

/** Whether a path (a folder's ends in `/`) is ignored; undefined where no line is about it. Throws `TooMuchWork`. */
export type Ignoring = (path: string) => boolean | undefined

/** No line of a real file comes near; a path has at most 1,024 bytes. */
export const mostPatterns = 2000
export const mostPatternChars = 1024

/** Steps for all ignore files of a task: over 20,000 files this is enough for more than a hundred ordinary patterns. */
export const matchSteps = 30_000_000

/** Reads an ignore file; `work` bounds all that matching its lines takes. Throws `RangeError` with the line that cannot be understood. */
export function readIgnoreFile(text: string, reading: IgnoreReading, work: MatchWork = { steps_left: matchSteps }): Ignoring {
  const lines = text.split(/[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/).flatMap((line) => readLine(line, reading) ?? [])
  if (lines.length > mostPatterns) throw new RangeError(`it has more than ${mostPatterns} patterns`)
  return (path) => (reading === 'git' ? strongest(lines, path, work) : lines.findLast(({ fitTo }) => fitTo(path, work) !== 'none')?.ignores)
}

/** The last line that matches as for a file; without one, the last that matches the folder it is in. */
function strongest(lines: readonly Line[], path: string, work: MatchWork): boolean | undefined {
  let folder: boolean | undefined
  for (const { ignores, fitTo } of lines.toReversed()) {
    const fits = fitTo(path, work)
    if (fits === 'path') return ignores
    if (fits === 'folder') folder ??= ignores
  }
  return folder
}

function readLine(line: string, reading: IgnoreReading): Line | undefined {
  const trimmed = line.endsWith('\\ ') ? line : rstrip(line)
  if (trimmed === '' || trimmed.startsWith('#') || (trimmed === '/' && reading === 'git')) return undefined
  if (trimmed.length > mostPatternChars) throw new RangeError(`${trimmed.slice(0, 80)}…: a pattern may have ${mostPatternChars} characters`)
  const ignores = !trimmed.startsWith('!')
  try {
    const fitTo = fitOf(ignores ? trimmed : trimmed.slice(1), reading)
    return fitTo && { fitTo, ignores }
  } catch (cause) {
    throw new RangeError(line, { cause })
  }
}

const everything: Line['fitTo'] = (path) => (path === '' ? 'none' : 'path')
const below: Line['fitTo'] = (path) => (path.includes('/') ? 'path' : 'none')
const belowFolder: Line['fitTo'] = (path) => (path.includes('/') ? 'folder' : 'none')

/** Undefined for a line that Git takes as void. */
function fitOf(pattern: string, reading: IgnoreReading): Line['fitTo'] | undefined {
  const segments = pattern.split('/')
  const forFolders = reading === 'git' && segments.at(-1) === ''
  if (segments[0] === '') segments.shift()
  else if ((segments.length === 1 || (segments.length === 2 && segments[1] === '')) && segments[0] !== '**') segments.unshift('**')
  if (segments.length === 0) throw new RangeError('nothing is left of it')
  const folderPattern = segments.at(-1) === '' && !(reading === 'documented' && pattern === '/')
  if (segments.at(-1) === '') segments[segments.length - 1] = '**'
  const parts = segments.filter((one, index) => one !== '**' || segments[index - 1] !== '**')
  const joined = parts.join('/')
  if (joined === '**') return folderPattern ? (forFolders ? belowFolder : below) : everything
  if (joined === '**/*') return everything
  if (joined === '**/*/**') return forFolders ? belowFolder : below
  const tokens = tokensOf(parts, reading)
  return tokens && fitting(compilePattern(tokens), parts.at(-1)!, forFolders, reading)
}

function fitting(pattern: PathPattern, last: string, forFolders: boolean, reading: IgnoreReading): Line['fitTo'] {
  return (path, work) => {
    const { whole, before_slash, anywhere } = findEnds(pattern, path, work)
    if (last === '**') return anywhere ? (forFolders ? 'folder' : 'path') : 'none'
    if (whole) return 'path'
    if (reading === 'git') return before_slash ? 'folder' : 'none'
    return before_slash && last !== '*' ? 'path' : 'none'
  }
}

const slash = literal('/')
const notLineEnd: CharSet = { not: true, ranges: [10, 10] }
const some: Token[] = [
  { op: 'one', set: notLineEnd },
  { op: 'many', set: notLineEnd },
]

function tokensOf(parts: readonly string[], reading: IgnoreReading): Token[] | undefined {
  const end = parts.length - 1
  const tokens: Token[] = []
  let separated = false
  for (const [index, part] of parts.entries()) {
    if (part === '**') {
      if (index === 0) tokens.push(...optional(...some, ...slash))
      else if (index < end) tokens.push(...optional(...slash, ...some))
      else tokens.push(...slash)
      separated ||= index > 0 && index < end
      continue
    }
    if (separated) tokens.push(...slash)
    const glob = part === '*' ? wholeName : globOf(part, reading)
    if (glob === undefined) return undefined
    tokens.push(...glob)
    if (index === end && part === '*' && reading === 'documented') tokens.push(...optional(...slash))
    separated = true
  }
  return tokens
}

const wholeName: Token[] = [
  { op: 'one', set: notSlash },
  { op: 'many', set: notSlash },
]

function globOf(text: string, reading: IgnoreReading): Token[] | undefined {
  const tokens: Token[] = []
  const chars = [...text]
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at]!
    if (char === '*') {
      // Stars in a row are one.
      if (tokens.at(-1)?.op !== 'many') tokens.push({ op: 'many', set: notSlash })
    } else if (char === '?') tokens.push({ op: 'one', set: notSlash })
    else if (char === '\\') {
      at++
      if (at === chars.length) throw new RangeError('it ends in a backslash')
      tokens.push(...literal(chars[at]!))
    } else if (char === '[') {
      const bracket = bracketAt(chars, at)
      if (bracket === undefined && reading === 'git') return undefined
      tokens.push(...(bracket ? [bracket.token] : literal('[')))
      at = bracket?.last ?? at
    } else tokens.push(...literal(char))
  }
  return tokens
}

/** A set of characters in brackets; undefined where nothing closes it. `last`: where its closing bracket stands. */
function bracketAt(chars: readonly string[], at: number): { token: Token; last: number } | undefined {
  const not = chars[at + 1] === '!' || chars[at + 1] === '^'
  const from = at + (not ? 2 : 1)
  const last = chars.indexOf(']', chars[from] === ']' ? from + 1 : from)
  if (last < 0) return undefined
  const ranges: number[] = []
  for (let place = from; place < last; place++) {
    const first = chars[place]!.codePointAt(0)!
    const isRange = chars[place + 1] === '-' && place + 2 < last
    const final = isRange ? chars[place + 2]!.codePointAt(0)! : first
    if (final < first) throw new RangeError('a range runs backwards')
    ranges.push(first, final)
    if (isRange) place += 2
  }
  return { token: { op: 'one', set: { not, ranges } }, last }
}
