import { type Cursor, expect, NotReadable, nested, peek, readAll, take } from './cursor.ts'
import { called, factorialOf, indexed, isFunction, named, tuple } from './python-calls.ts'
import { answerOf, bool, computed, counts, expression, none, opaque, type PythonObject, raised, sequence } from './python-object.ts'
import { comparisons, inverted, negative, operators, positive } from './python-operators.ts'
import { isName, isNumber, isText, keywords, pythonTokens } from './python-tokens.ts'
import { decimalValue, type Value } from './value.ts'

/** A piece of Python that was read; evaluated only when what stands around it asks, as Python does. */
type Code = () => PythonObject
type Read = (c: Cursor) => Code

/**
 * The value of a line of Python as SymPy's `sympify` evaluates it: names are symbols, `!` is the factorial. Undefined where Python or SymPy raises, null for Python's
 * None.
 * Functions beyond the few of a calculator are not evaluated. Source: sympy 1.13, `parse_expr`.
 */
export function pythonValue(text: string): Value | null | undefined {
  const found = readAll(
    () => pythonTokens(text.replaceAll('\n', '')),
    (c) => {
      const symbols = new Map<string, PythonObject>()
      const code = line(c, symbols)
      return { answer: answerOf(code(), /\p{Nd}/u.test(text)) }
    },
  )
  return found?.answer
}

/** A whole line: one value, or several that make a tuple without parentheses. */
function line(c: Cursor, symbols: Map<string, PythonObject>): Code {
  const read = reader(symbols)
  const first = read(c)
  if (peek(c) === '') return first
  const items = [first]
  while (peek(c) !== '') {
    expect(c, ',')
    if (peek(c) !== '') items.push(read(c))
  }
  return () => tuple(items.map((item) => item()))
}

/** Operators of one strength, joined from the left. */
const joined =
  (signs: readonly string[], operand: Read): Read =>
  (c) => {
    let code = operand(c)
    for (let sign = take(c, ...signs); sign; sign = take(c, ...signs)) {
      const [left, operator, right] = [code, operators[sign]!, operand(c)]
      code = () => operator(left(), right())
    }
    return code
  }

/** `and`, `or`: the second is evaluated only where the first does not decide. */
const shortened =
  (word: string, decisive: boolean, operand: Read): Read =>
  (c) => {
    let code = operand(c)
    while (take(c, word)) {
      const [left, right] = [code, operand(c)]
      code = () => {
        const first = left()
        return counts(first) === decisive ? first : right()
      }
    }
    return code
  }

function comparison(c: Cursor): string | null {
  const sign = take(c, '<', '>', 'in', 'is', 'not')
  if (sign === 'not') {
    expect(c, 'in')
    return 'not in'
  }
  return sign === 'is' && take(c, 'not') ? 'is not' : sign
}

/** A chain of comparisons holds where each of them does. */
const compared =
  (operand: Read): Read =>
  (c) => {
    const first = operand(c)
    const links: { sign: string; code: Code }[] = []
    for (let sign = comparison(c); sign; sign = comparison(c)) links.push({ sign, code: operand(c) })
    if (links.length === 0) return first
    return () => {
      let left = first()
      for (const [place, { sign, code }] of links.entries()) {
        const right = code()
        const held = comparisons[sign]!(left, right)
        if (place === links.length - 1 || !counts(held)) return held
        left = right
      }
      return raised()
    }
  }

/** The grammar of an expression, from the weakest operator to the strongest. */
function reader(symbols: Map<string, PythonObject>): Read {
  const whole: Read = (c) => nested(c, conditional)
  const primary = trailed(atom(whole, symbols), whole)
  const power: Read = (c) => {
    const base = primary(c)
    if (!take(c, '**')) return base
    const exponent = nested(c, signed)
    return () => operators['**']!(base(), exponent())
  }
  const signed: Read = (c) => {
    const sign = take(c, '+', '-', '~')
    if (!sign) return power(c)
    const code = nested(c, signed)
    return () => (sign === '+' ? positive : sign === '-' ? negative : inverted)(code())
  }
  const sum = joined(['+', '-'], joined(['*', '/', '//', '%', '@'], signed))
  const bits = joined(['|'], joined(['&'], joined(['<<', '>>'], sum)))
  const not: Read = (c) => {
    if (!take(c, 'not')) return compared(bits)(c)
    const code = nested(c, not)
    return () => bool(!counts(code()))
  }
  const either = shortened('or', true, shortened('and', false, not))
  const conditional: Read = (c) => {
    const code = either(c)
    if (!take(c, 'if')) return code
    const condition = either(c)
    expect(c, 'else')
    const instead = whole(c)
    return () => (counts(condition()) ? code() : instead())
  }
  return conditional
}

