/** A place where a scalar may start: the line, the column of the node that holds it, and what follows the key or dash. */
type Place = { line: number; parent: number; rest: string }

const lineStart = /^( *)((?:- +)*)((?:"[^"]*"|'[^']*'|[^\s#'"[{|>-][^#]*?|-[^\s#][^#]*?) *:(?: +|$))?(.*)$/
const escapes: Record<string, string> = {
  ...{ '0': '\0', a: '\x07', b: '\b', t: '\t', '\t': '\t', n: '\n', v: '\v', f: '\f', r: '\r', e: '\x1b', ' ': ' ', '"': '"' },
  ...{ '/': '/', '\\': '\\', N: '\x85', _: '\xa0', L: '\u2028', P: '\u2029' },
}

/**
 * Text of every block, quoted and plain scalar of a YAML file of mappings and sequences in block style, in order. Flow collections, anchors and several
 * documents are not read; a scalar that is no text (a number, `true`) comes as it is written. Source: YAML 1.2.2, chapters 7.3 and 8.1.
 */
export function readYamlStrings(text: string): string[] {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replace(/^\uFEFF/, '')
    .split('\n')
  const found: string[] = []
  for (let line = 0; line < lines.length; ) {
    const place = placeOf(lines, line)
    const scalar = place && (blockScalar(lines, place) ?? quotedScalar(lines, place) ?? plainScalar(lines, place))
    if (scalar?.text !== undefined) found.push(scalar.text)
    line = scalar?.next ?? line + 1
  }
  return found
}

function placeOf(lines: string[], line: number): Place | undefined {
  const [, indent = '', dashes = '', key, rest = ''] = lineStart.exec(lines[line] ?? '') ?? []
  if (/^(#|---|\.\.\.|%)/.test(rest) && key === undefined) return undefined
  const lastDash = dashes.lastIndexOf('-')
  const parent = key === undefined ? indent.length + lastDash : indent.length + dashes.length
  return { line, parent: key === undefined && lastDash < 0 ? indent.length - 1 : parent, rest: rest.replace(/^!!?\w* +/, '') }
}

type Scalar = { text: string | undefined; next: number }

function blockScalar(lines: string[], { line, parent, rest }: Place): Scalar | undefined {
  const header = /^([|>])(?:([+-])?([1-9])?|([1-9])([+-]))(?: +#.*)?\s*$/.exec(rest)
  if (header === null) return undefined
  const digit = header[3] ?? header[4]
  const first = lines.slice(line + 1).find((one) => one.trim() !== '') ?? ''
  const indent = digit === undefined ? widthOf(first) : parent + Number(digit)
  const content: string[] = []
  let next = line + 1
  for (; next < lines.length; next++) {
    const one = lines[next] ?? ''
    const blank = /^ *$/.test(one)
    if (indent <= parent || (!blank && widthOf(one) < indent)) break
    content.push(one.slice(indent))
  }
  const cutOff = next === lines.length && content.at(-1) !== ''
  if (next === lines.length && !cutOff) content.pop()
  return { text: blockText(content, header[1] === '>', cutOff ? '-' : (header[2] ?? header[5] ?? '')), next }
}

function blockText(lines: string[], folded: boolean, chomping: string): string {
  let text = ''
  let empty = 0
  let started = false
  let indented = false
  for (const line of lines) {
    if (line === '') {
      empty++
      continue
    }
    const deeper = /^[ \t]/.test(line)
    if (!folded || deeper || indented) text += '\n'.repeat(started ? empty + 1 : empty)
    else text += empty === 0 && started ? ' ' : '\n'.repeat(empty)
    text += line
    indented = folded && deeper
    started = true
    empty = 0
  }
  if (chomping === '-') return text
  if (chomping === '+') return text + '\n'.repeat(started ? empty + 1 : empty)
  return started ? `${text}\n` : text
}

function quotedScalar(lines: string[], { line, rest }: Place): Scalar | undefined {
  const quote = rest[0]
  if (quote !== '"' && quote !== "'") return undefined
  const text = [rest, ...lines.slice(line + 1)].join('\n')
  const body = quote === '"' ? /^"((?:[^"\\]|\\[\s\S])*)"/.exec(text) : /^'((?:[^']|'')*)'/.exec(text)
  if (body?.[1] === undefined) return { text: undefined, next: line + 1 }
  const next = line + body[0].split('\n').length
  return { text: quote === '"' ? decodeEscapes(foldLines(body[1])) : foldLines(body[1]).replaceAll("''", "'"), next }
}

/** A line break inside quotes is a space, n empty lines are n breaks; a break after a backslash joins the lines. */
function foldLines(text: string): string {
  return text.replace(/(\\*)[ \t]*(\n(?:[ \t]*\n)*)[ \t]*/g, (_whole, slashes: string, breaks: string) => {
    if (slashes.length % 2 === 1) return slashes.slice(1) + '\n'.repeat(breaks.split('\n').length - 2)
    const count = breaks.split('\n').length - 1
    return slashes + (count === 1 ? ' ' : '\n'.repeat(count - 1))
  })
}

function decodeEscapes(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g, (whole, x, u, long, other) => {
    const hex: string | undefined = x ?? u ?? long
    return hex === undefined ? (escapes[other] ?? whole) : String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff))
  })
}

function plainScalar(lines: string[], { line, parent, rest }: Place): Scalar {
  const comment = /(^|\s)#.*$/
  let text = rest.replace(comment, '').trim()
  let next = line + 1
  if (text === '' || /^[[{&*!%@`]/.test(text)) return { text: undefined, next }
  let empty = 0
  for (let ended = comment.test(rest); !ended && next < lines.length; next++) {
    const one = lines[next] ?? ''
    const part = one.replace(comment, '').trim()
    if (one.trim() === '') empty++
    else if (widthOf(one) <= parent || part === '') break
    else {
      text += (empty === 0 ? ' ' : '\n'.repeat(empty)) + part
      empty = 0
      ended = comment.test(one)
    }
  }
  return { text, next }
}

function widthOf(line: string): number {
  return line.length - line.trimStart().length
}
