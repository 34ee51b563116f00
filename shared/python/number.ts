import { decimalOf } from './unicode.ts'

const beyondAscii = /[^\0-\x7f]/gu
const space = /[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/
const surrounding = /^[\t-\r ]+|[\t-\r ]+$/g
const floating = /^[-+]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[-+]?\d+(?:_\d+)*)?$/i
const whole = /^[-+]?\d+(?:_\d+)*$/
const special = /^([-+]?)(inf|infinity|nan)$/i

/** CPython reads and writes integers of at most so many digits (`sys.int_info.default_max_str_digits`). */
export const mostDigits = 4300

/**
 * The numeral in a text as `float` and `int` of CPython see it: digits of any script as ASCII digits, white space around it removed, underscores kept.
 * They remove less than `str.strip`: the separators U+001C to U+001F stay, and make the text no number. Null where a character is neither.
 */
function numeralIn(text: string): string | null {
  let strange = false
  const ascii = text.replace(beyondAscii, (char) => {
    const digit = decimalOf(char.codePointAt(0)!)
    if (digit !== undefined) return String(digit)
    if (!space.test(char)) strange = true
    return ' '
  })
  return strange ? null : ascii.replace(surrounding, '')
}

/** The digits that `float(text)` of CPython reads, in plain ASCII without underscores; null where it raises or gives an infinity or NaN by name. */
export function floatDigits(text: string): string | null {
  const numeral = numeralIn(text)
  return numeral !== null && floating.test(numeral) ? numeral.replaceAll('_', '') : null
}

/** CPython's `float(text)`; null where it raises. */
export function readFloat(text: string): number | null {
  const digits = floatDigits(text)
  if (digits !== null) return Number(digits)
  const named = special.exec(numeralIn(text) ?? '')
  if (!named) return null
  return named[2]!.toLowerCase() === 'nan' ? Number.NaN : Number(`${named[1]}Infinity`)
}

/** CPython's `int(text)`; null where it raises, as it does above 4,300 digits. */
export function readInt(text: string): bigint | null {
  const numeral = numeralIn(text)
  if (numeral === null || !whole.test(numeral)) return null
  const digits = numeral.replace(/[-+_]/g, '')
  if (digits.length > mostDigits) return null
  return numeral.startsWith('-') ? -BigInt(digits) : BigInt(digits)
}

/** CPython's `repr(float)`: the shortest digits that round-trip, `1e-05` and `1e+16` where positional notation ends, `inf`, `nan`. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf'
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const [mantissa = '0', exponentText = '0'] = Math.abs(value).toExponential().split('e')
  const exponent = Number(exponentText)
  const digits = mantissa.replace('.', '')
  if (exponent < -4 || exponent >= 16) {
    const size = String(Math.abs(exponent)).padStart(2, '0')
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${size}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const before = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${sign}${before}.${digits.slice(exponent + 1) || '0'}`
}
