import { floatDigits, readFloat, readInt } from '../../python/number.ts'
import { codePoints, isDigit, pySpace, pyWord, strip } from '../../python/text.ts'
import { latexValue } from './latex-value.ts'
import { pythonValue } from './python-value.ts'
import { fraction, other, real, type Value } from './value.ts'

/** Longer contents are no answer of a contest; the bound keeps the readers below fast. */
const longestContent = 4000
const deepestList = 50

/**
 * What the content of a box stands for, or null where MathArena's parser finds nothing in it and goes on to the text. Where that parser raises, or finds
 * something that is no real number, the content stands for `other`. Source: matharena at e9276603, `parser.py`, `extract_boxed_answer_parse`.
 */
export function boxValue(content: string): Value | null {
  if (content.length > longestContent) return null
  const whole = readInt(content)
  if (whole !== null) return fraction(whole)
  const values = listValues(`(${withoutBrackets(normalised(content))})`, 0)
  if (values === null) return null
  if (values.length === 1) return values[0]?.kind === 'other' ? (values[0].only ?? values[0]) : values[0]!
  // A list without its remarks; of a single answer that is left, the answer.
  const answers = values.filter((value) => value !== null && (value.kind !== 'other' || value.digits))
  return answers.length === 1 ? answers[0]! : other
}

/** A whole number exactly, another one to double precision; null where there is none, and infinities, are no number. */
function numberOf(value: bigint | number | null): Value {
  if (typeof value === 'bigint') return fraction(value)
  return value !== null && Number.isInteger(value) ? fraction(BigInt(value)) : real(value ?? Number.NaN)
}

const sizes = ['left', 'right', 'Bigl', 'Bigr', 'bigl', 'bigr', 'Big', 'big', 'Large', 'large'].map((name) => `\\${name}`)
const plain: readonly (readonly [string, string])[] = [
  ['[', '('],
  [']', ')'],
  ['\\{', '('],
  ['\\}', ')'],
  ['$', ''],
  ['\\ ', ' '],
  ['\\hline', ''],
  ['\\vline', ''],
  ['\\quad', ' '],
  ['\u2212', '-'],
  ['\u2013', '-'],
  ['\u00b7', ' \\cdot '],
  ['^\\circ', ' '],
  ['^{\\circ}', ' '],
  ['\\displaystyle', ''],
  ['\\(', '('],
  ['\\)', ')'],
  ['{,}', ''],
]

/** The clean-up before a content is parsed, step by step in upstream's order, since later steps see what earlier ones left. */
function normalised(content: string): string {
  let text = content.replace(/\\[;:,!]/g, '')
  for (const size of sizes) text = text.replaceAll(size, '')
  text = text.replace(/\\begin\{align[^}]*\}([\s\S]*?)\\end\{align[^}]*\}/g, (_, inner: string) =>
    inner.replaceAll('&', '').replaceAll('\\\\', ''),
  )
  for (const [from, to] of plain) text = text.replaceAll(from, to)
  text = text.replace(/\.$/, '').replace(/(?<=\p{Nd}),(?=\p{Nd})/gu, '')
  if (text.includes('\\sqrt ')) text = text.replace(new RegExp(`\\\\sqrt[${pySpace}]*([^${pySpace}{}]*)`, 'g'), '\\sqrt{$1}')
  text = text.replace(/\\text\{[^\n]*?\}/g, '').replace(/\\mathrm\{([^\n]*?)\}/g, ' $1 ')
  text = text.replaceAll('F_{30}', '832040') // an answer of one contest, which upstream spells out for all
  text = text.slice(text.lastIndexOf('=') + 1)
  const approx = text.indexOf('\\approx')
  return approx < 0 ? stripped(text) : stripped(text.slice(0, approx).replace(/\($/, ''))
}

/** Upstream's own strip: also the two characters `\n`, `\ `, and backslashes before a parenthesis. */
function stripped(text: string): string {
  let rest = strip(text)
  while (rest.startsWith('\\n')) rest = rest.slice(2)
  while (rest.endsWith('\\n')) rest = rest.slice(0, -2)
  while (rest.startsWith('\\ ')) rest = rest.slice(2)
  while (/^\\{2,}\n?\(/.test(rest)) rest = rest.slice(3)
  return rest
}

/** Whether the parenthesis that opens a text is closed by its last character, or, with `open`, by none. */
function isEnclosed(text: string, open: boolean): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')') depth--
    if (depth === 0 && (open || at < text.length - 1)) return false
  }
  return true
}

function withoutBrackets(text: string): string {
  let rest = text
  while (rest.startsWith('(') && rest.endsWith(')') && rest.length > 1 && isEnclosed(rest, false)) rest = rest.slice(1, -1)
  return rest
}

const count = (text: string, sign: string): number => text.split(sign).length - 1
const isBalanced = (text: string): boolean => count(text, '(') === count(text, ')')
const isComplete = (text: string): boolean => isBalanced(text) && count(text, '{') === count(text, '}')
const stripCommas = (text: string): string => strip(text).replace(/^,+|,+$/g, '')

