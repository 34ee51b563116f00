import { lstripChars, pySpace, rstripChars, skipSpace, strip } from '../../python/text.ts'
import { isBlank } from '../instructions/variants.ts'
import { isPythonJson } from '../python-json.ts'
import type { IfevalRules } from './kwargs.ts'

const endOfLine = (text: string, from: number): number => {
  const at = text.indexOf('\n', from)
  return at < 0 ? text.length : at
}

/**
 * Lines that begin, after any whitespace (line feeds too), with a bullet. For `*` another character has to follow, and it may be the line
 * feed, in which case the bullet takes in the next line. Where one start of a line fails, all starts within the same whitespace fail.
 */
function countBullets(text: string, bullet: '*' | '-'): number {
  let count = 0
  for (let start = 0; start <= text.length; ) {
    const at = skipSpace(text, start)
    const follows = bullet === '-' || (at + 1 < text.length && text[at + 1] !== '*')
    if (text[at] !== bullet || !follows) {
      start = endOfLine(text, at) + 1
      continue
    }
    count++
    const end = endOfLine(text, bullet === '-' ? at + 1 : at + 2)
    // A bullet that took in the line feed and an empty line ends where a line begins.
    start = text[end - 1] === '\n' ? end : end + 1
  }
  return count
}

const single = /\*([^\n*]*)\*/g
const double = /\*\*([^\n*]*)\*\*/g

function countFilled(text: string, span: RegExp): number {
  let count = 0
  for (const match of text.matchAll(span)) if (!isBlank(match[1]!)) count++
  return count
}

/** A line's text between its first `<<` and its last `>>`; null where there is no character between them. */
function titleOf(line: string): string | null {
  const start = line.indexOf('<<')
  const end = line.lastIndexOf('>>')
  return start >= 0 && end > start + 2 ? line.slice(start, end + 2) : null
}

const fences = ['```json', '```Json', '```JSON', '```']

/** The text between the fences of a code block, if there are any; prefixes are cut one after the other. */
function unfenced(text: string): string {
  let body = strip(text)
  for (const fence of fences) if (body.startsWith(fence)) body = body.slice(fence.length)
  return strip(body.endsWith('```') ? body.slice(0, -3) : body)
}

const constrained = ['yes', 'no', 'maybe'].map((answer) => `My answer is ${answer}.`)

/** Instructions about the form of the answer. */
export const formatRules = {
  'detectable_format:number_bullet_lists': (text, { num_bullets }) => countBullets(text, '*') + countBullets(text, '-') === num_bullets,
  'detectable_format:constrained_response': (text) => constrained.some((sentence) => text.includes(sentence)),
  'detectable_format:number_highlighted_sections': (text, { num_highlights }) =>
    countFilled(text, single) + countFilled(text, double) >= num_highlights,
  'detectable_format:multiple_sections': (text, { section_spliter, num_sections }) =>
    (text.match(new RegExp(`${section_spliter}[${pySpace}]?\\p{Nd}+`, 'gu'))?.length ?? 0) >= num_sections,
  'detectable_format:json_format': (text) => isPythonJson(unfenced(text)),
  'detectable_format:title': (text) =>
    text.split('\n').some((line) => {
      const title = titleOf(line)
      return title !== null && !isBlank(rstripChars(lstripChars(title, '<'), '>'))
    }),
} satisfies Partial<IfevalRules>
