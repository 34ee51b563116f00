import { type PythonLiteral, readPythonLiteral } from './python-literals.ts'

type Token = { kind: 'string'; literal: PythonLiteral } | { kind: 'plus' | 'paren' | 'break' }

export type PythonStrings = {
  /** Every single literal. */
  literals: string[]
  /** Literals that stand side by side, joined as Python joins them: what `ast` calls one constant. */
  constants: string[]
  /** Constants added with `+`. */
  sums: string[]
  /** All of these that are f-strings with doubled braces, as templates: the braces stay doubled. */
  templates: string[]
}

const word = /[\p{ID_Start}_][\p{ID_Continue}]*/uy

/**
 * All text that stands in string literals of a Python file, in order; byte strings are left out and `\N{…}` is not decoded. Nothing is evaluated and
 * broken code is passed over, so more may be found than Python would build: the caller picks by hash. f-strings are given as templates too.
 */
export function readPythonStrings(text: string): PythonStrings {
  const found: PythonStrings = { literals: [], constants: [], sums: [], templates: [] }
  let constant: PythonLiteral[] = []
  let sum: PythonLiteral[][] = []
  let added = false
  const keep = (kind: 'literals' | 'constants' | 'sums', parts: PythonLiteral[]) => {
    const value = parts.map((part) => part.value).join('')
    const template = parts.map((part) => part.template).join('')
    found[kind].push(value)
    if (template !== value) found.templates.push(template)
  }
  const closeConstant = () => {
    if (constant.length === 0) return
    keep('constants', constant)
    sum = added ? [...sum, constant] : [constant]
    constant = []
    added = false
  }
  const closeSum = () => {
    closeConstant()
    if (sum.length > 1) keep('sums', sum.flat())
    sum = []
    added = false
  }
  for (const token of tokens(text.replace(/\r\n?/g, '\n'))) {
    if (token.kind === 'string' && token.literal.bytes) closeSum()
    else if (token.kind === 'string') {
      keep('literals', [token.literal])
      if (constant.length === 0 && !added) closeSum()
      constant.push(token.literal)
    } else {
      closeConstant()
      if (token.kind === 'plus') added = sum.length > 0
      else if (token.kind === 'break') closeSum()
    }
  }
  closeSum()
  return found
}

/** Only what matters for joining: literals, plus signs, parentheses, and everything else as a break. Line ends inside brackets are nothing. */
function* tokens(source: string): Generator<Token> {
  let depth = 0
  for (let at = 0; at < source.length; ) {
    const literal = readPythonLiteral(source, at)
    const character = source[at] ?? ''
    word.lastIndex = at
    const name = literal === undefined ? word.exec(source)?.[0] : undefined
    if (literal !== undefined) {
      yield { kind: 'string', literal }
      at = literal.next
      continue
    }
    if (name !== undefined) {
      yield { kind: 'break' }
      at += name.length
      continue
    }
    if (character === '#') {
      at = endOfLine(source, at)
      continue
    }
    if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character)) depth = Math.max(0, depth - 1)
    if (character === '\\' && source[at + 1] === '\n') at++
    else if (character === '(' || character === ')') yield { kind: 'paren' }
    else if (character === '+' && source[at + 1] !== '=') yield { kind: 'plus' }
    else if (character === '\n' ? depth === 0 : !/[ \t\f]/.test(character)) yield { kind: 'break' }
    at++
  }
}

function endOfLine(source: string, at: number): number {
  const end = source.indexOf('\n', at)
  return end < 0 ? source.length : end
}
