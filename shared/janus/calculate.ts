/** An expression is none that the calculator reads. */
export class NoExpression extends Error {}

const token = /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|(\*\*|\/\/|[-+*/%^()]))/y
/** Longest expression, in UTF-16 units, and deepest nesting. */
const longest = 1000
const deepest = 100

/**
 * The value of an expression of numbers, `+ - * / // % ** ^` and brackets, with Python's precedence; `^` is a power as `**` is. Throws `NoExpression` for
 * anything else, for a division by zero and for what is no finite number.
 */
export function calculate(expression: string): number {
  const signs = tokensOf(expression)
  let at = 0
  let depth = 0
  const take = (...wanted: string[]): string | undefined => (wanted.includes(signs[at] ?? '') ? signs[at++] : undefined)
  const sum = (): number => {
    let value = product()
    for (let sign = take('+', '-'); sign; sign = take('+', '-')) value = sign === '+' ? value + product() : value - product()
    return value
  }
  const product = (): number => {
    let value = signed()
    for (let sign = take('*', '/', '//', '%'); sign; sign = take('*', '/', '//', '%')) value = applied(sign, value, signed())
    return value
  }
  const signed = (): number => {
    if (++depth > deepest) throw new NoExpression('it is nested too deep')
    const sign = take('-', '+')
    const value = sign ? (sign === '-' ? -signed() : signed()) : power()
    depth--
    return value
  }
  const power = (): number => {
    const base = single()
    return take('**', '^') ? base ** signed() : base
  }
  const single = (): number => {
    if (take('(')) {
      const value = sum()
      if (!take(')')) throw new NoExpression('a bracket is not closed')
      return value
    }
    const number = Number(signs[at++] ?? Number.NaN)
    if (Number.isNaN(number)) throw new NoExpression('a number is missing')
    return number
  }
  const value = sum()
  if (at < signs.length) throw new NoExpression(`${signs[at]} is not expected there`)
  if (!Number.isFinite(value)) throw new NoExpression('it is no finite number')
  return Number(value.toPrecision(15))
}

function applied(sign: string, left: number, right: number): number {
  if (sign === '*') return left * right
  if (right === 0) throw new NoExpression('division by zero')
  if (sign === '/') return left / right
  return sign === '//' ? Math.floor(left / right) : left - right * Math.floor(left / right)
}

/** Thousands may be parted by commas; signs of typesetting are read as those of a keyboard. */
function tokensOf(expression: string): string[] {
  if (expression.length > longest) throw new NoExpression('it is too long')
  const plain = expression
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replaceAll('×', '*')
    .replaceAll('÷', '/')
    .replaceAll('−', '-')
    .trim()
  const signs: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < plain.length) {
    const from = token.lastIndex
    const found = token.exec(plain)
    if (!found) throw new NoExpression(`it cannot be read from character ${from} on`)
    signs.push(found[1] ?? found[2]!)
  }
  return signs
}