/** What may stand behind a primary: factorial marks, brackets of an index, a call. */
const trailed =
  (atom: Read, whole: Read): Read =>
  (c) => {
    const start = c.at
    let code = atom(c)
    for (;;) {
      const before = code
      if (peek(c) === '!') code = factorialMarks(c, start, before)
      else if (take(c, '[')) {
        const items = enclosed(c, ']', whole).items
        code = () => (items.length === 1 ? indexed(before(), items[0]!()) : raised())
      } else if (take(c, '(')) {
        enclosed(c, ')', whole)
        code = () => raised()
      } else if (take(c, '.')) {
        if (!isName(peek(c))) throw new NotReadable()
        c.at++
        code = () => raised()
      } else return code
    }
  }

/**
 * SymPy puts `factorial(` before the name or the bracket that the marks follow. Behind `not` that takes the word in; behind other words of Python, and
 * for a function it writes with two brackets, it makes no sense.
 */
function factorialMarks(c: Cursor, start: number, code: Code): Code {
  const follows = c.tokens[c.at - 1]!
  let marks = 0
  while (take(c, '!')) marks++
  const [before, first, second] = [c.tokens[start - 1] ?? '', c.tokens[start]!, c.tokens[start + 1]]
  const isBare = first === '(' && keywords.has(before)
  const isUnknown = isName(first) && second === '(' && !isFunction(first)
  if ((isBare && before !== 'not') || isUnknown || follows === ']' || marks > 2) return () => raised()
  if (isBare) return () => opaque
  return () => factorialOf(code(), marks)
}

const literals: Readonly<Record<string, PythonObject>> = { True: bool(true), False: bool(false), None: none, '...': opaque }

function atom(whole: Read, symbols: Map<string, PythonObject>): Read {
  return (c) => {
    const next = peek(c)
    c.at++
    if (isNumber(next)) return literal(next)
    if (isText(next)) return text(c, next.length - 2)
    if (next === '(') return group(c, whole)
    if (next === '{') return hashed(c, whole)
    if (next === '[') {
      const { items } = enclosed(c, ']', whole)
      return () =>
        sequence(
          'list',
          items.map((item) => item()),
        )
    }
    if (Object.hasOwn(literals, next)) return () => literals[next]!
    if (!isName(next)) throw new NotReadable()
    if (!take(c, '(')) return () => named(next, symbols)
    const { items } = enclosed(c, ')', whole)
    return () =>
      called(
        next,
        items.map((item) => item()),
      )
  }
}

function literal(digits: string): Code {
  const value = decimalValue(digits.replaceAll('_', ''))
  return () => computed(value, /[.eE]/.test(digits), expression('plain'))
}

/** Texts in a row are one. */
function text(c: Cursor, first: number): Code {
  let length = first
  while (isText(peek(c))) length += c.tokens[c.at++]!.length - 2
  return () => ({ is: 'text', length })
}

function group(c: Cursor, whole: Read): Code {
  const { items, commas } = enclosed(c, ')', whole)
  return items.length === 1 && commas === 0 ? items[0]! : () => tuple(items.map((item) => item()))
}

/** A set or a dictionary, in which a list can be no key. */
function hashed(c: Cursor, whole: Read): Code {
  const keys: Code[] = []
  const values: Code[] = []
  while (peek(c) !== '}') {
    keys.push(whole(c))
    if (take(c, ':')) values.push(whole(c))
    if (peek(c) !== '}') expect(c, ',')
  }
  expect(c, '}')
  if (values.length > 0 && values.length < keys.length) throw new NotReadable()
  return () => {
    for (const key of keys.map((each) => each())) if (key.is === 'sequence' && key.type === 'list') raised()
    for (const value of values) value()
    return opaque
  }
}

/** What stands between brackets: one value, or several that make a tuple, a list or arguments. */
function enclosed(c: Cursor, closer: string, whole: Read): { items: Code[]; commas: number } {
  const items: Code[] = []
  let commas = 0
  while (peek(c) !== closer) {
    items.push(whole(c))
    if (peek(c) === closer) break
    expect(c, ',')
    commas++
  }
  expect(c, closer)
  return { items, commas }
}
