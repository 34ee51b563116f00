/** What Python's `json.loads` gives, integers and floats told apart. */
export type PythonJson = null | boolean | bigint | number | string | PythonJson[] | Map<string, PythonJson>

/** A text is no JSON, or none that Python takes. */
export class NoPythonJson extends Error {}

const space = /[ \t\n\r]*/y
const numeral = /(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?/y
const constants: [string, null | boolean | number][] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]

/**
 * Python's `json.loads(text)`: JSON, also NaN and infinities, with integers of up to `mostDigits` digits whole. Throws `NoPythonJson` where Python
 * raises, and for nesting that is too deep to be read here.
 */
export function readPythonJson(text: string, mostDigits: number): PythonJson {
  let at = 0
  const skip = (): void => {
    space.lastIndex = at
    space.exec(text)
    at = space.lastIndex
  }
  const refuse = (): never => {
    throw new NoPythonJson(`no JSON at character ${at}`)
  }
  const take = (sign: string): boolean => {
    if (text[at] !== sign) return false
    at++
    skip()
    return true
  }
  const string = (): string => {
    if (text[at] !== '"') refuse()
    const start = at
    at++
    while (text[at] !== '"') {
      if (at >= text.length) refuse()
      at += text[at] === '\\' ? 2 : 1
    }
    at++
    try {
      return JSON.parse(text.slice(start, at)) as string
    } catch (cause) {
      throw new NoPythonJson('a string has signs that JSON does not allow', { cause })
    }
  }
  const list = (): PythonJson[] => {
    const items: PythonJson[] = []
    if (take(']')) return items
    do {
      items.push(value())
      skip()
    } while (take(','))
    return take(']') ? items : refuse()
  }
  const object = (): Map<string, PythonJson> => {
    const entries = new Map<string, PythonJson>()
    if (take('}')) return entries
    do {
      const key = string()
      skip()
      if (!take(':')) refuse()
      entries.set(key, value())
      skip()
    } while (take(','))
    return take('}') ? entries : refuse()
  }
  const value = (): PythonJson => {
    if (text[at] === '"') return string()
    if (take('[')) return list()
    if (take('{')) return object()
    numeral.lastIndex = at
    const found = numeral.exec(text)
    const constant = found ? undefined : constants.find(([name]) => text.startsWith(name, at))
    if (constant) {
      at += constant[0].length
      return constant[1]
    }
    const [all, whole, part, exponent] = found ?? refuse()
    at += all.length
    if (part !== undefined || exponent !== undefined) return Number(all)
    if (whole!.replace('-', '').length > mostDigits) refuse()
    return BigInt(whole!)
  }
  try {
    skip()
    const whole = value()
    skip()
    return at === text.length ? whole : refuse()
  } catch (error) {
    if (error instanceof RangeError) throw new NoPythonJson('it is nested too deeply', { cause: error })
    throw error
  }
}