/** The parts of a list, null for one that cannot be read; null for a list that cannot be taken apart. A list in a list is no number. */
function listValues(list: string, depth: number): (Value | null)[] | null {
  let text = stripCommas(list)
  if (isEnclosed(text.slice(0, -1), true)) text = text.slice(1, -1)
  text = stripped(text)
  const delimiter = ['\\n', ','].find((each) => text.includes(each)) ?? '\\n'
  const values: (Value | null)[] = []
  while (text.length > 0) {
    const parts = text.split(delimiter)
    const first = firstPart(parts, delimiter, text, depth)
    if (!first) return null
    values.push(first.value)
    const rest = stripped(parts.slice(first.used).join(delimiter))
    if (rest === text) return null
    text = rest
  }
  return values
}

/** The first part of a list and how many pieces between delimiters it takes. */
function firstPart(parts: readonly string[], delimiter: string, text: string, depth: number): { value: Value | null; used: number } | null {
  const upTo = (isWhole: (part: string) => boolean): number | null => {
    for (let used = 1; used <= parts.length; used++) if (isWhole(stripped(parts.slice(0, used).join(delimiter)))) return used
    return null
  }
  const part = (used: number): string => stripped(parts.slice(0, used).join(delimiter))
  if (depth <= deepestList && stripped(text).startsWith('(')) {
    const used = upTo((each) => isBalanced(each) && stripCommas(each).endsWith(')'))
    if (used !== null) return { value: listValues(part(used), depth + 1) && { kind: 'other', digits: /\p{Nd}/u.test(part(used)) }, used }
  }
  const used = upTo(isComplete)
  return used === null ? null : { value: primitiveValue(part(used)), used }
}

/** Whether SymPy prints a formula that is no number with a digit: also powers of letters, and i, which upstream makes `1.0*I`. */
function showsDigits(formula: string): boolean {
  const letters = [...formula.replace(/\\[a-zA-Z]+/g, '')].filter((sign) => /[a-zA-Z]/.test(sign))
  return /\p{Nd}/u.test(formula) || letters.some((letter, at) => /[iI]/.test(letter) || letters.indexOf(letter) < at)
}

function primitiveValue(text: string): Value | null {
  const digits = codePoints(text)
  // Of these `int` refuses the raised, lowered and circled ones; upstream raises there.
  if (digits.length > 0 && digits.every(isDigit)) return numberOf(readInt(text))
  if (floatDigits(text) !== null) return numberOf(readFloat(text))
  if (readFloat(text) !== null) return other // infinities and NaN, of which upstream wants an integer
  const formula = text.replace(/sqrt(\p{Nd}+)/gu, 'sqrt{$1}').replace(/frac(\p{Nd})/gu, 'frac{$1}')
  const python = asPython(formula)
  if (python === 'None') return { kind: 'other', digits: false } // upstream's own exception
  const value = pythonValue(python)
  if (value !== undefined) return value
  const read = latexValue(formula)
  return read?.kind === 'other' ? { kind: 'other', digits: showsDigits(formula) } : read
}

const name = '(?<![a-zA-Z])[a-zA-Z]{1,2}(?![a-zA-Z])'
const rewritten: readonly (readonly [RegExp, string])[] = [
  [/\\*(?:dfrac|tfrac|frac)\{([^{}]*)\}\{([^{}]*)\}/g, '($1)/($2)'],
  [/\\*binom\{([^{}]*)\}\{([^{}]*)\}/g, 'binomial($1, $2)'],
  [/\\*sqrt\[([^\n]*?)\]\{([^\n]*?)\}/g, '($2)**(1/($1))'],
  [/\\*sqrt\((\p{Nd}+)\)\{([^{}]*)\}/gu, '($2)**(1/($1))'],
  [/\\*sqrt\{([^\n]*?)\}/g, '($1)**(1/2)'],
  [/\^/g, '**'],
  [/\\cdot|\\times/g, '*'],
  [/\\pi/g, ' pi '],
  [/\\e/g, ' E '],
  [/\\i/g, ' I '],
  [new RegExp(`(?<![${pyWord}])i(?![${pyWord}])`, 'gu'), 'I'],
]
const products: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`(\\p{Nd}|${name})\\(`, 'gu'), '$1*('],
  [new RegExp(`\\)(\\p{Nd}|${name})`, 'gu'), ')*$1'],
  [new RegExp(`(?<=\\p{Nd})(${name})`, 'gu'), '*$1'],
  [new RegExp(`(${name})(?=\\p{Nd})`, 'gu'), '$1*'],
]

/** A LaTeX formula as the Python that upstream makes of it: two rounds of rewriting, the second after braces around digits are parentheses. */
function asPython(formula: string): string {
  let text = formula
  for (const braces of [false, true])
    for (let round = 0; round < 5; round++) {
      const before = text
      if (braces) text = text.replace(/\{(\p{Nd}+)\}/gu, '($1)')
      for (const [from, to] of rewritten) text = text.replace(from, to)
      if (text === before) break
    }
  for (const [from, to] of products) text = text.replace(from, to)
  return text.replace(/\{([^{}]*)\}/g, (_, inner: string) => `[${inner.replaceAll(',', ', ')}]`)
}
