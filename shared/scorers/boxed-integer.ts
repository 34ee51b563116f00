import { pyWord, strip } from './python-text.ts'

/** What a contest answer was read as: `value` is an integer in plain decimal form. */
export type IntegerAnswer = { value: string | null; from: 'box' | 'last-integer' | 'unparsed-box' | 'nothing' }

/** Longer box contents are no integer; the bound keeps every step below linear in the answer. */
const longestBox = 400

const drawnBoxes: readonly [string, string][] = [
  ['\u23a7', '\\boxed{'],
  ['\u23ab', '}'],
  ['\n\u2502', '\\boxed{'],
  ['\u2502', '}'],
  ['\n\u2503', '\\boxed{'],
  ['\u2503', '}'],
  ['\n\uf8f0', '\\boxed{'],
  ['\uf8fb', '}'],
  ['\u202f', ' '],
  ['\u2212', '-'],
]

/** Box-drawing characters as boxes, narrow no-break space as space, the minus sign as a hyphen. */
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

const size = /\\(?:left|right|Bigl|Bigr|bigl|bigr|Big|big|Large|large|displaystyle)/g

/** The clean-up of reference 4.4 step 3, in upstream's order. */
function normalised(content: string): string {
  let text = content
    .replace(/\\[;:,!]/g, '')
    .replace(size, '')
    .replaceAll('$', '')
    .replaceAll('\\quad', ' ')
  text = text
    .replaceAll('\u2013', '-')
    .replace(/\^(?:\\circ|\{\\circ\})/g, ' ')
    .replaceAll('\u00b0', ' ')
  text = text
    .replace(/\.$/, '')
    .replace(/\{,\}/g, ',')
    .replace(/(\d+),(?=\d)/g, '$1')
  text = text.replace(/\\text\{[^\n]*?\}/g, '').replace(/\\mathrm\{([^\n]*?)\}/g, ' $1 ')
  text = text.slice(text.lastIndexOf('=') + 1)
  const approx = text.indexOf('\\approx')
  return withoutBrackets(strip(approx < 0 ? text : text.slice(0, approx)))
}

/** Takes off round or square brackets as long as one pair encloses everything. */
function withoutBrackets(text: string): string {
  const inner = /^[([]([^()[\]]*)[)\]]$/.exec(text)?.[1]
  return inner === undefined ? text : strip(inner)
}

const integer = /^([+-]?)(\d+(?:_\d+)*)$/
const decimal = /^([+-]?)(\d*)\.(\d*)$/
const fraction = /^([+-]?)\s*\\[dt]?frac\s*\{\s*([+-]?\d+)\s*\}\s*\{\s*([+-]?\d+)\s*\}$/
const quotient = /^()([+-]?\d+)\s*\/\s*([+-]?\d+)$/

/** Exact integer value of an integer, an integral decimal or an integral quotient; null for anything else. */
function exactInteger(text: string): string | null {
  const whole = integer.exec(text)
  if (whole) return BigInt(`${whole[1] === '-' ? '-' : ''}${whole[2]!.replaceAll('_', '')}`).toString()
  const point = decimal.exec(text)
  if (point && /\d/.test(text) && /^0*$/.test(point[3]!)) return BigInt(`${point[1] === '-' ? '-' : ''}${point[2] || '0'}`).toString()
  const parts = fraction.exec(text) ?? quotient.exec(text)
  if (!parts) return null
  const top = BigInt(parts[2]!.replace('+', ''))
  const bottom = BigInt(parts[3]!.replace('+', ''))
  if (bottom === 0n || top % bottom !== 0n) return null
  return ((parts[1] === '-' ? -top : top) / bottom).toString()
}

/** The integer a box content stands for, or null. */
export function integerOf(content: string): string | null {
  if (content.length > longestBox) return null
  return exactInteger(strip(content)) ?? exactInteger(normalised(content))
}

const lastDigits = new RegExp(`(?<![${pyWord}])[0-9]+(?![${pyWord}])`, 'gu')

function lastInteger(text: string): string | null {
  let last: string | null = null
  for (const match of text.matchAll(lastDigits)) last = match[0]
  return last && last.length <= longestBox ? BigInt(last).toString() : null
}

/** MathArena's reading (reference 4.4): the last box; without any box the last stand-alone integer of the text. */
export function matharenaInteger(answer: string): IntegerAnswer {
  const boxed = boxedInteger(answer)
  if (boxed.from !== 'nothing') return boxed
  const value = lastInteger(plainMath(answer))
  return value === null ? boxed : { value, from: 'last-integer' }
}

/** The last box only, as the `aa` profile reads it before any judge. */
export function boxedInteger(answer: string): IntegerAnswer {
  const content = lastBox(plainMath(answer))
  if (content === null) return { value: null, from: 'nothing' }
  const value = integerOf(content)
  return { value, from: value === null ? 'unparsed-box' : 'box' }
}
