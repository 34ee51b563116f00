import { rstrip } from '../python/text.ts'

type Pattern = { regex: RegExp; ignores: boolean }

/**
 * How patterns of a `.gitignore` are understood. `git`: as Git does it, where a pattern for a folder is weaker than one for a file, and a
 * bracket that nothing closes makes a line void. `documented`: by the letter of its manual: the last line that matches counts. Harbor reads
 * `.harborignore` in the first way and `.gitignore` in the second.
 */
export type IgnoreReading = 'git' | 'documented'

/** Whether a path (a folder's ends in `/`) is ignored; undefined where no line is about it. */
export type Ignoring = (path: string) => boolean | undefined

/** Throws `RangeError` with the line that cannot be understood. */
export function readIgnoreFile(text: string, reading: IgnoreReading): Ignoring {
  const patterns = text.split(/[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/).flatMap((line) => readPattern(line, reading) ?? [])
  return (path) => (reading === 'git' ? strongest(patterns, path) : patterns.findLast(({ regex }) => regex.test(path))?.ignores)
}

/** The last line that matches as for a file; without one, the last that matches the folder it is in. */
function strongest(patterns: readonly Pattern[], path: string): boolean | undefined {
  const matches = patterns.flatMap(({ regex, ignores }) => {
    const match = regex.exec(path)
    return match ? [{ ignores, folder: match.groups?.folder !== undefined }] : []
  })
  return (matches.findLast(({ folder }) => !folder) ?? matches.at(-1))?.ignores
}

function readPattern(line: string, reading: IgnoreReading): Pattern | undefined {
  const trimmed = line.endsWith('\\ ') ? line : rstrip(line)
  if (trimmed === '' || trimmed.startsWith('#') || (trimmed === '/' && reading === 'git')) return undefined
  const ignores = !trimmed.startsWith('!')
  try {
    const source = regexOf(ignores ? trimmed : trimmed.slice(1), reading)
    return source === undefined ? undefined : { regex: new RegExp(source, 'u'), ignores }
  } catch (cause) {
    throw new RangeError(line, { cause })
  }
}

const everything = '.'

function regexOf(pattern: string, reading: IgnoreReading): string | undefined {
  const folder = reading === 'git' ? '(?<folder>/)' : '/'
  const segments = pattern.split('/')
  const forFolders = segments.at(-1) === '' && !(reading === 'documented' && pattern === '/')
  if (segments[0] === '') segments.shift()
  else if ((segments.length === 1 || (segments.length === 2 && segments[1] === '')) && segments[0] !== '**') segments.unshift('**')
  if (segments.length === 0) throw new RangeError('nothing is left of it')
  if (segments.at(-1) === '') segments[segments.length - 1] = '**'
  const parts = segments.filter((one, index) => one !== '**' || segments[index - 1] !== '**')
  const joined = parts.join('/')
  if (joined === '**') return forFolders ? folder : everything
  if (joined === '**/*') return everything
  if (joined === '**/*/**') return forFolders ? folder : '/'
  return translated(parts, forFolders ? folder : '/', reading)
}

/** `folder` is what a trailing `**` stands for. Undefined for a line that Git takes as void. */
function translated(parts: readonly string[], folder: string, reading: IgnoreReading): string | undefined {
  const end = parts.length - 1
  let regex = ''
  let slash = false
  for (const [index, part] of parts.entries()) {
    if (part === '**') {
      regex += index === 0 ? '^(?:.+/)?' : index < end ? '(?:/.+)?' : folder
      slash ||= index > 0 && index < end
      continue
    }
    const glob = part === '*' ? '[^/]+' : globOf(part, reading)
    if (glob === undefined) return undefined
    regex += `${index === 0 ? '^' : ''}${slash ? '/' : ''}${glob}`
    if (index === end) regex += reading === 'git' ? '(?:(?<folder>/)|$)' : part === '*' ? '/?$' : '(?:/|$)'
    slash = true
  }
  return regex
}

const escaped = (text: string): string => text.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&')

function globOf(text: string, reading: IgnoreReading): string | undefined {
  let regex = ''
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '*') regex += '[^/]*'
    else if (char === '?') regex += '[^/]'
    else if (char === '\\') {
      at++
      if (at === text.length) throw new RangeError('it ends in a backslash')
      regex += escaped(text[at] ?? '')
    } else if (char === '[') {
      const bracket = bracketAt(text, at)
      if (bracket === undefined && reading === 'git') return undefined
      regex += bracket?.regex ?? '\\['
      at = bracket?.last ?? at
    } else regex += escaped(char ?? '')
  }
  return regex
}

/** A set of characters in brackets; undefined where nothing closes it. `last`: where its closing bracket stands. */
function bracketAt(text: string, at: number): { regex: string; last: number } | undefined {
  const negated = text[at + 1] === '!' || text[at + 1] === '^'
  const from = at + (negated ? 2 : 1)
  const last = text.indexOf(']', text[from] === ']' ? from + 1 : from)
  if (last < 0) return undefined
  const inner = text.slice(from, last).replace(/[\\[\]^]/g, '\\$&')
  return { regex: `[${negated ? '^' : ''}${inner}]`, last }
}
