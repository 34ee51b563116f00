import { countOf, punctuation, pyWord, splitSpace, strip, stripChars } from '../../python/text.ts'
import { bare, unpunctuated } from './bare-words.ts'
import type { IfbenchRules, Rule } from './kwargs.ts'

const closes: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }
const nonWord = `[^${pyWord}]*`
const letterOptions = new RegExp(`^${nonWord}[aA]${nonWord}[bB]${nonWord}[cC]`, 'u')
const aroundQuotes = `0123456789${punctuation.replace('"', '')}`

// Succeeds at the first closing bracket that ends a nest of five; a mismatch forgets everything.
const nestedParentheses: Rule<'format:parentheses'> = (text) => {
  let open: string[] = []
  let deepest = 0
  for (const char of text) {
    if (char === '(' || char === '[' || char === '{') {
      open.push(char)
      deepest = Math.max(deepest, open.length)
    } else if (Object.hasOwn(closes, char)) {
      if (open.at(-1) === closes[char]) {
        open.pop()
        if (deepest >= 5) return true
      } else {
        open = []
        deepest = 0
      }
    }
  }
  return false
}

// Apostrophes are quotes too, and the greatest depth is never forgotten: both as upstream.
const nestedQuotes: Rule<'format:quotes'> = (text) => {
  const open: string[] = []
  let deepest = 0
  for (const char of text) {
    if (char !== '"' && char !== "'") continue
    if (open.at(-1) === char) {
      open.pop()
      if (deepest - open.length >= 3) return true
    } else {
      open.push(char)
      deepest = Math.max(deepest, open.length)
    }
  }
  return false
}

// Options that are letters have to be given exactly.
const oneOption: Rule<'format:options'> = (text, kwargs) => {
  const wording = kwargs.options
  const separator = ['/', 'or'].find((found) => wording.includes(found)) ?? ','
  const options = wording.split(separator).map(strip)
  if (letterOptions.test(wording)) return options.includes(text)
  const answer = bare(text).toLowerCase()
  return options.some((option) => bare(option).toLowerCase() === answer)
}

const wordPerLine: Rule<'format:newline'> = (text) => {
  const stripped = strip(unpunctuated(text))
  return stripped.split('\n').filter((line) => line !== '').length === splitSpace(stripped).length
}

const leadingSpaces = (line: string) => line.length - line.replace(/^ +/, '').length

/**
 * The lines that the official loop leaves: it deletes blank lines from the list that it walks, so that each deletion skips the next line, and
 * deletes the first line equal to the one it looks at.
 */
function linesLeft(text: string): string[] {
  const lines = text.split('\n')
  const places = new Map<string, number[]>()
  const taken = new Map<string, number>()
  lines.forEach((line, index) => {
    if (strip(line) !== '') return
    const found = places.get(line)
    if (found) found.push(index)
    else places.set(line, [index])
  })
  const gone = new Set<number>()
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const equal = places.get(line)
    if (!equal) continue
    const next = taken.get(line) ?? 0
    gone.add(equal[next]!)
    taken.set(line, next + 1)
    at++
  }
  return lines.filter((_, index) => !gone.has(index))
}

const stairs: Rule<'format:line_indent'> = (text) => {
  const depths = linesLeft(text).map(leadingSpaces)
  return depths.every((depth, index) => index === 0 || depth > depths[index - 1]!)
}

// Straight quotes only: curly ones are ordinary characters at the pinned commit.
const explainedQuotes: Rule<'format:quote_unquote'> = (text) => {
  const dense = splitSpace(text.replaceAll(`'"'`, '')).join('')
  return !dense.includes('""') && !stripChars(dense, aroundQuotes).endsWith('"')
}

const listMarks: Rule<'format:list'> = (text, kwargs) => countOf(text, kwargs.sep) >= 2

const indexOfEither = (text: string, first: string, second: string) => {
  const found = text.indexOf(first)
  return found >= 0 ? found : text.indexOf(second)
}

const italicThesis: Rule<'format:thesis'> = (text) => {
  const start = indexOfEither(text, '<i>', '<em>')
  if (start < 0) return false
  const rest = text.slice(start)
  const end = indexOfEither(rest, '</i>', '</em>')
  return end >= 0 && strip(rest.slice(3, end)) !== '' && strip(rest.slice(end + 4)) !== ''
}

const subBullets: Rule<'format:sub-bullets'> = (text) =>
  text
    .split('*')
    .slice(1)
    .every((bullet) => bullet.includes('-'))

const template: Rule<'format:output_template'> = (text) =>
  ['My Answer:', 'My Conclusion:', 'Future Outlook:'].every((label) => text.includes(label))

const noWhitespace: Rule<'format:no_whitespace'> = (text) => {
  const words = splitSpace(text)
  return words.length === 0 ? text === '' : words[0]!.length === text.length
}

export const formatRules = {
  'format:parentheses': nestedParentheses,
  'format:quotes': nestedQuotes,
  'format:options': oneOption,
  'format:newline': wordPerLine,
  'format:line_indent': stairs,
  'format:quote_unquote': explainedQuotes,
  'format:list': listMarks,
  'format:thesis': italicThesis,
  'format:sub-bullets': subBullets,
  'format:output_template': template,
  'format:no_whitespace': noWhitespace,
} satisfies Partial<IfbenchRules>
